// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/algorithms/rivals.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"

#include <fmt/core.h>
#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct work {
    algorithm what;
    const char* name;
    double bytes_read, bytes_written; ///< for each element
};

/// Bytes that must be moved: operands once, and results of as many elements as there are, or of none where few are.
constexpr work works[] = {
    {algorithm::reduce_by_key, "reduce_by_key", 8, 0.5},
    {algorithm::scan_by_key, "scan_by_key", 8, 4},
    {algorithm::unique, "unique", 4, 0.25},
    {algorithm::partition, "partition", 4, 4},
    {algorithm::merge, "merge", 4, 4},
    {algorithm::top_k, "top_k", 4, 0},
};

bool of_ints(algorithm what) { return what == algorithm::unique || what == algorithm::merge; }

std::vector<int> make_keys(std::size_t n)
{
    std::vector<int> keys(n);
    int key = 0;
    for (std::size_t i = 0; i < n; ++i) keys[i] = key += run_begins(i) ? 1 : 0;
    return keys;
}

template <class T>
sk::vector<T> vector_of(const std::vector<T>& v)
{
    return sk::vector<T>(v.begin(), v.end());
}

/// `Run` makes a container of the operands.
template <class T, class Run>
class skelrt_algorithm : public algorithm_entrant
{
public:
    explicit skelrt_algorithm(Run run) : run_(std::move(run)) {}
    void launch() override { run_(y_); }
    void wait() override { sk::wait(y_); }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        const auto y = sk::host_read(y_);
        see(y.data(), y.size());
    }

private:
    Run run_;
    sk::vector<T> y_;
};

template <class T, class Run>
std::unique_ptr<algorithm_entrant> entrant_of(Run run)
{
    return std::make_unique<skelrt_algorithm<T, Run>>(std::move(run));
}

