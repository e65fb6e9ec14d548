// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace blackscholes
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("blackscholes",
                            "European options by Black's and Scholes' formula: one sk::map with two results, on the "
                            "devices that you choose.",
                            {}, o);
    line.option("--contracts", o.contracts, "how many, at random");
    line.option("--show", o.show, "so many of them are printed");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range<std::size_t>("--contracts", o.contracts, 1, std::size_t{1} << 32);
    return o;
}

} // namespace blackscholes
