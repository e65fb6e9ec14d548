// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/algorithms/rivals.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <omp.h>

namespace bench
{
namespace
{

/// A contiguous part for each thread.
class openmp_entrant : public algorithm_entrant
{
public:
    openmp_entrant(std::size_t n, rival_team& team)
        : team_(team), n_(n), counts_(static_cast<std::size_t>(team.threads()) + 1)
    {
    }
    void launch() override
    {
        team_.run([this] { work(); });
    }
    void wait() override {}

protected:
    virtual void work() = 0;

    struct part {
        std::size_t thread, begin, end;
    };
    /// body(part) on all threads of a region; inside, `everybody` waits for the others.
    template <class Body>
    void on_all(const Body& body)
    {
#pragma omp parallel num_threads(team_.threads())
        {
            const auto threads = static_cast<std::size_t>(omp_get_num_threads()),
                       t = static_cast<std::size_t>(omp_get_thread_num());
            const auto begin_of = [&](std::size_t k) { return n_ / threads * k + std::min(k, n_ % threads); };
            body(part{t, begin_of(t), begin_of(t + 1)});
        }
    }
    /// Parts say how many results they have; each then knows where its own begin.
    std::size_t results_before(std::size_t thread, std::size_t own)
    {
        counts_[thread] = own;
#pragma omp barrier
        std::size_t before = 0;
        for (std::size_t k = 0; k < thread; ++k) before += counts_[k];
        return before;
    }

    rival_team& team_;
    std::size_t n_;
    std::vector<std::size_t> counts_;
};

std::vector<int> make_keys(std::size_t n)
{
    std::vector<int> keys(n);
    int key = 0;
    for (std::size_t i = 0; i < n; ++i) keys[i] = key += run_begins(i) ? 1 : 0;
    return keys;
}

template <class T>
class with_result : public openmp_entrant
{
public:
    with_result(std::size_t n, rival_team& team) : openmp_entrant(n, team), y_(n) {}
    void look(const std::function<void(const void*, std::size_t)>& see) override { see(y_.data(), count_); }

protected:
    std::vector<T> y_;
    std::size_t count_ = 0;
};

class openmp_unique : public with_result<int>
{
public:
    openmp_unique(std::size_t n, rival_team& team) : with_result(n, team), keys_(make_keys(n)) {}

private:
    bool begins(std::size_t i) const { return i == 0 || keys_[i] != keys_[i - 1]; }
    void work() override
    {
        on_all([this](const part& p) {
            std::size_t own = 0;
            for (std::size_t i = p.begin; i < p.end; ++i) own += begins(i) ? 1 : 0;
            std::size_t at = results_before(p.thread, own);
            for (std::size_t i = p.begin; i < p.end; ++i)
                if (begins(i)) y_[at++] = keys_[i];
            if (p.end == n_) count_ = at;
        });
    }
    std::vector<int> keys_;
};

/// Sums of runs that end in a part belong to it; what it begins with may come from before.
class openmp_by_key : public with_result<float>
{
public:
    openmp_by_key(std::size_t n, bool running, rival_team& team)
        : with_result(n, team), running_(running), keys_(make_keys(n)), x_(n),
          open_(static_cast<std::size_t>(team.threads()) + 1)
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = small_value(i);
    }

private:
    bool begins(std::size_t i) const { return i == 0 || keys_[i] != keys_[i - 1]; }
    bool ends(std::size_t i) const { return i + 1 == n_ || keys_[i + 1] != keys_[i]; }

    /// A part's last run: its sum so far, and whether the part is within one run.
    struct alignas(64) open_run {
        float sum;
        bool within;
    };
    float carried(std::size_t thread) const
    {
        float sum = 0;
        for (std::size_t k = thread; k-- > 0;) {
            sum += open_[k].sum;
            if (!open_[k].within) break;
        }
        return sum;
    }

    void work() override
    {
        on_all([this](const part& p) {
            float sum = 0;
            std::size_t own = 0;
            bool within = true;
            for (std::size_t i = p.begin; i < p.end; ++i) {
                if (begins(i)) sum = 0, within = false;
                sum += x_[i];
                if (ends(i)) ++own;
            }
            open_[p.thread] = {sum, within};
            std::size_t at = results_before(p.thread, running_ ? p.end - p.begin : own);
            sum = p.begin < p.end && !begins(p.begin) ? carried(p.thread) : 0;
            for (std::size_t i = p.begin; i < p.end; ++i) {
                sum = begins(i) ? x_[i] : sum + x_[i];
                if (running_ || ends(i)) y_[at++] = sum;
            }
            if (p.end == n_) count_ = at;
        });
    }

