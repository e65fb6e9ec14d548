// SPDX-License-Identifier: BSD-3-Clause
#include "edge_list.hpp"
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pagerank
{
namespace
{

struct options : apps::common_options {
    std::filesystem::path input; ///< empty: a random graph
    bool both_ways = false;      ///< each edge of the file in both directions
    unsigned scale = 16;         ///< log2 of the vertices of a random graph
    std::size_t degree = 16, iterations = 20, top = 10;
    float damping = 0.85f;
};

edge_list graph_of(const options& o)
{
    if (!o.input.empty()) return read_edges(o.input, o.both_ways);
    const std::size_t vertices = std::size_t{1} << o.scale;
    return {vertices, random_edges(o.scale, vertices * o.degree)};
}

void print_highest(const skelrt::vector<float>& ranks, std::size_t count)
{
    skelrt::vector<float> keys = skelrt::map(skelrt::negate)(ranks);
    skelrt::vector<unsigned> vertices = skelrt::iota(ranks.size(), 0u);
    skelrt::sort_by_key(keys, vertices);
    const auto rank = skelrt::host_read(keys);
    const auto vertex = skelrt::host_read(vertices);
    fmt::print("    vertex      rank\n");
    for (std::size_t i = 0; i < std::min(count, ranks.size()); ++i)
        fmt::print("{:>10} {:>9.3g}\n", vertex[i] + 1, -rank[i]);
    fmt::print("\n");
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("pagerank", o, rt);
    const edge_list p = graph_of(o);
    std::vector<double> right;
    t.reference([&] { right = plain_ranks(p.vertices, p.all, o.iterations, o.damping); });
    fmt::print("{} vertices, {} edges, {} iterations\n\n", p.vertices, p.all.size(), o.iterations);
    t.on_each([&](apps::turn& now) {
        const graph g(p.vertices, p.all);
        skelrt::vector<float> ranks;
        now.time([&] {
            ranks = g.ranks(o.iterations, o.damping);
            skelrt::wait(ranks);
        });
        now.check([&] {
            return apps::compare(1e-4, skelrt::host_read(ranks), right, apps::largest_of(right),
                                 apps::numbered("vertex"));
        });
        if (now.last()) print_highest(ranks, o.top);
    });
    return t.report({{"vertices", p.vertices}, {"edges", p.all.size()}, {"iterations", o.iterations}},
                    {{"Medges/s", 1e-6 * static_cast<double>(p.all.size() * o.iterations), "edges_per_s", 1e6}},
                    {"ranks in double precision", "", "the highest"});
}

} // namespace
} // namespace pagerank

int main(int argc, char** argv)
{
    pagerank::options o;
    bool karate = false;
    apps::command_line line(
        "pagerank",
        "PageRank by power iteration: which vertices of a graph those point to that are pointed to, "
        "by products with a sparse\nmatrix on the devices that you choose.",
        {}, o);
    line.without_default("--input", o.input, "edges: two numbers from 1 a line, source and target; default: R-MAT");
    line.flag("--both-ways", o.both_ways, "each edge of the file is two");
    line.flag("--karate", karate, "friendships in Zachary's karate club");
    line.range("--scale", o.scale, 0, 28, "log2 of the vertices of a random graph");
    line.range("--degree", o.degree, 1, 64, "edges of a random graph a vertex");
    line.range("--iterations", o.iterations, 0, 1'000'000, "of each run");
    line.range("--damping", o.damping, 0, 1, "the share of readers who follow a link");
    line.option("--top", o.top, "so many ranks are printed");
    line.check([&] {
        if (karate) o.input = std::filesystem::path(PAGERANK_DATA) / "karate.txt", o.both_ways = true;
    });
    return apps::run_program(line, argc, argv, [&] { return pagerank::run(o); });
}
