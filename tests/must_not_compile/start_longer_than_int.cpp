// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator's result type does not hold every start value of this type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(const sk::vector<int>& x) { return sk::reduce(sk::plus, 10000000000L)(x); }
