// SPDX-License-Identifier: BSD-3-Clause
// must say: accumulators of bits have elements of int or long
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<float>& x, sk::vector<float>& a)
{
    sk::for_each(SKELRT_FN((float v, sk::or_accumulator<float> p) { p.bit_or(0, v); }))(x, a);
}
