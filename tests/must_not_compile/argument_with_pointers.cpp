// SPDX-License-Identifier: BSD-3-Clause
// must say: an argument is a container, a view, a call, or a trivially copyable value
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

#include <string>

void f(sk::vector<int>& y, const sk::vector<int>& x, const std::string& s)
{
    y = sk::map(SKELRT_FN((int a, auto) { return a; }))(x, s);
}
