// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/plot.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace ode
{
namespace
{

struct options : apps::common_options {
    std::size_t size = 128;
    double end = 4, tolerance = 1e-5;
};

apps::image drawn(const field& y, const options& o)
{
    apps::field u{y.cols(), y.rows(), {}};
    for (const species& s : skelrt::host_read(y)) u.values.push_back(static_cast<float>(s.real()));
    return apps::plot_of(
        u, {fmt::format("Brusselator with diffusion at t = {}", o.end), fmt::format("{0} x {0} cells", o.size), "u"});
}

/// Errors are good if they are at most a tenth of a step's tolerance: steps of slightly other lengths differ by so much
/// less.
apps::comparison compare(const field& y, const std::vector<species>& right, double tolerance)
{
    apps::comparison result{0.1 * tolerance};
    const auto got = skelrt::host_read(y);
    const auto place = apps::row_and_column(y.cols());
    for (std::size_t i = 0; i < right.size(); ++i) {
        const species have = got.data()[i], want = right[i];
        result.add(have.real(), want.real(), 1 + std::abs(want.real()), [&] { return "u at " + place(i); });
        result.add(have.imag(), want.imag(), 1 + std::abs(want.imag()), [&] { return "v at " + place(i); });
    }
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("ode", o, rt);
    std::vector<species> right;
    t.reference([&] { right = plain_integrated(o.size, o.tolerance, o.end); });
    control end{};
    fmt::print("Brusselator on {0} x {0} cells, to t = {1}, tolerance {2}\n\n", o.size, o.end, o.tolerance);
    t.on_each([&](apps::turn& now) {
        std::optional<solver> s;
        now.time([&] {
            s.emplace(o.size, o.tolerance);
            s->integrate(o.end);
            skelrt::wait(s->values());
        });
        end = s->now();
        now.check([&] { return compare(s->values(), right, o.tolerance); });
        now.picture([&] { return drawn(s->values(), o); });
    });
    fmt::print("{:.0f} steps, and {:.0f} refused\n\n", end.accepted, end.refused);
    const double steps = end.accepted + end.refused;
    return t.report({{"size", o.size},
                     {"end", o.end},
                     {"tolerance", o.tolerance},
                     {"steps", end.accepted},
                     {"refused", end.refused}},
                    {{"steps/s", steps, "steps_per_s"},
                     {"Gcells/s", 1e-9 * steps * static_cast<double>(o.size * o.size), "cells_per_s", 1e9}},
                    {"values of plain loops", "", "1 + the value"});
}

} // namespace
} // namespace ode

int main(int argc, char** argv)
{
    ode::options o;
    apps::command_line line(
        "ode",
        "An embedded Runge-Kutta method (Fehlberg's of orders 4 and 5) that controls its steps on the "
        "devices, for the\nBrusselator with diffusion on the unit square (BRUSS2D-MIX).",
        {false, "write u at the end to this PNG file"}, o);
    line.range("--size", o.size, 1, 1 << 14, "cells along an edge of the square");
    line.range("--end", o.end, 1e-12, 1000, "the time at which the solution is wanted");
    line.range("--tolerance", o.tolerance, 1e-12, 0.1, "of a step's error, over 1 + |value|");
    return apps::run_program(line, argc, argv, [&] { return ode::run(o); });
}
