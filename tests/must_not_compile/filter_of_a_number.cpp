// SPDX-License-Identifier: BSD-3-Clause
// must say: the first operand of a filter is a container, a view or a map call
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::vector<float> f()
{
    return sk::filter(SKELRT_FN((float v) { return v > 0; }))(1.0f);
}
