// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/errors.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace skelrt::detail
{

class item_source;
class peers;

/// What came of a rank's items of a farm.
struct outcome {
    std::size_t ran = 0;            ///< so many began; fewer than there are: the farm was cancelled here
    item_errors errors;             ///< what items threw
    std::exception_ptr why_stopped; ///< what the farm's listener threw; null: nothing
};

/// A farm whose items are dealt out to all ranks by number, in balanced blocks.
struct dealt_farm {
    std::string title;            ///< "main.cpp:12: farm frames"
    std::size_t count = 0;        ///< of all ranks' items
    std::size_t first = 0;        ///< the number of the first, for messages
    item_source* items = nullptr; ///< all of them
};

/// All ranks call it, each with what came of its items. Every rank has all results then. Throws on all ranks alike: what
/// a listener threw, item_error of the first item that threw, by number, or cancelled.
void bring_together(peers& others, const dealt_farm& farm, outcome& mine);

} // namespace skelrt::detail
