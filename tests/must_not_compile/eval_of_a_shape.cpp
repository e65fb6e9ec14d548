// SPDX-License-Identifier: BSD-3-Clause
// must say: this call's type does not tell whether it gives a vector, a matrix or a tensor
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

auto f()
{
    return sk::eval(sk::generate(SKELRT_FN((sk::index1 i) { return int(i.i); }))(sk::shape(10)));
}
