// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench
{

/// One who runs a graph, again and again: in each step there is a task for each cell, which reads the cell and its
/// neighbours as the step before left them, works for so many rounds, and writes the cell. At first cell i is i.
class grain_entrant
{
public:
    virtual ~grain_entrant() = default;
    /// Returns when all is done. An even number of steps: what it leaves is where the next run begins.
    virtual void run(std::size_t steps, std::size_t rounds) = 0;
    virtual std::vector<std::uint32_t> cells() = 0;
};

/// What a cell becomes; whatever is lost or out of order shows in all that follow.
std::uint32_t next_cell(std::uint32_t cell, std::uint32_t one, std::uint32_t other, std::size_t rounds);

std::unique_ptr<grain_entrant> make_skelrt_grain(std::size_t width);
std::unique_ptr<grain_entrant> make_raw_grain(std::size_t width);
/// A thread for each cell; to be run on a team of as many.
std::unique_ptr<grain_entrant> make_omp_grain(std::size_t width);

} // namespace bench
