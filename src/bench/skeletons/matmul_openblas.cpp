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
    openblas_entrant(const matmul_size& s, int threads) : size_(s), a_(s.elements()), b_(s.elements()), c_(s.elements())
    {
        openblas_set_num_threads(threads);
        for (std::size_t i = 0; i < s.elements(); ++i) a_[i] = left_element<T>(i);
        for (std::size_t i = 0; i < s.elements(); ++i) b_[i] = right_element<T>(i);
    }
    void launch() override
    {
        const auto n = static_cast<blasint>(size_.n);
        const T beta{size_.goes == product_goes::on_top ? T{1} : T{0}};
        const auto run = [&](auto gemm) {
            gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, T{1}, a_.data(), n, b_.data(), n, beta, c_.data(),
                 n);
        };
        if constexpr (std::is_same_v<T, float>) run(cblas_sgemm);
        else run(cblas_dgemm);
    }
    void wait() override {}
    void look(const std::function<void(const T*)>& see) override { see(c_.data()); }

private:
    matmul_size size_;
    std::vector<T> a_, b_, c_;
};

} // namespace

template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(const matmul_size& s, int threads)
{
    return std::make_unique<openblas_entrant<T>>(s, threads);
}
#else
template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(const matmul_size&, int)
{
    return nullptr;
}
#endif

template std::unique_ptr<matmul_entrant<float>> make_openblas_matmul(const matmul_size&, int);
template std::unique_ptr<matmul_entrant<double>> make_openblas_matmul(const matmul_size&, int);

} // namespace bench
