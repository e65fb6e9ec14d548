// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// What grids hold at the start: whole numbers, small and without a short period.
constexpr float stencil_value(std::size_t row, std::size_t col)
{
    return static_cast<float>((row * 7919 + col * 104729) % 997);
}

/// Somebody who applies the mean of the four neighbours, zero beyond the edge, to a square grid.
class stencil_entrant
{
public:
    virtual ~stencil_entrant() = default;
    /// The grid after so many more steps; may return before it is done.
    virtual void steps(int n) = 0;
    virtual void wait() = 0;
    /// Shows row r of the grid in host memory.
    virtual void look(std::size_t r, const std::function<void(const float*)>& see) = 0;
};

/// A vectorised loop over the rows, shared out to the threads; the grid has a border of zeros around it.
std::unique_ptr<stencil_entrant> make_openmp_stencil(std::size_t n, rival_team& team);

} // namespace bench
