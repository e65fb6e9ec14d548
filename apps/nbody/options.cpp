// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace nbody
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("nbody",
                            "Two star clusters meet: gravity between all pairs of bodies by sk::map_pairs_reduce, and "
                            "leapfrog steps,\non the devices that you choose. The constant of gravity and the total "
                            "mass are 1.",
                            {false, "write the bodies after the steps to this PNG file"}, o);
    line.option("--bodies", o.bodies, "how many");
    line.option("--steps", o.steps, "of each run");
    line.option("--dt", o.dt, "time of a step");
    line.option("--softening", o.softening, "length below which attraction fades");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range<std::size_t>("--bodies", o.bodies, 1, 1 << 22);
    apps::check_range<std::size_t>("--steps", o.steps, 0, 1'000'000);
    apps::check_range("--dt", o.dt, 1e-6f, 1.0f);
    apps::check_range("--softening", o.softening, 1e-3f, 10.0f);
    return o;
}

} // namespace nbody
