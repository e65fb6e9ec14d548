// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function returns a trivially copyable value
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x) { y = sk::map(SKELRT_FN((int){}))(x); }
