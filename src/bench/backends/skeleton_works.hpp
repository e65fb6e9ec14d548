// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench
{

/// A call of one skeleton on data of its own, asynchronous, and how to wait for it.
struct skeleton_work {
    std::string name;
    std::function<void()> call, wait;
};

/// One of each skeleton, on about so many elements.
std::vector<skeleton_work> skeleton_works(std::size_t n);

/// What is not ordered by places, and what goes by keys or by order: accumulators and algorithms.
std::vector<skeleton_work> algorithm_works(std::size_t n);

} // namespace bench