    bool running_;
    std::vector<int> keys_;
    std::vector<float> x_;
    std::vector<open_run> open_;
};

class openmp_partition : public with_result<float>
{
public:
    openmp_partition(std::size_t n, rival_team& team) : with_result(n, team), x_(n)
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = loose_value(i);
        count_ = n;
    }

private:
    void work() override
    {
        on_all([this](const part& p) {
            std::size_t own = 0;
            for (std::size_t i = p.begin; i < p.end; ++i) own += goes_in_front(x_[i]) ? 1 : 0;
            std::size_t front = results_before(p.thread, own), all = 0;
            for (int k = 0; k < omp_get_num_threads(); ++k) all += counts_[static_cast<std::size_t>(k)];
            std::size_t behind = all + p.begin - front;
            for (std::size_t i = p.begin; i < p.end; ++i) y_[goes_in_front(x_[i]) ? front++ : behind++] = x_[i];
        });
    }
    std::vector<float> x_;
};

/// The path of the merge is cut at equal distances.
class openmp_merge : public with_result<int>
{
public:
    openmp_merge(std::size_t n, rival_team& team) : with_result(n, team), a_(n / 2), b_(n - n / 2)
    {
        for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = ascending_value(i, 0);
        for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = ascending_value(i, 99);
        count_ = n;
    }

private:
    /// How many of the first k come from a.
    std::ptrdiff_t from_a(std::size_t k) const
    {
        std::size_t low = k > b_.size() ? k - b_.size() : 0, high = std::min(k, a_.size());
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (b_[k - 1 - middle] < a_[middle]) high = middle;
            else low = middle + 1;
        }
        return static_cast<std::ptrdiff_t>(low);
    }
    void work() override
    {
        on_all([this](const part& p) {
            const auto begin = static_cast<std::ptrdiff_t>(p.begin), end = static_cast<std::ptrdiff_t>(p.end);
            const auto i = from_a(p.begin), last = from_a(p.end);
            std::merge(a_.begin() + i, a_.begin() + last, b_.begin() + (begin - i), b_.begin() + (end - last),
                       y_.begin() + begin);
        });
    }
    std::vector<int> a_, b_;
};

class openmp_top_k : public openmp_entrant
{
public:
    openmp_top_k(std::size_t n, rival_team& team)
        : openmp_entrant(n, team), x_(n), best_(how_many_of_the_top * static_cast<std::size_t>(team.threads()))
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = loose_value(i);
    }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        see(best_.data(), how_many_of_the_top);
    }

private:
    /// Each finds its own largest, in a sorted heap; the largest of these are the answer.
    void work() override
    {
        best_.resize(how_many_of_the_top * static_cast<std::size_t>(team_.threads()));
        on_all([this](const part& p) {
            const auto k = static_cast<std::ptrdiff_t>(how_many_of_the_top);
            const auto mine = best_.begin() + k * static_cast<std::ptrdiff_t>(p.thread);
            std::partial_sort_copy(x_.begin() + static_cast<std::ptrdiff_t>(p.begin),
                                   x_.begin() + static_cast<std::ptrdiff_t>(p.end), mine, mine + k, std::greater<>());
        });
        std::sort(best_.begin(), best_.end(), std::greater<>());
    }
    std::vector<float> x_, best_;
};

} // namespace

std::unique_ptr<algorithm_entrant> make_openmp_algorithm(algorithm what, std::size_t n, rival_team& team)
{
    switch (what) {
    case algorithm::reduce_by_key:
    case algorithm::scan_by_key:
        return std::make_unique<openmp_by_key>(n, what == algorithm::scan_by_key, team);
    case algorithm::unique:
        return std::make_unique<openmp_unique>(n, team);
    case algorithm::partition:
        return std::make_unique<openmp_partition>(n, team);
    case algorithm::merge:
        return std::make_unique<openmp_merge>(n, team);
    case algorithm::top_k:
        break;
    }
    return std::make_unique<openmp_top_k>(n, team);
}

} // namespace bench
