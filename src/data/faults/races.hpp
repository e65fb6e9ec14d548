// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/use_history.hpp"

#include <string>

/// SKELRT_CHECK=races: two items of a farm, or an item and who started the farm, use the same elements, one of them
/// writes, and neither waits for the other. Then time decides which is first, and no program may rely on that.
namespace skelrt::detail
{

struct storage;

/// A container that was just made, or begins anew: nobody has used it.
void watch_uses(storage& s);
/// Throws error if somebody else uses the part as well; `by`: "map (main.cpp:12)".
void check_races(storage& s, const rectangle& part, data_use how, const std::string& by);
/// A container has this data no more: as if all was written, but what is found goes to the log.
void report_races_at_end(storage& s) noexcept;

} // namespace skelrt::detail
