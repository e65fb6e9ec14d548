// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/streams/stream_arrays.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

struct stream_options {
    std::string device = "cpu", type = "both";
    std::size_t n = 0;
    int repeat = 15, batch = 0;
};

/// Best times in seconds by {kernel, who}.
using times = std::map<std::pair<std::string, std::string>, double>;

// ---- are the results right? -----------------------------------------------------------------------------------------

template <class T>
void check_array(stream_arrays<T>& x, rival_team& team, const std::string& who, kernel k, char array, std::size_t n,
                 double factor)
{
    const double tolerance = 16 * std::numeric_limits<T>::epsilon();
    std::atomic<std::size_t> first_wrong{n};
    x.look(array, [&](const T* data) {
        team.run([&] {
#pragma omp parallel for num_threads(team.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) {
                const double right = factor * double(pattern<T>(i));
                if (std::abs(double(data[i]) - right) <= tolerance * right) continue; // so that NaN is wrong
                std::size_t known = first_wrong;
                while (i < known && !first_wrong.compare_exchange_weak(known, i)) {}
            }
        });
    });
    if (first_wrong < n)
        throw std::runtime_error(fmt::format("{}, {}: {}[{}] is wrong", who, name_of(k), array, first_wrong));
}

/// The right sum is `factor` times that of the squares of the pattern.
template <class T>
void check_sum(stream_arrays<T>& x, const std::string& who, kernel k, std::size_t n, double factor)
{
    double period = 0, rest = 0;
    for (std::size_t i = 0; i < pattern_period; ++i) {
        const double square = double(pattern<T>(i)) * double(pattern<T>(i));
        period += square;
        if (i < n % pattern_period) rest += square;
    }
    const double right = factor * (double(n / pattern_period) * period + rest);
    // A running sum of so many floats is coarse, the plain loop's most of all.
    const double tolerance = std::is_same_v<T, float> ? 2e-2 : 1e-10, got = double(x.dot_value());
    if (!(std::abs(got - right) <= tolerance * right))
        throw std::runtime_error(fmt::format("{}, {}: {} instead of {}", who, name_of(k), got, right));
}

/// Runs every kernel once, in the order in which they feed each other, and looks at every element.
template <class T>
void check(stream_arrays<T>& x, rival_team& team, const std::string& who, std::size_t n)
{
    struct step {
        kernel k;
        char array;
        double factor;
    };
    constexpr double s = stream_scalar, chained = 2 * s + saxpy_scalar;
    x.reset();
    for (const step& t : {step{kernel::copy, 'c', 1}, step{kernel::mul, 'b', s}, step{kernel::add, 'c', 1 + s},
                          step{kernel::triad, 'a', 1}, step{kernel::dot, 0, s},
                          step{kernel::saxpy, 'b', s + saxpy_scalar}, step{kernel::chain, 0, chained * chained}}) {
        if (!x.has(t.k)) continue;
        x.launch(t.k);
        x.wait();
        if (t.array == 0) check_sum(x, who, t.k, n, t.factor);
        else check_array(x, team, who, t.k, t.array, n, t.factor);
    }
}

// ---- measuring ------------------------------------------------------------------------------------------------------

/// Somebody on the same arrays' size. Rivals run while StarPU's workers sleep, `in_team` on the pinned OpenMP threads.
template <class T>
struct entrant {
    std::string name;
    std::unique_ptr<stream_arrays<T>> arrays;
    bool rival, in_team;

    double sample(rival_team& team, kernel k, int batch) const
    {
        double t = 0;
        const auto work = [&] { t = arrays->seconds(k, batch); };
        if (!rival) {
            work();
        } else {
            const paused_starpu quiet;
            if (in_team) team.run(work);
            else work();
        }
        return t;
    }
};

template <class T>
const char* type_name()
{
    return std::is_same_v<T, float> ? "float" : "double";
}

