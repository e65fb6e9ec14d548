// SPDX-License-Identifier: BSD-3-Clause
// must say: the elements of these operands have no such operator
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& y, const sk::vector<float>& x) { y = x % 2; }
