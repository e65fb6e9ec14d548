// SPDX-License-Identifier: BSD-3-Clause
// must say: a reduction takes a container, a view or a call that gives elements
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f() { return sk::reduce(sk::plus, 0)(5); }
