#include "overhead.hpp"

#include <fmt/core.h>

#include <algorithm>
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
    double seconds, megabytes;
};

/// Runs a command through the shell; the memory is that of its largest process.
cost run(const std::string& command)
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
    const double seconds = now() - start;
    if (status != 0) throw std::runtime_error("failed: " + command);
    return {seconds, double(used.ru_maxrss) * 1024 / 1e6};
}

/// A folder that goes when this does.
class temporary_folder
{
public:
    temporary_folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "skelrt-bench-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
        path_ = name;
    }
    ~temporary_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string include_flag(const overhead_options& o)
{
    const std::string folder = o.include.empty() ? SKELRT_BENCH_INCLUDE : o.include;
    if (std::filesystem::exists(folder + "/skelrt/skelrt.hpp")) return fmt::format("-I'{}'", folder);
    if (!o.include.empty()) throw std::runtime_error("no skelrt/skelrt.hpp in " + folder);
    return "$(pkg-config --cflags skelrt)";
}

struct measured {
    summary time;
    double megabytes;
};

measured compile(const temporary_folder& folder, const std::string& flags, const char* text, int rounds)
{
    const std::string source = (folder.path() / "program.cpp").string();
    std::ofstream(source) << text;
    const std::string command = fmt::format("{} '{}' -o '{}.o'", flags, source, source);
    run(command); // brings compiler and headers into memory
    std::vector<double> seconds;
    double megabytes = 0;
    for (int i = 0; i < rounds; ++i) {
        const cost c = run(command);
        seconds.push_back(c.seconds);
        megabytes = std::max(megabytes, c.megabytes);
    }
    return {summarize(std::move(seconds)), megabytes};
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
    out.row("<vector>, <string>", compiler, plain.time, plain.megabytes, "MB");
    out.row("one skelrt::map", compiler, map.time, map.megabytes, "MB");
    out.figure("compile_map_s", map.time.best);
    out.figure("compile_map_mb", map.megabytes);
}

} // namespace bench
