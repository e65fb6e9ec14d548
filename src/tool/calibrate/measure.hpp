// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"

/// What `skelrt calibrate` measures, each in a fraction of a second. Rates are bytes or operations per microsecond.
namespace skelrt::tool
{

/// Of the device's own memory, in a skeleton that reads one vector and writes another.
double memory_rate(const detail::target& t);
/// Of the host's memory, by one core.
double core_memory_rate();
/// Of multiplications and additions that depend on nothing but registers. 0: the device cannot.
double fp32_rate(const detail::target& t);
double fp64_rate(const detail::target& t);

/// A call that does next to nothing, in microseconds. The cores: one more task in a row of calls that depend on each
/// other. A GPU: one that the host waits for, on data that is there.
double call_us(const detail::target& t);

enum class direction { to_device, from_device, both };
/// Between pinned host memory and the device's.
double link_rate(const detail::target& t, direction way);
/// From one device's memory to another's.
double link_rate(const detail::target& from, const detail::target& to);

} // namespace skelrt::tool
