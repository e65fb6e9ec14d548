// SPDX-License-Identifier: BSD-3-Clause
// must say: the implementation for CUDA does not take these operands: it takes an sk::cuda_stream first
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    const sk::kernel k("k", sk::on_cpu([](std::span<int>) {}), sk::on_cuda([](std::span<int>) {}));
    sk::task(k, sk::inout(x));
}
