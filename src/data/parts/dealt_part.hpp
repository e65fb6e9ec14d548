// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"
#include "src/data/parts/rectangle.hpp"

#include <vector>

namespace skelrt::detail
{

struct placement;
struct storage;

/// A part of a container that is dealt out to ranks, and where it lies. Pure but for the container's shape.
struct dealt_part {
    rectangle whole;              ///< its place in the whole container
    std::vector<unsigned> owners; ///< the ranks that hold it, each once; one of them if it is empty
    rectangle local;              ///< its place in what its owner holds; of a part that one rank holds

    bool lies_with_one_rank() const noexcept { return owners.size() == 1; }
    unsigned owner() const noexcept { return owners.front(); }
};

/// The container as tasks see it: rows of a matrix, else one row.
rectangle whole_of(const storage& s) noexcept;

/// `whole` is a rectangle of the container.
dealt_part find_part(const parting& p, const rectangle& whole);

/// What a rank holds of it, among all that it holds: a rectangle, too.
rectangle held_part_of(const parting& p, unsigned rank, const rectangle& whole);

} // namespace skelrt::detail
