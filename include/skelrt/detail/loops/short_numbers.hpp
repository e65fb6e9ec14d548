// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

/// Types that are stored in two bytes and computed with as floats.
template <class T>
inline constexpr bool counts_as_float = false;

} // namespace skelrt::detail
