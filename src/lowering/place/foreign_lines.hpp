#pragma once

#include "src/data/parting/axis_split.hpp"
#include "src/lowering/place/halo.hpp"

#include <starpu.h>

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Lines around a rank's share of a stencil that other ranks hold, on their way here. To the share they are further
/// lines of its grid, numbered behind its own.
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
    /// `own`: the share's lines.
    explicit foreign_lines(const position_run& own) : own_(own) {}
    void add(const piece& p) { pieces_.push_back(p); }

    /// Runs of the whole call's lines, as the share numbers them.
    std::vector<line_run> numbered(std::size_t slot, const std::vector<line_run>& runs) const;

    /// Where a line of others lies, and how many more follow it there.
    struct place {
        starpu_data_handle_t data;
        std::size_t line, count;
    };
    bool is_foreign(std::size_t number) const noexcept { return number >= own_.count; }
    place at(std::size_t number) const;

private:
    std::size_t number_of(std::size_t slot, std::size_t line) const;

    position_run own_;
    std::vector<piece> pieces_;
};

} // namespace skelrt::detail
