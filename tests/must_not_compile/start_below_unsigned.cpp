// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator's result type does not hold every start value of this type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

unsigned f(const sk::vector<unsigned>& x) { return sk::reduce(sk::maximum, -1)(x); }
