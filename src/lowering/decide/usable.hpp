// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/request.hpp"
#include "src/model/times/model.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Whose model tells what a device takes: the cores work together.
inline runner runner_of(const target& t) noexcept { return {executor_of(t.kind), t.type}; }

/// The devices that can run this call: their kernels are built, its whole operands fit. Throws error with the reasons
/// if there is none. In a trial that cannot obey its plan, the plan goes from the request. Where the cores may do it
/// while kernels are built, only these, and the request says so; else it may take the time of a compilation the first
/// time. `calls`: so many on this data are likely, this one included; 0: nobody knows. For who does not hold the
/// order's lock.
std::vector<const target*> usable_targets(engine& e, const call& c, request& r, std::size_t calls);

/// Whether a device of CUDA's could begin this call now: nothing has to be compiled for it. Cheap.
bool is_ready_for_cuda(const engine& e, const call& c);

/// Bytes per microsecond to and from a device, as was told or, if that is more, seen: links are as fast in both
/// directions.
double rate_to(const target& t) noexcept;
double rate_from(const target& t) noexcept;

} // namespace skelrt::detail
