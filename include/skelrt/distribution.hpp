// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/dealing.hpp"
#include "reduce.hpp"
#include "tensor.hpp"

#include <cstddef>
#include <utility>

namespace skelrt
{

/// Where the elements of a container lie: how a rank cuts its part, as a hint, and, in programs of several ranks, which
/// rank holds which elements. Results never depend on it. See sk::distribute.
class distribution
{
public:
    /// In one piece: one device at a time has it all.
    static constexpr distribution single() { return {1, 0}; }
    /// In equal tiles that devices share; 0: as many as the runtime thinks right.
    static constexpr distribution block(std::size_t tiles = 0) { return {tiles, 0}; }
    /// As block, for stencils that reach `lines` elements, rows or planes: no tile is shorter than what its neighbours
    /// read, so a halo comes from one neighbour alone.
    static constexpr distribution overlap(std::size_t lines, std::size_t tiles = 0) { return {tiles, lines}; }
    /// Read whole by every device (sk::vec and sk::mat parameters): one piece, of which each device keeps a copy while
    /// it is valid, so that none has to be gathered. Every rank has all of it; what a call writes there goes to all.
    static constexpr distribution copy() { return {1, 0, {detail::dealing::form::copy}}; }

    /// Balanced blocks of elements, rows or planes, one for each rank: what containers have to begin with.
    static constexpr distribution rows() { return {0, 0, {detail::dealing::form::lines}}; }
    /// Blocks of rows and columns for a grid of so many ranks, which are numbered row by row. 0: chosen, as square as
    /// can be. The grid of a vector has one row, that of a tensor one column.
    static constexpr distribution grid(std::size_t rows = 0, std::size_t columns = 0)
    {
        return {0, 0, {detail::dealing::form::grid, rows, columns}};
    }
    /// The same ranks, but blocks of that size in turn: grid().cyclic(64, 64). Of axes that several ranks share.
    constexpr distribution cyclic(std::size_t block_rows, std::size_t block_columns) const
    {
        distribution d = *this;
        if (d.dealt_.how != detail::dealing::form::lines) d.dealt_.how = detail::dealing::form::grid;
        d.dealt_.in_turn = true;
        d.dealt_.block_rows = block_rows;
        d.dealt_.block_cols = block_columns;
        return d;
    }

    /// Tiles for so many lines (elements, rows or planes); 0: the runtime's choice.
    constexpr std::size_t tiles_for(std::size_t lines) const
    {
        if (shortest_ == 0 || lines == 0) return tiles_;
        const std::size_t most = lines / shortest_ > 0 ? lines / shortest_ : 1;
        if (tiles_ > 0) return tiles_ < most ? tiles_ : most;
        return most < usual_tiles ? most : 0;
    }
    /// For the library.
    constexpr const detail::dealing& over_ranks() const { return dealt_; }

private:
    static constexpr std::size_t usual_tiles = 32; ///< what the runtime chooses at most
    constexpr distribution(std::size_t tiles, std::size_t shortest, const detail::dealing& dealt = {})
        : tiles_(tiles), shortest_(shortest), dealt_(dealt)
    {
    }
    std::size_t tiles_, shortest_;
    detail::dealing dealt_;
};

namespace detail
{

/// New data with other tiles takes the place of the old.
template <class Container>
void recut(Container& x, std::size_t tiles)
{
    const placement p = x.place();
    storage_ref fresh(create_storage(p.rows, p.cols, sizeof(typename Container::value_type), Container::rank > 1));
    fresh->inner = p.inner;
    if (tiles > 0) set_tiles(*fresh, tiles);
    const auto e = copy_of(x);
    run_map(collected_map(map_site(e), e, p.cols), Container::rank, fresh.get(),
            {0, p.rows, p.cols, p.cols, 1, p.inner});
    x.adopt(std::move(fresh));
}

} // namespace detail

/// Cuts a container as the distribution says, and deals it out to the ranks. Free before the first task uses the
/// container of a program that runs alone; else its elements are copied, and go to their ranks, asynchronously (views
/// show them as before). Several ranks all make the call. Errors: borrowed memory that tasks already use, or that would
/// change its rank; a grid that has not as many places as there are ranks, blocks of nothing.
template <class Container>
void distribute(Container& x, const distribution& d, detail::caller where = detail::caller::here())
{
    static_assert(
        requires { x.clear(); }, "skelrt: sk::distribute takes a container, not a view");
    if (!x.storage() || x.size() == 0) return;
    const detail::placement p = x.place();
    const std::size_t tiles = d.tiles_for(Container::rank == 1 ? p.cols : p.rows);
    if (auto dealt = detail::deal_out(*x.storage(), d.over_ranks(), Container::rank, tiles, where))
        return x.adopt(std::move(dealt));
    const bool used = x.storage()->managed.load(std::memory_order_acquire);
    if (used && !x.storage()->borrowed) detail::recut(x, tiles);
    else if (tiles > 0) x.set_tiles(tiles);
}

/// The same for data of which several copies exist, one a row, each changed by itself: they are combined in the order
/// of the rows with an associative operator, and the result is cut. How the private results of a copy become one block.
template <class T, class Op>
vector<T> distribute(const matrix<T>& copies, const distribution& d, const function<Op>& combine)
{
    const reduce<Op, void*> over(combine);
    vector<T> one(over.by_column(copies));
    distribute(one, d);
    return one;
}

} // namespace skelrt
