// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Memory for samples of calls, on which functions are checked: see opencl.hpp.
namespace skelrt::detail::opencl
{

/// All of it goes, once all tasks have ended.
void release_samples() noexcept;

} // namespace skelrt::detail::opencl
