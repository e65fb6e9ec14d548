// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

/// Which runtime lives. running.hpp says what it is; visit.hpp, who may use it.
namespace skelrt::detail
{

class running;

struct life {
    static std::atomic<running*> current;      ///< null: none
    static std::atomic<running*> for_visitors; ///< null also from where it begins to end
    static std::atomic<bool> ending;
    /// In the child of a fork: this process has none.
    static void leave_to_parent() noexcept;
};

} // namespace skelrt::detail
