// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace quicksort
{
namespace
{

constexpr std::size_t most = std::size_t{1} << 33;

constexpr const char* about = "Sorts ints by divide and conquer: the cores split what is long, and sort what is short.";

void check(const options& o)
{
    if (o.n < 1 || o.n > most) throw apps::input_error(fmt::format("--n {}: 1 to {}", o.n, most));
    if (o.cutoff > most) throw apps::input_error(fmt::format("--cutoff {}: up to {}", o.cutoff, most));
    if (o.input != "random" && o.input != "sorted" && o.input != "equal")
        throw apps::input_error(fmt::format("--input {}: it is one of random, sorted, equal", o.input));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("quicksort", about, {}, o);
    line.option("--n", o.n, "ints");
    line.option("--input", o.input, "random, sorted or equal");
    line.option("--cutoff", o.cutoff, "so many are sorted by one core; 0: as many as was learnt");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace quicksort