template <class T>
void measure_kernel(report& out, const stream_options& o, rival_team& team, const std::vector<entrant<T>>& all,
                    kernel k, times& medians)
{
    std::vector<contestant> who;
    for (const auto& e : all)
        if (e.arrays->has(k)) who.push_back({e.name, [&, k] { return e.sample(team, k, o.batch); }});
    const auto results = alternate(who, 2, o.repeat);
    const std::string work = fmt::format("{} {}", name_of(k), type_name<T>());
    const double bytes = double(arrays_moved(k)) * double(o.n) * sizeof(T);
    for (std::size_t i = 0; i < who.size(); ++i) {
        out.row(work, who[i].name, results[i], bytes / results[i].best / 1e9, "GB/s");
        medians[{work, who[i].name}] = results[i].median;
    }
}

/// One call and its wait at a time: what a program sees that needs each result at once.
template <class T>
void measure_latency(report& out, const stream_options& o, const entrant<T>& e, kernel k)
{
    std::vector<double> seconds;
    for (int i = 0; i < o.repeat; ++i) seconds.push_back(e.arrays->seconds(k, 1));
    const summary s = summarize(std::move(seconds));
    out.row(fmt::format("{} {}, one by one", name_of(k), type_name<T>()), e.name, s,
            double(arrays_moved(k)) * double(o.n) * sizeof(T) / s.best / 1e9, "GB/s");
}

template <class T>
std::vector<entrant<T>> gather(const stream_options& o, rival_team& team)
{
    std::vector<entrant<T>> all;
    all.push_back({"skelrt", make_skelrt_arrays<T>(o.n, team), false, false});
    if (o.device == "cuda") {
        constexpr std::pair<const char*, cuda_way> ways[] = {
            {"cudaMemcpyAsync", cuda_way::memcpy}, {"CUDA by hand", cuda_way::hand}, {"CUB", cuda_way::cub}};
        for (const auto& [name, way] : ways)
            if (auto arrays = make_cuda_arrays<T>(way, o.n)) all.push_back({name, std::move(arrays), true, false});
    } else {
        all.push_back({"OpenMP", make_openmp_arrays<T>(o.n, team), true, true});
    }
    return all;
}

/// What the plain loops reach in a process without StarPU. For the reader: figures compare what ran in turns, for a
/// memory bus that others use changes its speed from minute to minute.
template <class T>
void measure_alone(report& out, const stream_options& o, rival_team& team, const entrant<T>& rival)
{
    for (const kernel k : all_kernels) {
        const auto results = alternate({{"", [&] { return rival.sample(team, k, o.batch); }}}, 2, o.repeat);
        const std::string work = fmt::format("{} {}", name_of(k), type_name<T>());
        const double bytes = double(arrays_moved(k)) * double(o.n) * sizeof(T);
        out.row(work, "OpenMP, no StarPU", results[0], bytes / results[0].best / 1e9, "GB/s");
    }
}

/// Returns the OpenMP entrant, if there is one, for measurements after the runtime's end.
template <class T>
std::vector<entrant<T>> measure_type(report& out, const stream_options& o, rival_team& team, times& medians)
{
    auto all = gather<T>(o, team);
    for (const auto& e : all) check(*e.arrays, team, e.name, o.n);
    out.heading(fmt::format("{}, {} elements, batches of {}, {}", type_name<T>(), o.n, o.batch,
                            o.device == "cuda" ? "data resident on the device" : "data in host memory"));
    for (const kernel k : all_kernels) measure_kernel(out, o, team, all, k, medians);
    if (o.batch > 1)
        for (const kernel k : all_kernels) measure_latency(out, o, all.front(), k);
    for (const auto& e : all) check(*e.arrays, team, e.name, o.n);
    std::vector<entrant<T>> kept;
    for (auto& e : all)
        if (e.in_team) kept.push_back(std::move(e));
    return kept;
}

// ---- figures --------------------------------------------------------------------------------------------------------

std::optional<double> ratio(const times& medians, const std::string& work, const std::string& ours,
                            const std::string& work2, const std::string& theirs)
{
    const auto a = medians.find({work, ours}), b = medians.find({work2, theirs});
    if (a == medians.end() || b == medians.end()) return {};
    return a->second / b->second;
}

