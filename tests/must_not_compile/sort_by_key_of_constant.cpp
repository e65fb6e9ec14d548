// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::sort_by_key sorts in place, but one of its operands is const
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& keys, sk::vector<float>& values) { sk::sort_by_key(keys, values); }
