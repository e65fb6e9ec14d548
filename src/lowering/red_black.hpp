// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <skelrt/detail/call.hpp>

#include <functional>

/// Red-black iterations that one device makes in place, made by several devices after all: each half step is a call of
/// its own, from one grid to another, for neighbours need each other's lines in between.
namespace skelrt::detail
{

/// More of them lose in waiting what the second device brings.
constexpr unsigned few_half_steps = 4;

inline bool is_red_black_in_place(const call& c) noexcept { return c.color >= 0 && c.steps > 1; }

/// Submits the half steps of such a call, an even number, by `submit_one`; the last one's state.
submitted_call& submit_half_steps(const call& c, const std::function<submitted_call&(const call&)>& submit_one);

} // namespace skelrt::detail
