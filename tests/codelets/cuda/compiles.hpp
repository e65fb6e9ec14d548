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
