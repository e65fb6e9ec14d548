// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/skeletons/sort_rivals.hpp"

#include <omp.h>
#include <parallel/algorithm>

#include <algorithm>

namespace bench
{
namespace
{

/// A sorted half each, merged into `out`, which has the elements now: the halves come back into `in`.
void merge_sort(float* in, float* out, std::size_t n, int threads)
{
    if (threads <= 1) {
        std::stable_sort(out, out + n);
        return;
    }
    const std::size_t half = n / 2;
#pragma omp task
    {
        merge_sort(in, out, half, threads / 2);
    }
    merge_sort(in + half, out + half, n - half, threads - threads / 2);
#pragma omp taskwait
    // The middle of the longer run, and where it falls in the other one, cut the merge in two.
    const float *a = out, *b = out + half;
    const float* const middle = a + half / 2;
    const float* const other = std::lower_bound(b, b + (n - half), *middle);
#pragma omp task
    {
        std::merge(a, middle, b, other, in);
    }
    std::merge(middle, b, other, b + (n - half), in + (middle - a) + (other - b));
#pragma omp taskwait
    std::copy_n(in, n, out);
}

class openmp_entrant : public sort_entrant
{
public:
    openmp_entrant(openmp_sort how, std::size_t n, rival_team& team)
        : how_(how), team_(team), n_(n), x_(make_host_array<float>(n)), y_(make_host_array<float>(n)),
          z_(make_host_array<float>(n))
    {
        team.run([&] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_; ++i) x_.get()[i] = sort_value(i), y_.get()[i] = z_.get()[i] = 0;
        });
    }

    void launch() override
    {
        float *const x = x_.get(), *const y = y_.get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t i = 0; i < n_; ++i) y[i] = x[i];
        const __gnu_parallel::default_parallel_tag all(static_cast<__gnu_parallel::_ThreadIndex>(team_.threads()));
        switch (how_) {
        case openmp_sort::parallel:
            __gnu_parallel::sort(y, y + n_, std::less<float>(), all);
            break;
        case openmp_sort::parallel_stable:
            __gnu_parallel::stable_sort(y, y + n_, std::less<float>(), all);
            break;
        case openmp_sort::merge:
#pragma omp parallel num_threads(team_.threads())
#pragma omp single
            merge_sort(z_.get(), y, n_, team_.threads());
            break;
        }
    }
    void wait() override {}
    void look(const std::function<void(const float*)>& see) override { see(y_.get()); }

private:
    openmp_sort how_;
    rival_team& team_;
    std::size_t n_;
    host_array<float> x_, y_, z_;
};

} // namespace

std::unique_ptr<sort_entrant> make_openmp_sort(openmp_sort how, std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_entrant>(how, n, team);
}

} // namespace bench
