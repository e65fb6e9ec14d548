// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_SHARED stands at namespace scope
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f()
{
    SKELRT_SHARED(struct pair { int a, b; };)
}
