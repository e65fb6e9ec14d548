// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Positions of one axis as runs in ascending order, none twice.
using position_runs = std::vector<position_run>;
/// How many positions they are.
std::size_t count_of(const position_runs& runs) noexcept;

/// Positions that two lists of runs share, and their numbers among those of each list.
struct common_run {
    std::size_t first, count;
    std::size_t in_one, in_other;
};
/// In ascending order. O(runs of both).
std::vector<common_run> common_runs(const position_runs& one, const position_runs& other);

/// The elements of a container where some of its rows cross some of its columns, numbered row by row. Pure.
struct element_grid {
    position_runs rows, cols;

    std::size_t height() const noexcept { return count_of(rows); }
    std::size_t width() const noexcept { return count_of(cols); }
    std::size_t count() const noexcept { return height() * width(); }
    friend bool operator==(const element_grid&, const element_grid&) = default;
};

/// What a rank holds, in the order in which it holds it.
element_grid held_grid(const parting& p, unsigned rank);
/// All of a container.
element_grid whole_grid(std::size_t rows, std::size_t cols);

/// Elements that follow each other in two numberings.
struct numbered_run {
    std::size_t in_one, in_other, count;
};
/// The elements that two grids share, as runs that follow each other in both, in the order of the whole container's
/// rows: for who sends and for who receives the same.
std::vector<numbered_run> common_elements(const element_grid& one, const element_grid& other);

} // namespace skelrt::detail
