#pragma once

#include "reduce.hpp"
#include "tensor.hpp"

#include <cstddef>

namespace skelrt
{

/// How a container is cut, as a hint: results never depend on it. See sk::distribute.
class distribution
{
public:
    /// In one piece: one device at a time has it all.
    static constexpr distribution single() { return {1, 0}; }
    /// In equal tiles that devices share; 0: as many as the runtime thinks right.
    static constexpr distribution block(std::size_t tiles = 0) { return {tiles, 0}; }
    /// Read whole by every device (sk::vec and sk::mat parameters): one piece, of which each device keeps a copy while
    /// it is valid, so that none has to be gathered.
    static constexpr distribution copy() { return {1, 0}; }
    /// As block, for stencils that reach `lines` elements, rows or planes: no tile is shorter than what its neighbours
    /// read, so a halo comes from one neighbour alone.
    static constexpr distribution overlap(std::size_t lines, std::size_t tiles = 0) { return {tiles, lines}; }

    /// Tiles for so many lines (elements, rows or planes); 0: the runtime's choice.
    constexpr std::size_t tiles_for(std::size_t lines) const
    {
        if (shortest_ == 0 || lines == 0) return tiles_;
        const std::size_t most = lines / shortest_ > 0 ? lines / shortest_ : 1;
        if (tiles_ > 0) return tiles_ < most ? tiles_ : most;
        return most < usual_tiles ? most : 0;
    }

private:
    static constexpr std::size_t usual_tiles = 32; ///< what the runtime chooses at most
    constexpr distribution(std::size_t tiles, std::size_t shortest) : tiles_(tiles), shortest_(shortest) {}
    std::size_t tiles_, shortest_;
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
    operand operands[2];
    operand* out = operands;
    collect_operands(e, out);
    run_map(map_site(e), e, Container::rank, fresh.get(), {0, p.rows, p.cols, p.cols, 1, p.inner}, operands);
    x.adopt(std::move(fresh));
}

} // namespace detail

/// Cuts a container as the distribution says. Free before the first task uses the container; later, its elements are
/// copied, asynchronously (views show them as before). Errors: borrowed memory that tasks already use.
template <class Container>
void distribute(Container& x, const distribution& d)
{
    static_assert(
        requires { x.clear(); }, "skelrt: sk::distribute takes a container, not a view");
    if (!x.storage() || x.size() == 0) return;
    const detail::placement p = x.place();
    const std::size_t tiles = d.tiles_for(Container::rank == 1 ? p.cols : p.rows);
    // Ranks differ in what tasks have used, and are to make the same calls.
    const bool used = x.storage()->dealt || x.storage()->managed.load(std::memory_order_acquire);
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
