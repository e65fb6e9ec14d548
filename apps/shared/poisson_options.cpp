// SPDX-License-Identifier: BSD-3-Clause
#include "poisson_options.hpp"

#include "apps/shared/program/command_line.hpp"

namespace apps
{

void add_options(command_line& line, poisson_options& to, const std::string& steps, std::size_t least_steps,
                 const std::string& until)
{
    constexpr std::size_t most_steps = 10'000'000;
    const std::string option = "--" + steps;
    line.range("--size", to.size, 3, 1 << 16, "grid points along an edge of the square, those on it included");
    line.range(option, to.steps, least_steps, most_steps, steps + " of each run; with --until: at most");
    line.without_default("--until", to.until, until);
    line.range("--check-every", to.check_every, 1, most_steps, "how often --until looks");
    line.check([&line, &to, option] {
        if (to.until && !line.given(option)) to.steps = most_steps;
        if (to.until && !(*to.until > 0)) throw input_error(fmt::format("--until {}: more than 0", *to.until));
    });
}

} // namespace apps
