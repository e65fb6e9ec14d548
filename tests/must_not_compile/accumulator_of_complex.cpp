// SPDX-License-Identifier: BSD-3-Clause
// must say: complex numbers are added to two of them, short ones to floats
// at most: 15 lines
#include <skelrt/skelrt.hpp>

#include <complex>
namespace sk = skelrt;

void f(sk::vector<std::complex<float>>& sums, const sk::vector<int>& at)
{
    sk::for_each(SKELRT_FN((int i, sk::accumulator<std::complex<float>> s) { s.add(i, {1, 2}); }))(at, sums);
}
