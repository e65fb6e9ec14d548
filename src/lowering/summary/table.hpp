// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The table that SKELRT_SUMMARY=1 prints, as data and as text.
namespace skelrt::detail
{

/// What the calls of one name took in one place.
struct summary_row {
    std::string call, where;
    std::size_t calls = 0, tasks = 0; ///< no tasks: computed by the thread that made the call
    double us = 0;                    ///< of computing; of several tasks at once their sum
};

/// What was copied from one memory to another.
struct summary_copies {
    std::string from, to;
    std::size_t copies = 0;
    double bytes = 0;
};

/// Rows of one name and place are added up; those that took longest come first. Without rows: that there were no calls.
std::string summary_text(const std::vector<summary_row>& rows, const std::vector<summary_copies>& copies,
                         double seconds);

} // namespace skelrt::detail
