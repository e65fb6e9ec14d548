// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace skelrt::detail
{

/// Positions first .. first + count.
struct position_run {
    std::size_t first = 0, count = 0;
    std::size_t end() const noexcept { return first + count; }
    friend bool operator==(const position_run&, const position_run&) = default;
};

/// The positions of one axis dealt out to `parts` ranks: one balanced block each, whose sizes differ by at most one and
/// of which empty ones come last; or, with `block` positions, blocks in turn. Pure. A rank holds its positions in
/// ascending order, without gaps: the number of one of them there is its local number.
struct axis_split {
    std::size_t extent = 0;
    unsigned parts = 1;
    std::size_t block = 0; ///< 0: one balanced block each

    /// Who holds position i < extent, and its local number there.
    unsigned owner(std::size_t i) const noexcept;
    std::size_t local(std::size_t i) const noexcept;
    /// How many positions a part has, and which one its `local`-th is.
    std::size_t held(unsigned part) const noexcept;
    std::size_t global(unsigned part, std::size_t local) const noexcept;
    /// Positions that a part holds and that follow each other, as long as can be: how many such runs, and the n-th.
    std::size_t runs(unsigned part) const noexcept;
    position_run run(unsigned part, std::size_t n) const noexcept;

    friend bool operator==(const axis_split&, const axis_split&) = default;

private:
    std::size_t begin(unsigned part) const noexcept; ///< of balanced blocks
};

} // namespace skelrt::detail
