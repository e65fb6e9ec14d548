// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/streams/stream_arrays.hpp"

#include <limits>

namespace bench
{
namespace
{

/// BabelStream's OpenMP loops. The loop that first touches the arrays is shared out as the timed ones are.
template <class T>
class openmp_arrays : public stream_arrays<T>
{
public:
    openmp_arrays(std::size_t n, rival_team& team)
        : team_(team), n_(n), a_(make_host_array<T>(n)), b_(make_host_array<T>(n)), c_(make_host_array<T>(n))
    {
        reset();
    }

    void reset() override
    {
        team_.run([this] {
            T *const a = a_.get(), *const b = b_.get(), *const c = c_.get();
            const std::size_t n = n_;
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) {
                a[i] = pattern<T>(i);
                b[i] = c[i] = std::numeric_limits<T>::quiet_NaN();
            }
        });
    }

    void launch(kernel k) override
    {
        team_.run([this, k] { loop(k); });
    }
    void wait() override {}
    T dot_value() override { return dot_; }
    void look(char array, const std::function<void(const T*)>& see) override
    {
        see((array == 'a' ? a_ : array == 'b' ? b_ : c_).get());
    }

private:
    void loop(kernel k)
    {
        T* const __restrict a = a_.get(), * const __restrict b = b_.get(), * const __restrict c = c_.get();
        const T s = T(stream_scalar), q = T(saxpy_scalar);
        const std::size_t n = n_;
        const int threads = team_.threads();
        T sum = 0;
        switch (k) {
        case kernel::copy:
#pragma omp parallel for simd num_threads(threads) schedule(static)
            for (std::size_t i = 0; i < n; ++i) c[i] = a[i];
            break;
        case kernel::mul:
#pragma omp parallel for simd num_threads(threads) schedule(static)
            for (std::size_t i = 0; i < n; ++i) b[i] = s * c[i];
            break;
        case kernel::add:
#pragma omp parallel for simd num_threads(threads) schedule(static)
            for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
            break;
        case kernel::triad:
#pragma omp parallel for simd num_threads(threads) schedule(static)
            for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
            break;
        case kernel::dot:
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)
            for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
            dot_ = sum;
            break;
        case kernel::saxpy:
#pragma omp parallel for simd num_threads(threads) schedule(static)
            for (std::size_t i = 0; i < n; ++i) b[i] = q * a[i] + b[i];
            break;
        case kernel::chain:
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)
            for (std::size_t i = 0; i < n; ++i) sum += (s * a[i] + b[i]) * (s * a[i] + b[i]);
            dot_ = sum;
            break;
        }
    }

    rival_team& team_;
    std::size_t n_;
    host_array<T> a_, b_, c_;
    T dot_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<stream_arrays<T>> make_openmp_arrays(std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_arrays<T>>(n, team);
}
template std::unique_ptr<stream_arrays<float>> make_openmp_arrays(std::size_t, rival_team&);
template std::unique_ptr<stream_arrays<double>> make_openmp_arrays(std::size_t, rival_team&);

} // namespace bench
