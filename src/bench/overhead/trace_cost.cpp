// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::string device = "cpu"; ///< cpu, cuda or hybrid
    int repeat = 9;             ///< pairs of runtimes
};

/// Who looks at a program, by the variable that says so; the first one nobody.
struct onlooker {
    const char *name, *variable;
    std::string value;
};

/// A piece of work, often enough for a millisecond or some.
struct work {
    const char* name;
    int times; ///< that a sample does it
    std::function<void()> once;
};

constexpr std::size_t short_length = 1000, long_length = 100'000, parts = 64;

/// Calls that their thread does itself, tasks, and a solver's steps.
class works
{
public:
    explicit works(const std::string& device)
    {
        if (device != "cuda") { // as a program has small calls
            all_.push_back({"map of 1000", 5000, [this] {
                                y_ = saxpy_(a_, x_, y_);
                                a_ = -a_; // y stays where it is
                            }});
            all_.push_back({"dot product of 1000", 5000, [this] { sum_of_dots_ += sum_(multiply_(x_, y_)); }});
        }
        all_.push_back({"64 tasks of 4096", 4, [this] { run_tasks(); }});
        all_.push_back({"step of conjugate gradients", 20, [this] { step(); }});
    }

    /// The least time of each, in seconds.
    std::vector<double> times(sk::runtime& rt)
    {
        constexpr int samples = 12;
        std::vector<double> all;
        for (const work& w : all_) {
            double least = 1e9;
            for (int i = 0; i < samples; ++i) {
                const double begin = now();
                for (int k = 0; k < w.times; ++k) w.once();
                rt.wait();
                least = std::min(least, (now() - begin) / w.times);
            }
            all.push_back(least);
        }
        return all;
    }
    const std::vector<work>& all() const { return all_; }

private:
    void run_tasks()
    {
        const std::size_t length = tasks_of_.size() / parts;
        for (std::size_t k = 0; k < parts; ++k)
            sk::task(
                [](std::span<float> part) {
                    for (float& v : part) v = v * 0.5f + 1;
                },
                sk::inout(tasks_of_.range(k * length, length)));
    }

    void step()
    {
        q_ = matrix_(d_);
        const sk::scalar<float> alpha = rr_ / sum_(d_ * q_);
        r_ -= alpha * q_;
        d_ = r_ + 0.5f * d_;
        rr_ = sum_(r_ * r_) + 1.0f;
    }

    std::vector<work> all_;
    float a_ = 0.5f, sum_of_dots_ = 0;
    sk::vector<float> x_ = sk::vector<float>(short_length, 1.0f), y_ = sk::vector<float>(short_length, 2.0f);
    sk::vector<float> tasks_of_ = sk::vector<float>(parts * 4096, 1.0f);
    sk::vector<float> d_ = sk::vector<float>(long_length, 1.0f), r_ = sk::vector<float>(long_length, 1.0f), q_;
    sk::scalar<float> rr_ = sk::scalar<float>(1.0f);
    decltype(sk::map(sk::multiplies)) multiply_ = sk::map(sk::multiplies);
    decltype(sk::reduce(sk::plus, 0.0f)) sum_ = sk::reduce(sk::plus, 0.0f);
    static constexpr auto saxpy_text = SKELRT_FN((float a, float x, float y) { return a * x + y; });
    static constexpr auto matrix_text = SKELRT_FN((sk::hood1<float> x) { return 3 * x(0) - x(-1) - x(1); });
    decltype(sk::map(saxpy_text)) saxpy_ = sk::map(saxpy_text);
    decltype(sk::stencil(matrix_text, sk::border::constant(0.0f))) matrix_ =
        sk::stencil(matrix_text, sk::border::constant(0.0f));
};

/// In a runtime of its own, while one looks.
std::vector<double> times_under(const onlooker& who, const std::string& device)
{
    if (who.variable) setenv(who.variable, who.value.c_str(), 1);
    std::vector<double> all;
    {
        const auto rt = start_runtime(device);
        works w(device);
        all = w.times(*rt);
    }
    if (who.variable) unsetenv(who.variable);
    return all;
}

double median(std::vector<double> v)
{
    std::ranges::nth_element(v, v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2));
    return v[v.size() / 2];
}

void run(report& out, const options& o)
{
    const std::string file = (std::filesystem::temp_directory_path() / fmt::format("trace-{}.json", getpid())).string();
    setenv("SKELRT_PROGRESS", "0", 1);
    const std::vector<onlooker> all{
        {"nobody", nullptr, ""}, {"SKELRT_TRACE", "SKELRT_TRACE", file}, {"SKELRT_PROGRESS", "SKELRT_PROGRESS", "1"}};
    std::vector<std::vector<std::vector<double>>> times(all.size()); // by onlooker, round, work
    for (int round = 0; round < o.repeat; ++round)
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::size_t who = round % 2 == 0 ? k : all.size() - 1 - k;
            times[who].push_back(times_under(all[who], o.device));
            setenv("SKELRT_PROGRESS", "0", 1);
        }
    std::filesystem::remove(file);

    std::vector<const char*> names;
    {
        const auto rt = start_runtime(o.device);
        const works all_of_them(o.device);
        for (const work& w : all_of_them.all()) names.push_back(w.name);
    }
    for (std::size_t who = 0; who < all.size(); ++who) {
        double worst = 0;
        for (std::size_t k = 0; k < names.size(); ++k) {
            std::vector<double> seconds, ratios;
            for (std::size_t round = 0; round < times[who].size(); ++round) {
                seconds.push_back(times[who][round][k]);
                ratios.push_back(times[who][round][k] / times[0][round][k]);
            }
            out.row(names[k], all[who].name, summarize(seconds), median(ratios), "of nobody's");
            worst = std::max(worst, median(ratios));
        }
        if (who == 1) out.figure("trace_cost", worst);
        if (who == 2) out.figure("progress_cost", worst);
    }
}

} // namespace

runner declare_trace(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.one_of("--device", o->device, {"cpu", "cuda", "hybrid"}, "cpu, cuda or hybrid");
    line.positive("--repeat", o->repeat, "runtimes of each kind, in turn");
    return [o](report& out) {
        run(out, *o);
        return 0;
    };
}

} // namespace bench
