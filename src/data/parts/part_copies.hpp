// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"
#include "src/data/parts/rectangle.hpp"

#include <skelrt/detail/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// Which ranks have copies of which parts of one container that is dealt out, because tasks of theirs read them: what a
/// rank has is not sent again. Every rank keeps this list, and changes it by the calls that all make, so that both ends
/// of a message know whether there is one.
///
/// Bounded: copies at one rank have at most as many elements as the blocks of its row and of its column of the grid of
/// ranks, which is what products and factorisations read; and one part, whatever its size. Those that were used longest
/// ago go first.
///
/// Lifetime: the container's. Threads: the program's.
class part_copies
{
public:
    /// Of what container, and whose list this is.
    part_copies(const parting& dealt, unsigned rank);
    ~part_copies();
    part_copies(const part_copies&) = delete;
    part_copies& operator=(const part_copies&) = delete;

    /// A task of that rank reads the part: whether the rank has it. From now on it does.
    bool use(const rectangle& part, unsigned rank);
    /// This rank's copy of a part that it has.
    storage_ref& mine(const rectangle& part);
    /// Elements are written: no copy of any of them is good any more.
    void forget(const rectangle& written);
    void forget_all() noexcept;

    bool empty() const noexcept { return copies_.empty(); }
    /// That copies at one rank have.
    std::size_t elements_at(unsigned rank) const { return ranks_[rank].elements; }
    std::size_t most_elements() const noexcept { return most_; }

private:
    using place = std::pair<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>>;
    struct copy {
        std::map<unsigned, std::uint64_t> used; ///< by which ranks, and when
        storage_ref mine;
    };
    struct at_rank {
        std::size_t elements = 0;
        std::map<std::uint64_t, place> by_age;
    };
    using copies = std::map<place, copy>;

    static place place_of(const rectangle& r) { return {{r.row, r.col}, {r.rows, r.cols}}; }
    static rectangle rectangle_of(const place& p)
    {
        return {p.first.first, p.first.second, p.second.first, p.second.second};
    }
    void make_room(unsigned rank);
    void drop(copies::iterator at, unsigned rank);
    copies::iterator drop_all(copies::iterator at);

    const std::size_t most_;
    const unsigned rank_;
    std::vector<at_rank> ranks_;
    copies copies_;
    std::size_t highest_ = 0; ///< rows of the highest part so far
    std::uint64_t now_ = 0;
};

/// A container's, made now if no task has read it elsewhere. The runtime has several ranks.
part_copies& copies_of(storage& s);
/// A task writes these elements: as content_changes(), but copies of other parts stay.
void part_changes(storage& s, const rectangle& written);
/// Of all containers.
void forget_all_copies() noexcept;

} // namespace skelrt::detail
