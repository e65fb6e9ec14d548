// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

class running;

/// Until all that was called is done.
void wait_for_all_tasks(running& r) noexcept;

} // namespace skelrt::detail
