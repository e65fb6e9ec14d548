// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// A stencil call on data in host memory, for the calling thread: one segment, all of the call.
class inline_stencil
{
public:
    /// `views`: the slots; they must stay.
    inline_stencil(const call& c, const slot_view* views);

    void run();
    const work& what() const { return work_; }
    /// For trials of at most so many positions.
    void prepare_probe(std::size_t most);
    /// Runs the function on some positions and drops the results; returns how many.
    std::size_t probe() const;

private:
    /// Lines of the grid, and beyond its ends; copied only if they do not follow each other.
    const void* lines(const operand& o, std::size_t element_size, std::ptrdiff_t first, std::size_t count);

    const call& c_;
    segment all_;
    work work_;
    small_array<hood_view, few_slots> hoods_;
    std::vector<element_memory> copied_;
    std::size_t most_ = 0; ///< of a trial
    element_memory results_;
};

} // namespace skelrt::detail
