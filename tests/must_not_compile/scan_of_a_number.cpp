// SPDX-License-Identifier: BSD-3-Clause
// must say: a reduction takes a container, a view or a call that gives elements
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x) { x = sk::scan(sk::plus)(3); }