void cpu_figures(report& out, const times& medians)
{
    for (const char* k : {"copy", "saxpy", "triad", "dot"}) {
        const std::string work = fmt::format("{} float", k);
        if (const auto r = ratio(medians, work, "skelrt", work, "OpenMP"))
            out.figure(fmt::format("cpu_{}_vs_openmp", k), *r);
    }
}

void cuda_figures(report& out, const times& medians)
{
    struct of_copy {
        kernel k;
        const char *type, *name;
    };
    for (const of_copy& f : {of_copy{kernel::triad, "double", "gpu_triad_f64_of_copy"},
                             of_copy{kernel::triad, "float", "gpu_triad_f32_of_copy"},
                             of_copy{kernel::dot, "double", "gpu_dot_f64_of_copy"},
                             of_copy{kernel::chain, "float", "gpu_fused_chain_of_limit"}}) {
        const auto r = ratio(medians, fmt::format("copy {}", f.type), "cudaMemcpyAsync",
                             fmt::format("{} {}", name_of(f.k), f.type), "skelrt");
        if (r) out.figure(f.name, *r * arrays_moved(f.k) / arrays_moved(kernel::copy));
    }
    for (const char* k : {"triad", "dot"}) {
        double worst = 0;
        for (const char* type : {"float", "double"}) {
            const std::string work = fmt::format("{} {}", k, type);
            worst = std::max(worst, ratio(medians, work, "skelrt", work, "CUB").value_or(0));
        }
        if (worst > 0) out.figure(fmt::format("gpu_{}_vs_cub", k), worst);
    }
}

void explain(report& out, const stream_options& o)
{
    out.note("bytes: every array that a kernel reads or writes counts once; rates are of the best time, figures of the "
             "medians");
    if (o.device == "cuda")
        out.note(
            fmt::format("skelrt: {0} asynchronous calls, one wait; rivals: {0} launches on a stream, one synchronise; "
                        "both on the host's clock. \"one by one\": every call is waited for.",
                        o.batch));
    else
        out.note(
            "rival: OpenMP loops, as many threads as CPU workers, pinned to the same cores, first touched by the same "
            "loop, on huge pages where the system gives them; StarPU's workers sleep meanwhile. Contestants "
            "alternate.");
}

int stream(report& out, stream_options o)
{
    if (o.n == 0) o.n = std::size_t(o.device == "cuda" ? 256 : 64) << 20;
    if (o.batch == 0) o.batch = o.device == "cuda" ? 20 : 1;
    auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    explain(out, o);
    rival_team team;
    times medians;
    std::vector<entrant<float>> floats;
    std::vector<entrant<double>> doubles;
    {
        std::optional<skelrt::only> resident;
        if (o.device == "cuda") resident.emplace(skelrt::device::cuda);
        if (o.type != "double") floats = measure_type<float>(out, o, team, medians);
        if (o.type != "float") doubles = measure_type<double>(out, o, team, medians);
    }
    rt.reset();
    if (!floats.empty() || !doubles.empty()) out.heading("the plain loops once more, with no StarPU in the process");
    for (const auto& e : floats) measure_alone(out, o, team, e);
    for (const auto& e : doubles) measure_alone(out, o, team, e);
    if (o.device == "cpu") cpu_figures(out, medians);
    if (o.device == "cuda") cuda_figures(out, medians);
    return 0;
}

} // namespace

runner declare_stream(apps::option_list& line)
{
    auto o = std::make_shared<stream_options>();
    line.one_of("--device", o->device, {"cpu", "cuda", "hybrid"},
                "cpu: against OpenMP; cuda: resident, against CUDA and CUB; hybrid: no figures");
    line.one_of("--type", o->type, {"float", "double", "both"});
    line.without_default("--n", o->n, "elements; default 64 Mi, on cuda 256 Mi");
    line.positive("--repeat", o->repeat, "rounds");
    line.positive("--batch", o->batch, "calls per wait; default 1, on cuda 20");
    return [o](report& out) { return stream(out, *o); };
}

} // namespace bench
