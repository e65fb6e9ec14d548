#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <span>

/// What one task has to do, after the runtime has brought the data: plain pointers, no StarPU.
namespace skelrt::detail
{

struct work {
    const recipe& what;
    bool matrix;       ///< two-dimensional call
    std::size_t width; ///< columns of the whole call
    std::span<const segment> segments;
    /// slots of segment s: slots[s * what.slots.size() + k]. For a map the last slot of each segment is the result.
    std::span<const slot_view> slots;

    /// Reductions only.
    ///   reduce: one value of the type what.result, the reduction of all segments in their order
    ///   reduce_rows: `result.data` has one value per row of the segments, one after the other
    ///   reduce_columns: one value per column of the call; all segments have the same columns
    slot_view result{};
    /// reduce_rows: start value (host memory) to combine in front of every row; null: none. Others never see it here.
    const void* start = nullptr;
    /// Device memory for partial results, at least as large as the backend's scratch_bytes() said; null on the CPU.
    slot_view scratch{};

    const slot_view& slot(std::size_t s, std::size_t k) const { return slots[s * what.slots.size() + k]; }
};

} // namespace skelrt::detail
