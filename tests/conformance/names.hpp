// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support.hpp"

// Two source files of one name, in two folders, define for themselves what has one name in both.
sk::vector<float> scaled_by_one(const sk::vector<float>& x);
sk::vector<float> scaled_by_two(const sk::vector<float>& x);

SKELRT_SHARED(inline float names_twice(float x) { return 2 * x; })
