// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstdint>

/// By what models and plans know a codelet.
namespace skelrt::detail
{

/// Made of texts, the same in every run of every program: the skeleton, its functions and what they use of
/// SKELRT_SHARED, types, and what is fused to what; not of where the functions stand. Costs a pass over all shared
/// texts; thread-safe.
std::uint64_t key_of(const recipe& r);

} // namespace skelrt::detail
