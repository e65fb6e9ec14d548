// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/overhead/overhead.hpp"
#include "src/bench/shared/processes.hpp"

#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench
{
namespace
{

constexpr const char* program = R"(#include <skelrt/skelrt.hpp>

int main()
{
    skelrt::runtime rt;
    skelrt::vector<float> x(1000, 1.0f), y(1000, 2.0f);
    auto saxpy = skelrt::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    y = saxpy(2.0f, x, y);
    return skelrt::host(y)[0] == 4.0f ? 0 : 1;
}
)";

/// What every program of this kind includes anyway.
constexpr const char* baseline = R"(#include <string>
#include <vector>

int main() { return static_cast<int>(std::vector<std::string>(1).size()) - 1; }
)";

struct cost {
    double cpu, wall, megabytes;
};

/// Runs a command; the memory is that of its largest process.
cost run_here(const std::string& command)
{
    const double start = now();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a process");
    if (child == 0) {
        setenv("CCACHE_DISABLE", "1", 1); // a cached object would measure the cache
        execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    const double wall = now() - start;
    if (status != 0) throw std::runtime_error("failed: " + command);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    return {seconds(used.ru_utime) + seconds(used.ru_stime), wall, double(used.ru_maxrss) * 1024 / 1e6};
}

/// The same in a fresh process of this program: the system counts what a parent holds (StarPU, CUDA) as its child's.
cost run(const std::string& command)
{
    setenv("SKELRT_BENCH_COMMAND", command.c_str(), 1);
    FILE* answer = popen(fmt::format("'{}' cost", own_program()).c_str(), "r");
    unsetenv("SKELRT_BENCH_COMMAND");
    cost c{};
    const bool read = answer && std::fscanf(answer, "%lf %lf %lf", &c.cpu, &c.wall, &c.megabytes) == 3;
    if (answer) pclose(answer);
    if (!read) throw std::runtime_error("failed: " + command);
    return c;
}

std::string include_flag(const overhead_options& o)
{
    const std::string folder = o.include.empty() ? SKELRT_BENCH_INCLUDE : o.include;
    if (std::filesystem::exists(folder + "/skelrt/skelrt.hpp")) return fmt::format("-I'{}'", folder);
    if (!o.include.empty()) throw std::runtime_error("no skelrt/skelrt.hpp in " + folder);
    return "$(pkg-config --cflags skelrt)";
}

struct measured {
    summary cpu, wall;
    double megabytes;
};

measured compile(const temporary_folder& folder, const std::string& flags, const char* text, int rounds)
{
    const std::string source = (folder.path() / "program.cpp").string();
    std::ofstream(source) << text;
    const std::string command = fmt::format("{} '{}' -o '{}.o'", flags, source, source);
    run(command); // brings compiler and headers into memory
    std::vector<double> cpu, wall;
    double megabytes = 0;
    for (int i = 0; i < rounds; ++i) {
        const cost c = run(command);
        cpu.push_back(c.cpu);
        wall.push_back(c.wall);
        megabytes = std::max(megabytes, c.megabytes);
    }
    return {summarize(std::move(cpu)), summarize(std::move(wall)), megabytes};
}

} // namespace

void measure_compile(report& out, const overhead_options& o)
{
    const char* from_environment = std::getenv("CXX");
    const std::string compiler = !o.compiler.empty() ? o.compiler : from_environment ? from_environment : "g++";
    const std::string flags = fmt::format("{} -std=c++20 -O2 -fopenmp-simd {} -c", compiler, include_flag(o));
    const temporary_folder folder;
    out.heading("compiling one translation unit: " + compiler + " -std=c++20 -O2; rate: peak memory");
    const measured plain = compile(folder, flags, baseline, 5), map = compile(folder, flags, program, 5);
    out.row("<vector>, <string>", "CPU time", plain.cpu, plain.megabytes, "MB");
    out.row("one skelrt::map", "CPU time", map.cpu, map.megabytes, "MB");
    out.row("one skelrt::map", "clock on the wall", map.wall);
    out.note("figure: best CPU time; one compiler is one thread, and what else the machine does is not its fault");
    out.figure("compile_map_s", map.cpu.best);
    out.figure("compile_map_mb", map.megabytes);
}

runner declare_cost(apps::option_list& line)
{
    line.hide(); // not for people: see run()
    return [](report&) {
        const char* command = std::getenv("SKELRT_BENCH_COMMAND");
        if (!command) throw std::runtime_error("cost: nothing to run");
        const cost c = run_here(command);
        fmt::print("{} {} {}\n", c.cpu, c.wall, c.megabytes);
        return 0;
    };
}

} // namespace bench
