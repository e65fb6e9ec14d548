// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include <cmath>

namespace lj
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("lj",
                            "Molecular dynamics of a Lennard-Jones fluid with cell lists: sk::sort_by_key, "
                            "sk::histogram, sk::exclusive_scan\nand maps, on the devices that you choose. Units of "
                            "sigma, epsilon and the mass.",
                            {false, "write a slice of the atoms after the steps to this PNG file"}, o);
    line.option("--edge", o.edge, "the box has 4 edge^3 atoms");
    line.option("--steps", o.steps, "of each run");
    line.option("--dt", o.dt, "time of a step");
    line.option("--density", o.density, "atoms a volume");
    line.option("--temperature", o.temperature, "at the start");
    line.option("--cutoff", o.cutoff, "distance beyond which atoms do not feel each other");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range<std::size_t>("--edge", o.edge, 1, 256);
    apps::check_range<std::size_t>("--steps", o.steps, 0, 100'000'000);
    apps::check_range("--dt", o.dt, 1e-6f, 0.01f);
    apps::check_range("--density", o.density, 0.01f, 1.2f);
    apps::check_range("--temperature", o.temperature, 0.0f, 10.0f);
    const auto atoms = static_cast<float>(4 * o.edge * o.edge * o.edge);
    apps::check_range("--cutoff (a third of the box at most)", o.cutoff, 1.0f, std::cbrt(atoms / o.density) / 3.001f);
    return o;
}

} // namespace lj
