// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::by_key
{

/// A value, and whether a run begins with it: a number as large as the value is aligned, so that there is no gap.
/// Devices have it in src/function/own/own_types.cpp; g++ names what stands in skelrt::detail in another way than clang++.
template <class T, class Head>
struct headed {
    T value;
    Head head;
};

} // namespace skelrt::by_key
