// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>

/// What the guides' programs say of themselves.
inline int failures = 0;

inline void expect(bool holds, const char* what)
{
    if (holds) return;
    std::printf("not so: %s\n", what);
    ++failures;
}
