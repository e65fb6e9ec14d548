// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/gathered.hpp"
#include "src/data/parts/rectangle.hpp"

#include <skelrt/detail/host_parts.hpp>

#include <cstddef>
#include <memory>

namespace skelrt::detail
{

/// Where a view finds its elements in memory that has the container's layout.
shown_part shown_in(std::byte* memory, std::size_t element_size, const placement& part) noexcept;

/// A rectangle of a container that is dealt out, in host memory, with what other ranks hold of it: its rows lie one
/// behind the other. What is borrowed, or all of its container, lies as in that.
class region
{
public:
    /// Memory for it. The storage outlives it.
    region(storage& s, const rectangle& where);

    /// Brings the elements of all ranks, which all call it. This rank's are at hand.
    void gather(peers& others) const { detail::gather(others, elements_, all_ranks); }
    /// Writes this rank's elements to where it holds them.
    void keep_own() const noexcept { keep_own_elements(elements_); }
    /// Where a view finds its elements.
    shown_part shown(const placement& part) const noexcept;

private:
    struct frees {
        void operator()(std::byte* p) const noexcept;
    };
    std::unique_ptr<std::byte, frees> memory_; ///< null: the lender's
    gathered elements_;
    rectangle where_;
    bool packed_;
};

} // namespace skelrt::detail
