// SPDX-License-Identifier: BSD-3-Clause
#include "edge_list.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <fmt/format.h>

namespace pagerank
{
namespace
{

struct problem {
    std::size_t vertices;
    edges all;
};

problem problem_of(const options& o)
{
    if (o.input.empty()) {
        const std::size_t vertices = std::size_t{1} << o.scale;
        return {vertices, random_edges(o.scale, vertices * o.degree)};
    }
    const edge_list list = read_edges(o.input, o.both_ways);
    return {list.vertices, edges(list.edges.begin(), list.edges.end())};
}

void print_highest(const skelrt::vector<float>& ranks, std::size_t count)
{
    fmt::print("    vertex      rank\n");
    for (const ranked& r : highest(ranks, count)) fmt::print("{:>10} {:>9.3g}\n", r.vertex + 1, r.rank);
    fmt::print("\n");
}

apps::problem_rows rows_of(const problem& p, const options& o)
{
    const double followed = static_cast<double>(p.all.size()) * static_cast<double>(o.iterations);
    return {{{"vertices", std::to_string(p.vertices)},
             {"edges", std::to_string(p.all.size())},
             {"iterations", std::to_string(o.iterations)}},
            {},
            {{"Medges/s", followed * 1e-6, "edges_per_s", 1e6}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const problem p = problem_of(o);
    apps::outcome all{"pagerank", rows_of(p, o), {"ranks in double precision", "", "the highest"}};
    std::optional<reference> right;
    if (o.check) right.emplace(p.vertices, p.all, o), all.reference_seconds = right->seconds();
    fmt::print("{} vertices, {} edges, {} iterations\n\n", p.vertices, p.all.size(), o.iterations);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        const graph g(p.vertices, p.all);
        skelrt::vector<float> ranks;
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            ranks = g.ranks(o.iterations, o.damping);
            skelrt::wait(ranks);
        }));
        if (o.check) row.check = right->compare(ranks);
        if (device == devices.back()) print_highest(ranks, o.top);
    }
    return apps::report(o, all);
}

} // namespace
} // namespace pagerank

int main(int argc, char** argv)
{
    return apps::run_program("pagerank", [&] {
        const auto options = pagerank::read_options(argc, argv);
        return options ? pagerank::run(*options) : apps::all_well;
    });
}
