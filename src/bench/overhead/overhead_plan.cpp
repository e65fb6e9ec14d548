// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/overhead/overhead.hpp"
#include "src/bench/shared/devices.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t tiles = 32, sizes[] = {std::size_t{1} << 20, std::size_t{16} << 20};
constexpr int warm_up = 20, rounds = 200;

/// What is written to stderr meanwhile goes to a file.
class caught_messages
{
public:
    caught_messages() : file_(std::tmpfile()), before_(dup(STDERR_FILENO))
    {
        if (!file_ || before_ < 0) throw std::runtime_error("overhead, plans: cannot make a temporary file");
        std::fflush(stderr);
        dup2(fileno(file_), STDERR_FILENO);
    }
    ~caught_messages()
    {
        give_back();
        close(before_);
        std::fclose(file_);
    }
    caught_messages(const caught_messages&) = delete;
    caught_messages& operator=(const caught_messages&) = delete;

    /// The numbers that follow `words`, in order. Messages go where they went before.
    std::vector<double> numbers_after(const std::string& words)
    {
        give_back();
        std::rewind(file_);
        std::vector<double> all;
        char line[1024];
        while (std::fgets(line, sizeof line, file_)) {
            const std::string text = line;
            if (const auto at = text.find(words); at != std::string::npos)
                all.push_back(std::atof(text.c_str() + at + words.size()));
        }
        return all;
    }

private:
    void give_back() const
    {
        std::fflush(stderr);
        dup2(before_, STDERR_FILENO);
    }

    std::FILE* file_;
    int before_;
};

class set_variable
{
public:
    set_variable(const char* name, const char* value) : name_(name)
    {
        if (const char* had = std::getenv(name)) before_ = std::make_unique<std::string>(had);
        setenv(name, value, 1);
    }
    ~set_variable()
    {
        if (before_) setenv(name_, before_->c_str(), 1);
        else unsetenv(name_);
    }
    set_variable(const set_variable&) = delete;
    set_variable& operator=(const set_variable&) = delete;

private:
    const char* name_;
    std::unique_ptr<std::string> before_;
};

/// The cores and one GPU, or OpenCL on the CPU in place of one.
std::unique_ptr<sk::runtime> with_one_gpu()
{
    sk::options o;
    o.cuda_devices = 1;
    o.opencl_on_cpu = true;
    auto rt = std::make_unique<sk::runtime>(o);
    if (!has_cuda(*rt)) return rt;
    rt.reset();
    o.opencl_devices = 0;
    return std::make_unique<sk::runtime>(o);
}

/// Calls one by one, on data that went home before.
summary time_calls(sk::runtime& rt, std::size_t n)
{
    sk::vector<float> x(n, 1.0f), y(n, 2.0f);
    x.set_tiles(tiles);
    y.set_tiles(tiles);
    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    std::vector<double> seconds;
    for (int i = 0; i < warm_up + rounds; ++i) {
        static_cast<void>(sk::host(x)), static_cast<void>(sk::host(y));
        const double start = now();
        y = saxpy(0.5f, x, y);
        rt.wait();
        if (i >= warm_up) seconds.push_back(now() - start);
    }
    return summarize(std::move(seconds));
}

} // namespace

void measure_plan(report& out, const overhead_options&)
{
    const set_variable all_planned("SKELRT_EPISODES", "0"), told("SKELRT_LOG", "debug");
    std::vector<double> planned, anew; // microseconds: all, and those that no plan before held for
    std::vector<summary> calls;
    {
        caught_messages messages;
        const auto rt = with_one_gpu();
        if (rt->devices().size() != 2) {
            out.warn("no device beside the cores is in use: no figure plan_us");
            return;
        }
        out.heading(fmt::format("planning a map over {} tiles in the host's memory, for {}; {} calls", tiles,
                                devices_text(*rt), rounds));
        for (const std::size_t n : sizes) calls.push_back(time_calls(*rt, n));
        planned = messages.numbers_after("; planned in ");
        anew = messages.numbers_after(" us; planned in ");
    }
    if (planned.size() != calls.size() * (warm_up + rounds))
        throw std::runtime_error(fmt::format("overhead, plans: {} of {} calls were planned", planned.size(),
                                             calls.size() * (warm_up + rounds)));
    for (std::size_t k = 0; k < calls.size(); ++k) {
        const auto first = planned.begin() + static_cast<std::ptrdiff_t>(k * (warm_up + rounds));
        std::vector<double> seconds;
        for (auto at = first + warm_up; at != first + warm_up + rounds; ++at) seconds.push_back(*at * 1e-6);
        const summary plan = summarize(std::move(seconds));
        const std::string work = fmt::format("map, {} floats", sizes[k]);
        out.row(work, "the planner", plan);
        out.row(work, "the whole call", calls[k]);
        out.note(fmt::format("{:.2f} % of the call", 100 * plan.median / calls[k].median));
        if (k == 0) out.figure("plan_us", plan.median * 1e6);
    }
    if (!anew.empty())
        out.note(fmt::format("{} of {} plans were made anew, in {:.1f} us in the median", anew.size(), planned.size(),
                             summarize(anew).median));
    out.note("figure: of the smaller one, whose data leaves the caches to the planner");
}

} // namespace bench