std::unique_ptr<algorithm_entrant> make_own(algorithm what, std::size_t n)
{
    using floats = sk::vector<float>;
    using ints = sk::vector<int>;
    switch (what) {
    case algorithm::reduce_by_key:
        return entrant_of<float>([k = vector_of(make_keys(n)), x = vector_of(made<float>(n, small_value))](floats& y) {
            y = sk::reduce_by_key(k, x, sk::plus).values;
        });
    case algorithm::scan_by_key:
        return entrant_of<float>([k = vector_of(make_keys(n)), x = vector_of(made<float>(n, small_value))](floats& y) {
            y = sk::scan_by_key(k, x, sk::plus);
        });
    case algorithm::unique:
        return entrant_of<int>([k = vector_of(make_keys(n))](ints& y) { y = sk::unique(k); });
    case algorithm::partition:
        return entrant_of<float>([x = vector_of(made<float>(n, loose_value))](floats& y) {
            y = sk::partition(x, SKELRT_FN((float v) { return v < 0.5f; })).elements;
        });
    case algorithm::merge:
        return entrant_of<int>([a = vector_of(made<int>(n / 2, [](std::size_t i) { return ascending_value(i, 0); })),
                                b = vector_of(made<int>(n - n / 2, [](std::size_t i) {
                                    return ascending_value(i, 99);
                                }))](ints& y) { y = sk::merge(a, b); });
    case algorithm::top_k:
        break;
    }
    return entrant_of<float>(
        [x = vector_of(made<float>(n, loose_value))](floats& y) { y = sk::top_k(x, how_many_of_the_top); });
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Sums of runs, so far or in all.
std::vector<float> sums(std::size_t n, bool running)
{
    std::vector<float> all;
    for (std::size_t i = 0; i < n; ++i) {
        if (run_begins(i)) all.push_back(small_value(i));
        else if (running) all.push_back(all.back() + small_value(i));
        else all.back() += small_value(i);
    }
    return all;
}

/// The bytes of the result.
std::vector<std::byte> expected(algorithm what, std::size_t n)
{
    switch (what) {
    case algorithm::reduce_by_key:
    case algorithm::scan_by_key:
        return bytes_of(sums(n, what == algorithm::scan_by_key));
    case algorithm::unique: {
        auto keys = make_keys(n);
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        return bytes_of(keys);
    }
    case algorithm::partition: {
        auto x = made<float>(n, loose_value);
        std::stable_partition(x.begin(), x.end(), goes_in_front);
        return bytes_of(x);
    }
    case algorithm::merge: {
        const auto a = made<int>(n / 2, [](std::size_t i) { return ascending_value(i, 0); });
        const auto b = made<int>(n - n / 2, [](std::size_t i) { return ascending_value(i, 99); });
        std::vector<int> y(n);
        std::merge(a.begin(), a.end(), b.begin(), b.end(), y.begin());
        return bytes_of(y);
    }
    case algorithm::top_k:
        break;
    }
    auto x = made<float>(n, loose_value);
    const auto k = static_cast<std::ptrdiff_t>(how_many_of_the_top);
    std::partial_sort(x.begin(), x.begin() + k, x.end(), std::greater<>());
    x.resize(how_many_of_the_top);
    return bytes_of(x);
}

using contestant_of = entrant<algorithm_entrant>;

void check(const contestant_of& e, const std::vector<std::byte>& wanted)
{
    e.work->launch();
    e.work->wait();
    e.work->look([&](const void* data, std::size_t n) {
        if (n * 4 != wanted.size() || std::memcmp(data, wanted.data(), wanted.size()) != 0)
            throw std::runtime_error(
                fmt::format("{}: wrong result ({} values, {} expected)", e.name, n, wanted.size() / 4));
    });
}

void run_work(report& out, const work& w, const race_options& o, rival_team& team)
{
    const auto wanted = expected(w.what, o.n);
    std::vector<contestant_of> all;
    all.push_back({"skelrt", make_own(w.what, o.n)});
    if (o.on_gpu()) {
        if (auto cub = make_cuda_algorithm(w.what, o.n)) all.push_back({"CUB", std::move(cub), runs_as::rival});
    } else {
        all.push_back({"OpenMP", make_openmp_algorithm(w.what, o.n, team), runs_as::team});
    }
    for (const contestant_of& e : all) check(e, wanted);
    out.heading(
        fmt::format("{} of {} {}: {} results", w.name, o.n, of_ints(w.what) ? "ints" : "floats", wanted.size() / 4));
    const auto times = race(out, w.name, all, team, o, double(o.n) * (w.bytes_read + w.bytes_written));
    for (const contestant_of& e : all) check(e, wanted);
    if (all.size() < 2) return;
    const char* const kind = o.on_gpu() ? "gpu" : "cpu";
    const char* const rival = o.on_gpu() ? "cub" : "openmp";
    out.figure(fmt::format("{}_{}_vs_{}", kind, w.name, rival), times[1].median / times[0].median);
}

struct algorithm_options : race_options {
    std::string only;
};

int algorithms(report& out, algorithm_options o)
{
    complete_race(o);
    if (o.n < how_many_of_the_top)
        throw std::runtime_error(fmt::format("algorithms: {} elements; at least {}", o.n, how_many_of_the_top));
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("runs of keys have 16 elements on average; bytes: operands read once and results written once, whatever "
             "is done; rates are of the best time, figures (rate over the rival's) of the medians; top_k: the rival "
             "of CUB's is a radix sort; contestants alternate");
    rival_team team;
    const sk::only kind(o.kind());
    for (const work& w : works)
        if (o.only.empty() || o.only == w.name) run_work(out, w, o, team);
    return 0;
}

} // namespace

runner declare_algorithms(apps::option_list& line)
{
    auto o = std::make_shared<algorithm_options>(
        algorithm_options{{std::size_t{16} << 20, std::size_t{128} << 20, 11, 10}, {}});
    declare_race(line, *o, "cpu: against OpenMP loops; cuda: resident, against CUB", "elements");
    line.without_default("--only", o->only, "one of the algorithms");
    return [o](report& out) { return algorithms(out, *o); };
}

} // namespace bench
