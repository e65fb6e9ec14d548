// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace pagerank
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    bool karate = false;
    apps::command_line line(
        "pagerank",
        "PageRank by power iteration: which vertices of a graph those point to that are pointed to, "
        "on the devices that\nyou choose.",
        {}, o);
    line.without_default("--input", o.input, "edges: two numbers from 1 a line, source and target; default: R-MAT");
    line.flag("--both-ways", o.both_ways, "each edge of the file is two");
    line.flag("--karate", karate, "friendships in Zachary's karate club");
    line.option("--scale", o.scale, "log2 of the vertices of a random graph");
    line.option("--degree", o.degree, "edges of a random graph a vertex");
    line.option("--iterations", o.iterations, "of each run");
    line.option("--damping", o.damping, "the share of readers who follow a link");
    line.option("--top", o.top, "so many ranks are printed");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range("--scale", o.scale, 0u, 28u);
    apps::check_range<std::size_t>("--degree", o.degree, 1, 64);
    apps::check_range<std::size_t>("--iterations", o.iterations, 0, 1'000'000);
    apps::check_range("--damping", o.damping, 0.0f, 1.0f);
    if (karate) o.input = std::filesystem::path(PAGERANK_DATA) / "karate.txt", o.both_ways = true;
    return o;
}

} // namespace pagerank
