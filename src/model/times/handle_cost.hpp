// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

constexpr double handle_us = 1.5; ///< what a handle costs in a task

} // namespace skelrt::detail
