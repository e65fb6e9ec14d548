// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/skeletons/matmul_rivals.hpp"

#if SKELRT_BENCH_OPENBLAS
#include <cblas.h>

#include <type_traits>
#include <vector>
#endif

namespace bench
{

#if SKELRT_BENCH_OPENBLAS
namespace
{

template <class T>
class openblas_entrant : public matmul_entrant<T>
{
public:
    openblas_entrant(std::size_t n, int threads) : n_(n), a_(n * n), b_(n * n), c_(n * n)
    {
        openblas_set_num_threads(threads);
        for (std::size_t i = 0; i < n * n; ++i) a_[i] = static_cast<T>(left_value(i));
        for (std::size_t i = 0; i < n * n; ++i) b_[i] = static_cast<T>(right_value(i));
    }
    void launch() override
    {
        const auto n = static_cast<blasint>(n_);
        const auto run = [&](auto gemm) {
            gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, T{1}, a_.data(), n, b_.data(), n, T{0}, c_.data(),
                 n);
        };
        if constexpr (std::is_same_v<T, float>) run(cblas_sgemm);
        else run(cblas_dgemm);
    }
    void wait() override {}
    void look(const std::function<void(const T*)>& see) override { see(c_.data()); }

private:
    std::size_t n_;
    std::vector<T> a_, b_, c_;
};

} // namespace

template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(std::size_t n, int threads)
{
    return std::make_unique<openblas_entrant<T>>(n, threads);
}
#else
template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(std::size_t, int)
{
    return nullptr;
}
#endif

template std::unique_ptr<matmul_entrant<float>> make_openblas_matmul(std::size_t, int);
template std::unique_ptr<matmul_entrant<double>> make_openblas_matmul(std::size_t, int);

} // namespace bench
