// SPDX-License-Identifier: BSD-3-Clause
/// skelrt-simulate [GRAPH...]: simulated times of task graphs, all or those named, one a line: name and microseconds.
/// skelrt-simulate --list: the names. The environment names the machine and the policy; tools/simulate.sh sets it.
/// Includes starpu.h, which makes main a simulated thread.

#include "graphs.hpp"

#include <skelrt/skelrt.hpp>

#include <starpu.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

using simulate::graph;

std::vector<graph> all_graphs()
{
    std::vector<graph> all(simulate::loops().begin(), simulate::loops().end());
    all.insert(all.end(), simulate::applications().begin(), simulate::applications().end());
    return all;
}

std::vector<graph> chosen(int count, char** names)
{
    if (count == 0) return all_graphs();
    std::vector<graph> result;
    for (int i = 0; i < count; ++i) {
        std::string known;
        const std::size_t before = result.size();
        for (const graph& g : all_graphs()) {
            known += ' ' + g.name;
            if (g.name == names[i]) result.push_back(g);
        }
        if (result.size() == before)
            throw std::invalid_argument("no graph is called " + std::string(names[i]) + "; there are" + known);
    }
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc == 2 && argv[1] == std::string("--list")) {
            for (const graph& g : all_graphs()) std::printf("%s\n", g.name.c_str());
            return 0;
        }
        const std::vector<graph> graphs = chosen(argc - 1, argv + 1);
        const skelrt::runtime rt;
        std::printf("machine: %u cores, %u GPUs\n", starpu_cpu_worker_get_count(), starpu_cuda_worker_get_count());
        for (const graph& g : graphs) g.play(g.name);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "skelrt-simulate: %s\n", e.what());
        return 1;
    }
}
