// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator's result type does not hold every start value of this type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::matrix<int> f(const sk::matrix<int>& x) { return sk::all_pairs(sk::multiplies, sk::plus, 0.5)(x, x); }
