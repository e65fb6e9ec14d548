// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/field_of.hpp"
#include "apps/shared/picture/plot.hpp"
#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace lbm
{
namespace
{

struct options : apps::common_options {
    std::array<std::size_t, 2> size{1024, 384}; ///< columns, rows
    std::size_t steps = 100;
    float speed = 0.1f, reynolds = 150;
};

/// The cylinder's size follows from the channel's, the viscosity from both and Reynolds' number.
flow flow_of(const options& o)
{
    const auto cols = static_cast<float>(o.size[0]), rows = static_cast<float>(o.size[1]), radius = rows / 9;
    const float viscosity = o.speed * 2 * radius / o.reynolds;
    return {static_cast<int>(o.size[1]), static_cast<int>(o.size[0]), cols / 5, rows / 2, radius, o.speed,
            1 / (3 * viscosity + 0.5f)};
}

apps::image drawn(const lattice& l, const flow& w, const options& o)
{
    const apps::field curl = apps::field_of(vorticity(l));
    const float limit = apps::colour_limit(curl, 0.99);
    apps::plot p(curl, {"x", 0, static_cast<double>(w.cols)}, {"y", 0, static_cast<double>(w.rows)},
                 {-limit, limit, apps::blue_to_red});
    constexpr float rim = 1; // cells that are partly within have values of no meaning
    p.picture().disc(p.pixel_of(w.x, w.y), (w.radius + rim) * p.pixels_per_x(), apps::plot::faint);
    return p.finished({fmt::format("Vorticity after {} steps", o.steps),
                       fmt::format("{} x {} cells, Reynolds' number {}", w.cols, w.rows, o.reynolds), "curl"});
}

apps::comparison compare(const lattice& l, const std::vector<float>& planes)
{
    apps::comparison result{1e-4};
    const auto got = skelrt::host_read(l);
    const auto place = apps::row_and_column(l.cols());
    for (std::size_t i = 0; i < l.size(); ++i)
        for (std::size_t k = 0; k < 9; ++k)
            result.add(static_cast<double>(got.data()[i].f[k]), static_cast<double>(planes[k * l.size() + i]), 1 / 9.0,
                       [&] { return fmt::format("direction {} at {}", k, place(i)); });
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("lbm", o, rt);
    const flow w = flow_of(o);
    std::vector<float> right;
    t.reference([&] { right = plain_steps(w, o.steps); });
    fmt::print("{} x {} cells, {} steps, Reynolds' number {}; MLUPS: millions of cells a second\n\n", w.cols, w.rows,
               o.steps, o.reynolds);
    t.on_each([&](apps::turn& now) {
        const lattice start = wind(w);
        lattice end(start.rows(), start.cols(), skelrt::uninitialized);
        now.time([&] {
            advance(end, start, o.steps, w);
            skelrt::wait(end);
        });
        now.check([&] { return compare(end, right); });
        now.picture([&] { return drawn(end, w, o); });
    });
    const double cells = static_cast<double>(o.size[0] * o.size[1] * o.steps);
    return t.report(
        {{"columns", w.cols}, {"rows", w.rows}, {"steps", o.steps}},
        {{"MLUPS", 1e-6 * cells, "cells_per_s", 1e6}, {"GB/s", 2e-9 * sizeof(cell) * cells, "bytes_per_s", 1e9}},
        {"densities after all steps", "", "1/9"});
}

} // namespace
} // namespace lbm

int main(int argc, char** argv)
{
    lbm::options o;
    apps::command_line line("lbm",
                            "Wind past a cylinder by the lattice Boltzmann method: an sk::stencil over cells of nine "
                            "densities (D2Q9, BGK), on\nthe devices that you choose.",
                            {false, "write the vorticity after the steps to this PNG file"}, o);
    line.sizes("--size", o.size, 1 << 15, "cells: columns,rows or one number");
    line.check([&] { apps::check_range<std::size_t>("--size, columns", o.size[0], 3, 1 << 15); });
    line.range("--steps", o.steps, 0, 100'000'000, "time steps of each run");
    line.range("--speed", o.speed, 0.001f, 0.2f, "of the wind, in cells a step");
    line.range("--reynolds", o.reynolds, 1.0f, 1000.0f, "speed times the cylinder's width over viscosity");
    return apps::run_program(line, argc, argv, [&] { return lbm::run(o); });
}
