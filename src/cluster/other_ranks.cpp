// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/other_ranks.hpp"

#include "src/program/of_one_rank.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

peers* other_ranks(const running* r) noexcept { return r && r->cluster && !is_of_one_rank() ? r->cluster : nullptr; }

void refuse_in_items(const running& r, const char* name, caller where)
{
    if (!r.cluster || !is_of_one_rank()) return;
    throw error(
        fmt::format("{}{}: called in an item of a farm, a stage of a pipeline or the like, which is this rank's "
                    "own; all ranks do this together: do it before, or afterwards with the results",
                    place_text(where), name));
}

void throw_dealt_in_item(const char* name, caller where, std::size_t rows, std::size_t cols)
{
    throw error(fmt::format(
        "{}{}: a container of {} x {} elements is used in an item of a farm, a stage of a pipeline or the like, and is "
        "dealt out to the ranks, of which only this one runs the item; make it in the item, or before the sk::runtime, "
        "which gives all of it to every rank, or give the item its values: sk::host_read before the farm",
        place_text(where), name, rows, cols));
}

peers& ranks_of_dealt(const char* name, caller where, std::size_t rows, std::size_t cols)
{
    if (is_of_one_rank()) throw_dealt_in_item(name, where, rows, cols);
    peers* const others = other_ranks(running::current());
    if (!others)
        throw error(fmt::format("{}{}: this container of {} elements was dealt out to ranks, and their sk::runtime has "
                                "ended; look at it before that, or at this rank's part: sk::local(x)",
                                where.line > 0 ? place_text(where) : "", name, rows * cols));
    return *others;
}

} // namespace skelrt::detail
