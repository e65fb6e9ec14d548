// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/axis_split.hpp"
#include "src/lowering/place/halo.hpp"

#include <skelrt/detail/storage.hpp>

#include <starpu.h>

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Lines around a rank's share that other ranks hold, on their way here. To the share of a stencil they are further
/// lines of its grid, numbered behind its own; in front of a scan's there is one, of running values.
///
/// Lifetime: until the share's tasks are submitted. Thread safety: who submits it.
class foreign_lines
{
public:
    /// Lines that follow each other in the memory of one handle.
    struct piece {
        std::size_t slot;
        position_run lines; ///< of the whole call
        starpu_data_handle_t data;
    };
    /// `own`: the share's lines; of a part of a grid, those of the grid that this rank holds.
    explicit foreign_lines(const position_run& own) : own_(own) {}
    void add(const piece& p) { pieces_.push_back(p); }

    /// Of a scan by column: what is in front of each column, in one tile. The scan goes on from there, and writes it.
    void put_in_front(storage& values) noexcept { in_front_ = &values; }
    storage* in_front() const noexcept { return in_front_; }

    /// Runs of the whole call's lines, as the share numbers them.
    std::vector<line_run> numbered(std::size_t slot, const std::vector<line_run>& runs) const;

    /// Where a line of others lies, and how many more follow it there.
    struct place {
        starpu_data_handle_t data;
        std::size_t line, count;
    };
    /// Of one of its own lines.
    std::size_t own_number(std::size_t line) const noexcept { return line - own_.first; }
    bool is_foreign(std::size_t number) const noexcept { return number >= own_.count; }
    place at(std::size_t number) const;

private:
    std::size_t number_of(std::size_t slot, std::size_t line) const;

    position_run own_;
    std::vector<piece> pieces_;
    storage* in_front_ = nullptr;
};

} // namespace skelrt::detail
