// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/skeletons/compact_rivals.hpp"

#include <algorithm>
#include <vector>

#include <omp.h>

namespace bench
{
namespace
{

class openmp_entrant : public compact_entrant
{
public:
    openmp_entrant(std::size_t n, rival_team& team) : team_(team), n_(n), x_(make_host_array<float>(n))
    {
        team_.run([this] {
            float* const x = x_.get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_; ++i) x[i] = compact_value(i);
        });
    }
    void wait() override {}

protected:
    /// body(thread, threads, its first element, how many) on all threads.
    template <class Body>
    void on_all(const Body& body)
    {
#pragma omp parallel num_threads(team_.threads())
        {
            const auto threads = static_cast<std::size_t>(omp_get_num_threads()),
                       t = static_cast<std::size_t>(omp_get_thread_num());
            const auto begin_of = [&](std::size_t k) { return n_ / threads * k + std::min(k, n_ % threads); };
            body(t, threads, begin_of(t), begin_of(t + 1) - begin_of(t));
        }
    }

    rival_team& team_;
    std::size_t n_;
    host_array<float> x_;
};

std::size_t count_kept(const float* x, std::size_t n)
{
    std::size_t kept = 0;
#pragma omp simd reduction(+ : kept)
    for (std::size_t i = 0; i < n; ++i) kept += compact_keeps(x[i]) ? 1 : 0;
    return kept;
}

/// Without a branch to guess; stops before it would write where the next part begins.
void write_kept(const float* x, std::size_t n, float* y, std::size_t kept)
{
    for (std::size_t i = 0, k = 0; i < n && k < kept; ++i) {
        y[k] = x[i];
        k += compact_keeps(x[i]) ? 1 : 0;
    }
}

class openmp_filter : public openmp_entrant
{
public:
    openmp_filter(std::size_t n, rival_team& team)
        : openmp_entrant(n, team), y_(make_host_array<float>(n)), counts_(static_cast<std::size_t>(team.threads()))
    {
        std::fill_n(y_.get(), n, -1.0f);
    }

    void launch() override
    {
        team_.run([this] {
            on_all([this](std::size_t t, std::size_t threads, std::size_t begin, std::size_t n) {
                counts_[t].value = count_kept(x_.get() + begin, n);
#pragma omp barrier
                std::size_t front = 0;
                for (std::size_t k = 0; k < t; ++k) front += counts_[k].value;
                write_kept(x_.get() + begin, n, y_.get() + front, counts_[t].value);
                if (t + 1 == threads) kept_ = front + counts_[t].value;
            });
        });
    }
    void look(const std::function<void(const void*, std::size_t)>& see) override { see(y_.get(), kept_); }

private:
    struct alignas(64) line {
        std::size_t value;
    };
    host_array<float> y_;
    std::vector<line> counts_;
    std::size_t kept_ = 0;
};

class openmp_histogram : public openmp_entrant
{
public:
    openmp_histogram(std::size_t n, std::size_t bins, rival_team& team)
        : openmp_entrant(n, team), counts_(bins), own_(static_cast<std::size_t>(team.threads()))
    {
        for (auto& own : own_) own.resize(bins + 16);
    }

    void launch() override
    {
        team_.run([this] {
            const auto bins = static_cast<int>(counts_.size());
            on_all([this, bins](std::size_t t, std::size_t, std::size_t begin, std::size_t n) {
                unsigned* const own = own_[t].data();
                std::fill_n(own, bins, 0u);
                const float* const x = x_.get() + begin;
                for (std::size_t i = 0; i < n; ++i)
                    if (x[i] >= 0.0f && x[i] < 1.0f)
                        ++own[std::min(static_cast<int>(x[i] * static_cast<float>(bins)), bins - 1)];
            });
            std::fill(counts_.begin(), counts_.end(), 0u);
            for (const auto& own : own_)
                for (std::size_t b = 0; b < counts_.size(); ++b) counts_[b] += own[b];
        });
    }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        see(counts_.data(), counts_.size());
    }

private:
    std::vector<unsigned> counts_;
    std::vector<std::vector<unsigned>> own_;
};

} // namespace

std::unique_ptr<compact_entrant> make_openmp_compact(compact_task what, std::size_t n, std::size_t bins,
                                                     rival_team& team)
{
    if (what == compact_task::filter) return std::make_unique<openmp_filter>(n, team);
    return std::make_unique<openmp_histogram>(n, bins, team);
}

} // namespace bench
