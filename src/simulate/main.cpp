// SPDX-License-Identifier: BSD-3-Clause
/// skelrt-simulate [GRAPH...]: simulated times of task graphs, all or those named, one a line: name and microseconds.
/// skelrt-simulate --halved N [GRAPH...]: the same where each side of a matrix is halved N times.
/// skelrt-simulate --list: the names. The environment names the machine and the policy; tools/simulate.sh sets it.
/// Includes starpu.h, which makes main a simulated thread.

#include "graphs.hpp"

#include <skelrt/skelrt.hpp>

#include <starpu.h>

#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

using simulate::graph;
using simulate::scale;

std::vector<graph> all_graphs()
{
    std::vector<graph> all(simulate::loops().begin(), simulate::loops().end());
    all.insert(all.end(), simulate::applications().begin(), simulate::applications().end());
    return all;
}

std::vector<graph> chosen(std::span<char*> names)
{
    if (names.empty()) return all_graphs();
    std::vector<graph> result;
    for (const char* name : names) {
        std::string known;
        const std::size_t before = result.size();
        for (const graph& g : all_graphs()) {
            known += ' ' + g.name;
            if (g.name == name) result.push_back(g);
        }
        if (result.size() == before)
            throw std::invalid_argument("no graph is called " + std::string(name) + "; there are" + known);
    }
    return result;
}

/// Takes `--halved N` off the arguments.
scale scale_of(std::span<char*>& arguments)
{
    if (arguments.empty() || arguments[0] != std::string("--halved")) return {};
    const std::string times = arguments.size() > 1 ? arguments[1] : "";
    if (times.size() != 1 || times[0] < '0' || times[0] > '5')
        throw std::invalid_argument("--halved " + times + ": how many times each side is halved is 0 to 5");
    arguments = arguments.subspan(2);
    return {static_cast<unsigned>(times[0] - '0')};
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc == 2 && argv[1] == std::string("--list")) {
            for (const graph& g : all_graphs()) std::printf("%s\n", g.name.c_str());
            return 0;
        }
        std::span<char*> arguments(argv + 1, static_cast<std::size_t>(argc - 1));
        const scale size = scale_of(arguments);
        const std::vector<graph> graphs = chosen(arguments);
        const skelrt::runtime rt;
        std::printf("machine: %u cores, %u GPUs\n", starpu_cpu_worker_get_count(), starpu_cuda_worker_get_count());
        for (const graph& g : graphs) g.play(g.name, size);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "skelrt-simulate: %s\n", e.what());
        return 1;
    }
}
