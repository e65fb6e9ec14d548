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
    std::string problem = "bruss2d-mix";
    std::size_t size = 128;
    double end = 4, tolerance = 1e-5;

    bool on_a_line() const { return problem == "medakzo"; }
    std::string what() const
    {
        return on_a_line() ? fmt::format("The medical Akzo Nobel problem at {} places", size)
                           : fmt::format("Brusselator on {0} x {0} cells", size);
    }
};

apps::image drawn(const std::vector<species>& y, const options& o)
{
    apps::field u{o.size, o.size, {}};
    for (const species& s : y) u.values.push_back(static_cast<float>(s.real()));
    return apps::plot_of(
        u, {fmt::format("Brusselator with diffusion at t = {}", o.end), fmt::format("{0} x {0} cells", o.size), "u"});
}

/// Errors are good if they are at most a step's tolerance: steps of slightly other lengths differ by so much where a
/// problem jumps, and by far less elsewhere.
apps::comparison compare(const std::vector<species>& got, const std::vector<species>& right, const options& o)
{
    apps::comparison result{o.tolerance};
    const auto place = o.on_a_line() ? apps::numbered("place") : apps::row_and_column(o.size);
    for (std::size_t i = 0; i < right.size(); ++i) {
        const species have = got[i], want = right[i];
        result.add(have.real(), want.real(), 1 + std::abs(want.real()), [&] { return "u at " + place(i); });
        result.add(have.imag(), want.imag(), 1 + std::abs(want.imag()), [&] { return "v at " + place(i); });
    }
    return result;
}

template <class Problem>
int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("ode", o, rt);
    const Problem problem(o.size);
    std::vector<species> right;
    t.reference([&] { right = plain_integrated(problem, o.tolerance, o.end); });
    control end{};
    fmt::print("{}, to t = {}, tolerance {}\n\n", o.what(), o.end, o.tolerance);
    t.on_each([&](apps::turn& now) {
        std::optional<solver_of<Problem>> s;
        now.time([&] {
            s.emplace(o.size, o.tolerance);
            s->integrate(o.end);
            s->wait();
        });
        end = s->now();
        now.check([&] { return compare(s->pairs(), right, o); });
        now.picture([&] { return drawn(s->pairs(), o); });
    });
    fmt::print("{:.0f} steps, and {:.0f} refused\n\n", end.accepted, end.refused);
    const double steps = end.accepted + end.refused;
    return t.report(
        {{"problem", o.problem},
         {"size", o.size},
         {"end", o.end},
         {"tolerance", o.tolerance},
         {"steps", end.accepted},
         {"refused", end.refused}},
        {{"steps/s", steps, "steps_per_s"}, {"Gcells/s", 0.5e-9 * steps * problem.values(), "cells_per_s", 1e9}},
        {"values of plain loops", "", "1 + the value"});
}

int run_problem(const options& o)
{
    if (o.problem == "medakzo") return run<medakzo>(o);
    return o.problem == "bruss2d-row" ? run<bruss2d_row>(o) : run<bruss2d_mix>(o);
}

/// What the Brusselator does not share with the problem on a line.
void adapt(options& o, const apps::command_line& line)
{
    if (!o.on_a_line()) return;
    if (!o.picture.empty()) throw apps::input_error("--picture: it shows a square, and medakzo is on a line");
    if (!line.given("--size")) o.size = 200;
    if (!line.given("--end")) o.end = 20;
}

} // namespace
} // namespace ode

int main(int argc, char** argv)
{
    ode::options o;
    apps::command_line line(
        "ode",
        "An embedded Runge-Kutta method (Fehlberg's of orders 4 and 5) that controls its steps on the devices.\n"
        "It solves the Brusselator with diffusion on the unit square: both substances of a cell side by side\n"
        "(bruss2d-mix), or one behind the other (bruss2d-row). Or the medical Akzo Nobel problem (medakzo).",
        {false, "write the Brusselator's u at the end to this PNG file"}, o);
    line.choice("--problem", o.problem, {"bruss2d-mix", "bruss2d-row", "medakzo"},
                "bruss2d-mix, bruss2d-row, or medakzo");
    line.range("--size", o.size, 1, 1 << 14, "cells along an edge of the square; places on medakzo's line, 200");
    line.range("--end", o.end, 1e-12, 1000, "the time at which the solution is wanted; medakzo's is 20");
    line.range("--tolerance", o.tolerance, 1e-12, 0.1, "of a step's error, over 1 + |value|");
    line.check([&] { ode::adapt(o, line); });
    return apps::run_program(line, argc, argv, [&] { return ode::run_problem(o); });
}
