// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/irregular/rivals.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"

#include <fmt/core.h>
#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct work {
    irregular what;
    const char* name;
    double bytes; ///< of an element, read and written at least
};

/// Of a sparse row's 16 entries each has a value and a column.
constexpr work works[] = {
    {irregular::product, "spmv", 16 * 12 + 4 + 2 * 8},
    {irregular::scatter, "scatter", 4 + 4 + 2 * 4},
    {irregular::updates, "updates", 2 * 8},
    {irregular::sums, "accumulators", 4},
};

template <class T>
std::vector<double> doubles_of(const sk::vector<T>& v)
{
    const auto here = sk::host_read(v);
    return {here.begin(), here.end()};
}

sk::csr<double> matrix_of(std::size_t n)
{
    const sparse_rows rows(n);
    std::vector<sk::triplet<double>> entries;
    entries.reserve(rows.column.size());
    for (std::size_t row = 0; row < n; ++row)
        for (std::uint32_t k = rows.begin[row]; k < rows.begin[row + 1]; ++k)
            entries.push_back({row, rows.column[k], rows.value[k]});
    return {n, n, entries};
}

class own_product : public irregular_entrant
{
public:
    explicit own_product(std::size_t n) : a_(matrix_of(n)), x_(n), y_(n)
    {
        const auto x = sk::host_write(x_);
        for (std::size_t i = 0; i < n; ++i) x.data()[i] = vector_value(i);
    }
    void begin_anew() override {}
    void launch() override { y_ = a_ * x_; }
    void wait() override { sk::wait(y_); }
    std::vector<double> result() override { return doubles_of(y_); }

private:
    sk::csr<double> a_;
    sk::vector<double> x_, y_;
};

class own_scatter : public irregular_entrant
{
public:
    explicit own_scatter(std::size_t n) : x_(n), y_(n, 0.0f), place_(n)
    {
        const auto x = sk::host_write(x_);
        const auto place = sk::host_write(place_);
        for (std::size_t i = 0; i < n; ++i) x.data()[i] = small_value(i), place.data()[i] = place_of(i, n);
    }
    void begin_anew() override { y_ = sk::vector<float>(x_.size(), 0.0f); }
    void launch() override { add_(x_, place_, y_); }
    void wait() override { sk::wait(y_); }
    std::vector<double> result() override { return doubles_of(y_); }

private:
    static inline const auto add_ =
        sk::for_each(SKELRT_FN((float v, unsigned to, sk::accumulator<float> y) { y.add(to, v); }));
    sk::vector<float> x_, y_;
    sk::vector<unsigned> place_;
};

class own_updates : public irregular_entrant
{
public:
    explicit own_updates(std::size_t n) : table_(n, 0ul) {}
    void begin_anew() override { table_ = sk::vector<unsigned long>(table_.size(), 0ul); }
    void launch() override { update_(sk::shape(table_.size()), static_cast<unsigned long>(table_.size()), table_); }
    void wait() override { sk::wait(table_); }
    std::vector<double> result() override { return doubles_of(table_); }

private:
    static inline const auto update_ =
        sk::for_each(SKELRT_FN((sk::index1 at, unsigned long n, sk::atomic_vec<unsigned long> table) {
            unsigned long z = (at.i + 1) * 0x9e3779b97f4a7c15ul; // as mixed()
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
            z = z ^ (z >> 31);
            table.add(z % n, (unsigned long)at.i);
        }));
    sk::vector<unsigned long> table_;
};

class own_sums : public irregular_entrant
{
public:
    explicit own_sums(std::size_t n) : x_(n)
    {
        const auto x = sk::host_write(x_);
        for (std::size_t i = 0; i < n; ++i) x.data()[i] = loose_value(i);
    }
    void begin_anew() override
    {
        counts_ = sk::vector<unsigned>(bins, 0u);
        sum_ = sk::vector<double>(1, 0.0);
        most_ = sk::vector<float>(1, 0.0f);
    }
    void launch() override { collect_(x_, static_cast<float>(bins), counts_, sum_, most_); }
    void wait() override { sk::wait(counts_); }
    std::vector<double> result() override
    {
        std::vector<double> all = doubles_of(counts_);
        all.push_back(sk::host_read(sum_)[0]);
        all.push_back(static_cast<double>(sk::host_read(most_)[0]));
        return all;
    }

private:
    static inline const auto collect_ =
        sk::for_each(SKELRT_FN((float v, float bins, sk::accumulator<unsigned> counts, sk::accumulator<double> sum,
                                sk::max_accumulator<float> most) {
            counts.add((size_t)(v * bins), 1u);
            sum.add(0, (double)v);
            most.max(0, v);
        }));
    sk::vector<float> x_;
    sk::vector<unsigned> counts_ = sk::vector<unsigned>(bins, 0u);
    sk::vector<double> sum_ = sk::vector<double>(1, 0.0);
    sk::vector<float> most_ = sk::vector<float>(1, 0.0f);
};

