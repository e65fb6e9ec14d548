// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include "apps/shared/blas/blas.hpp"
#include "apps/shared/dealt_out.hpp"

#include <skelrt/host.hpp>
#include <skelrt/task.hpp>

#include <cstdint>
#include <random>

namespace summa
{
namespace
{

namespace sk = skelrt;
namespace blas = apps::blas;

template <class T>
sk::matrix<T> random_matrix(std::size_t n, std::uint64_t seed)
{
    sk::matrix<T> result(n, n, sk::uninitialized);
    std::mt19937_64 random(seed);
    for (T& v : sk::host_write(result)) v = static_cast<T>(static_cast<std::int32_t>(random() >> 32)) * T{0x1p-31};
    return result;
}

} // namespace

template <class T>
product<T>::product(std::size_t n, const cutting& c, sk::device_set on)
    : a_(apps::dealt_out(random_matrix<T>(n, 1), c.tile, c.panel)),
      b_(apps::dealt_out(random_matrix<T>(n, 2), c.panel, c.width)),
      c_(apps::dealt_out(sk::matrix<T>(n, n), c.tile, c.width)), left_(a_, c.tile, c.panel),
      right_(b_, c.panel, c.width), to_(c_, c.tile, c.width), on_(on)
{
}

template <class T>
void product<T>::start()
{
    static const auto gemm =
        blas::kernel_of<T>("summa gemm", blas::cpu::product<T>, blas::cuda::product<T>, blas::opencl::product<T>());
    for (std::size_t i = 0; i < to_.rows(); ++i)
        for (std::size_t j = 0; j < to_.cols(); ++j)
            for (std::size_t k = 0; k < left_.cols(); ++k) {
                const auto a = left_(i, k), c = to_(i, j);
                const double work = 2.0 * static_cast<double>(c.size()) * static_cast<double>(a.cols());
                sk::task({.work = work, .on = on_}, gemm, sk::in(a), sk::in(right_(k, j)),
                         k == 0 ? sk::out(c) : sk::inout(c), k == 0 ? T{0} : T{1});
            }
}

template <class T>
void product<T>::wait() const
{
    sk::wait(c_);
}

template class product<float>;
template class product<double>;

} // namespace summa
