// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"
#include "src/lowering/checks/compare_values.hpp"

#include <cstddef>
#include <optional>
#include <vector>

/// A small call of the same recipe on a few of a task's elements: what a device and the host are to agree on. Its
/// operands are copied to memory of its own, [0, operand_bytes), its results lie behind them, up to bytes, then the
/// device's scratch. Pure.
namespace skelrt::detail
{

/// `rows` times `row_bytes` bytes, `pitch` apart, from an operand to the sample's memory, where they follow each other.
struct sample_copy {
    std::size_t segment, slot; ///< of the task: whose data
    std::size_t from;          ///< bytes behind it
    std::size_t to;            ///< in the sample's memory
    std::size_t row_bytes, rows, pitch;
};

/// Values in the sample's memory that follow each other.
struct sample_values {
    std::size_t offset, count;
    value_type type;
    std::size_t row0 = 0, col0 = 0, cols = 1; ///< of a result: its position in the call
};

struct sample {
    /// Where a slot's data is, of the sample as of the task.
    enum class place : std::uint8_t {
        memory, ///< slot_view::offset in the sample's memory
        whole,  ///< the task's own on the device; copied for the host, to slot_view::offset
        host,   ///< a uniform value
    };
    std::vector<segment> segments;
    index_widths width{0};
    std::vector<slot_view> views; ///< as in work, segment by segment
    std::vector<place> places;    ///< of the views
    std::vector<hood_view> hoods; ///< offsets; lines that are not there have no ld
    std::vector<sample_copy> copies;
    std::vector<sample_values> operands, results;
    std::optional<std::size_t> result; ///< offset of work::result
    std::size_t result_values = 0;
    std::size_t operand_bytes = 0, bytes = 0;
    std::size_t elements = 0, depth = 1;
    std::size_t grid[3] = {1, 1, 1};
};

/// Elements of a sample of a map, which is three runs of them.
inline constexpr std::size_t sample_run = 16, usual_sample = 3 * sample_run;

/// Of a task's work; nothing if it would take more than `most_bytes`, because of operands that are read whole.
std::optional<sample> make_sample(const work& task, std::size_t most_bytes);

} // namespace skelrt::detail