std::unique_ptr<irregular_entrant> make_own(irregular what, std::size_t n)
{
    switch (what) {
    case irregular::product:
        return std::make_unique<own_product>(n);
    case irregular::scatter:
        return std::make_unique<own_scatter>(n);
    case irregular::updates:
        return std::make_unique<own_updates>(n);
    case irregular::sums:
        break;
    }
    return std::make_unique<own_sums>(n);
}

std::vector<double> expected(irregular what, std::size_t n)
{
    std::vector<double> all(n, 0.0);
    switch (what) {
    case irregular::product: {
        const sparse_rows a(n);
        for (std::size_t row = 0; row < n; ++row)
            for (std::uint32_t k = a.begin[row]; k < a.begin[row + 1]; ++k)
                all[row] += a.value[k] * vector_value(a.column[k]);
        return all;
    }
    case irregular::scatter:
        for (std::size_t i = 0; i < n; ++i) all[place_of(i, n)] += static_cast<double>(small_value(i));
        return all;
    case irregular::updates:
        for (std::size_t i = 0; i < n; ++i) all[place_of(i, n)] += static_cast<double>(i);
        return all;
    case irregular::sums:
        break;
    }
    collected c;
    for (std::size_t i = 0; i < n; ++i) {
        const float v = loose_value(i);
        ++c.counts[static_cast<std::size_t>(v * float(bins))];
        c.sum += static_cast<double>(v); // multiples of 2^-24: exact
        c.most = std::max(c.most, v);
    }
    return numbers_of(c);
}

using contestant_of = entrant<irregular_entrant>;

void check(const contestant_of& e, const std::vector<double>& wanted)
{
    e.work->begin_anew();
    e.work->launch();
    e.work->wait();
    const std::vector<double> found = e.work->result();
    const auto [at, is] = std::ranges::mismatch(wanted, found);
    if (at != wanted.end() || is != found.end())
        throw std::runtime_error(
            fmt::format("irregular, {}: number {} of {} is wrong", e.name, at - wanted.begin(), wanted.size()));
}

void run_work(report& out, const work& w, const race_options& o, rival_team& team)
{
    const std::vector<double> wanted = expected(w.what, o.n);
    std::vector<contestant_of> all;
    all.push_back({"skelrt", make_own(w.what, o.n)});
    const bool library = w.what == irregular::product;
    if (!o.on_gpu()) all.push_back({"OpenMP", make_openmp_irregular(w.what, o.n, team), runs_as::team});
    else if (auto rival = make_cuda_irregular(w.what, o.n))
        all.push_back({library ? "cuSPARSE" : "by hand", std::move(rival), runs_as::rival});
    for (const contestant_of& e : all) check(e, wanted);
    out.heading(fmt::format("{}, {}", w.name, o.n));
    const auto times = race(out, w.name, all, team, o, double(o.n) * w.bytes);
    for (const contestant_of& e : all) check(e, wanted);
    if (all.size() < 2) return;
    const double ratio = times[0].median / times[1].median;
    if (!o.on_gpu()) out.figure(fmt::format("cpu_{}_vs_openmp", w.name), ratio);
    else if (library) out.figure("gpu_spmv_vs_cusparse", 1 / ratio);
    else out.figure(fmt::format("gpu_{}_vs_hand", w.name), ratio);
}

struct irregular_options : race_options {
    std::string only;
};

int irregular_works(report& out, irregular_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("spmv: rows of 1 to 31 entries, half of them near the diagonal; scatter, updates: additions to as many "
             "places without an order; accumulators: 1000 bins, a sum and a maximum in one call; bytes: what must be "
             "moved at least; rates are of the best time, figures of the medians; contestants alternate");
    rival_team team;
    const sk::only kind(o.kind());
    for (const work& w : works)
        if (o.only.empty() || o.only == w.name) run_work(out, w, o, team);
    return 0;
}

} // namespace

runner declare_irregular(apps::option_list& line)
{
    auto o = std::make_shared<irregular_options>(
        irregular_options{{std::size_t{1} << 20, std::size_t{4} << 20, 11, 10}, {}});
    declare_race(line, *o, "cpu: against OpenMP loops; cuda: resident, against cuSPARSE and CUDA by hand",
                 "rows, or elements");
    line.without_default("--only", o->only, "spmv, scatter, updates or accumulators");
    return [o](report& out) { return irregular_works(out, *o); };
}

} // namespace bench
