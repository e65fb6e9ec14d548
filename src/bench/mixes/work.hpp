// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What items of a farm do, each on data of its own: calls that a GPU does much faster than cores, calls that cores do
/// faster where the host has the data, chains of short calls, and work of the item's own thread.
namespace bench
{

/// One item.
class item_work
{
public:
    virtual ~item_work() = default;
    /// The host has just written the data.
    virtual void write_anew() = 0;
    /// The calls and their result. A farm's item.
    virtual double run() = 0;
};

/// `compute`, `stream`, `stencil`, `short` or `plain`.
std::unique_ptr<item_work> make_item_work(std::string_view kind);

/// Kinds of work in equal parts, one after the other.
struct mix {
    std::string name;
    std::vector<std::string_view> kinds;
    bool fresh; ///< the host writes the data before each run of the farm
};

constexpr std::size_t all_item_kinds = 5;

/// Six mixtures, each on fresh data and on data that stays where it is.
std::vector<mix> all_mixes();

} // namespace bench
