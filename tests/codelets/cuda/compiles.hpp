// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../recipes.hpp"

#include "codelets/cuda/cuda.hpp"

#include <catch2/catch.hpp>

/// To PTX of the oldest architecture that NVRTC knows well; conformance's kernels are compiled for a newer one.
inline void check_all(const recipes::builder& b)
{
    CAPTURE(b.get().name);
    CHECK_NOTHROW(skelrt::detail::cuda::check(b.get(), "compute_80"));
}

/// The same in blocks of the smallest size, of more threads than is usual, and of most; of no power of two, if `any`.
inline void check_blocks(const recipes::builder& b, bool any = false)
{
    std::vector<unsigned> sizes{32, 512, 1024};
    if (any) sizes.push_back(96);
    for (const unsigned threads : sizes) {
        CAPTURE(b.get().name, threads);
        CHECK_NOTHROW(skelrt::detail::cuda::check(b.get(), "compute_80", {1, false, threads}));
    }
}
