// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/expression.hpp"
#include "view.hpp"

#include <type_traits>

namespace skelrt
{

/// A view as an argument for hoods that see around it: what with_neighbours() makes.
template <class T, int Rank>
class part_with_neighbours
{
public:
    using skelrt_part = void;
    using value_type = T;
    using view = std::conditional_t<Rank == 1, view1<T>, view2<T>>;
    static constexpr int rank = Rank;

    explicit part_with_neighbours(const view& part) : part_(part) {}
    const view& part() const noexcept { return part_; }

private:
    view part_;
};

/// A part of a container, with what lies around it: out.sub(r, r, n, m) = star(sk::with_neighbours(in.sub(r, r, n, m)))
/// computes n x m elements, and the hoods at their edge see the elements of `in` next to the part. The border stands
/// beyond the container, and a call that stays away from there never asks for it. A view without these words ends where
/// it ends: the border is at its edge.
///
/// The neighbours of x.range() are elements of the vector, those of m.sub() of the matrix, those of m.row(i) and
/// m.column(j) of that row or column, those of t.plane(i) and its parts of that plane. Where a view has steps, they are
/// as far apart as its elements. Nothing is copied but columns and what views with steps see.
/// An argument for the hoods of a stencil; all hoods of a call look around in parts that lie alike in grids of one
/// shape. Other arguments, indices and the result count in the part. Not for iterations, whose grid must be all there.
template <class T>
[[nodiscard]] part_with_neighbours<T, 1> with_neighbours(const view1<T>& part)
{
    return part_with_neighbours<T, 1>(part);
}
template <class T>
[[nodiscard]] part_with_neighbours<T, 2> with_neighbours(const view2<T>& part)
{
    return part_with_neighbours<T, 2>(part);
}
SKELRT_DETAIL_REFUSED(
    "skelrt: sk::with_neighbours takes a view (x.range, m.sub, m.row, t.plane); around a whole container "
    "there is nothing, hand it over as it is",
    detail::container<Other>&& requires(Other whole) { whole.clear(); })
detail::refused_call with_neighbours(const Other&) SKELRT_DETAIL_DELETED;

namespace detail
{

template <class T>
concept part_argument = requires
{
    typename T::skelrt_part;
};

/// Data that hoods look around in from a part of it.
template <class T, int Rank>
class part_source
{
    using view = typename part_with_neighbours<T, Rank>::view;

public:
    explicit part_source(const view& part) : part_(part) {}

    extent shape() const { return extent_of(Rank, part_.place()); }
    bool empty() const noexcept { return part_.empty(); }
    /// Where the part lies in its grid.
    grid_part place() const { return empty() ? grid_part{} : part_.grid(); }
    /// The data, which lives as long as this and the tasks that use it. A grid whose elements do not follow each other
    /// is copied.
    storage* get() const
    {
        if (!is_copied()) return part_.storage().get();
        made_ = copy_of_grid();
        return made_.get();
    }
    /// Its lines beside the part, each from its start on.
    placement lines() const
    {
        const placement& p = part_.place();
        const grid_part& at = part_.grid();
        if constexpr (Rank == 1) return {is_copied() ? at.col : p.offset, 1, p.cols, p.cols, 1};
        else return {is_copied() ? at.row * at.cols : p.offset - at.col, p.rows, at.cols, at.cols, 1};
    }

private:
    bool is_copied() const noexcept
    {
        const placement& p = part_.place();
        return !empty() && (p.stride != 1 || (Rank == 2 && p.ld != part_.grid().cols));
    }
    storage_ref copy_of_grid() const;

    view part_;
    mutable storage_ref made_;
};

/// Whether hoods of a tree look around in parts.
template <class N>
inline constexpr bool is_part_leaf = false;
template <class T, int HoodRank, int Rank>
inline constexpr bool is_part_leaf<hood_leaf<T, HoodRank, part_source<T, Rank>>> = true;

template <class List>
inline constexpr bool any_part = false;
template <class... L>
inline constexpr bool any_part<type_list<L...>> = (is_part_leaf<L> || ...);
template <class N>
inline constexpr bool sees_parts = false;
template <class N>
    requires(leaf<N> || requires { typename N::leaf_types; })
inline constexpr bool sees_parts<N> = any_part<leaves_of<N>>;

/// Where the part of all hoods of a tree lies.
class common_part
{
public:
    void add(const grid_part& one, const recipe& r)
    {
        if (known_ && all_ != one) throw_part_mismatch(r, all_, one);
        all_ = one;
        known_ = true;
    }
    const grid_part& get() const noexcept { return all_; }

private:
    grid_part all_;
    bool known_ = false;
};

template <class N>
void collect_part(const N& node, common_part& all, const recipe& r)
{
    if constexpr (!leaf<N>) std::apply([&](const auto&... n) { (collect_part(n, all, r), ...); }, node.nodes());
    else if constexpr (is_part_leaf<N>) all.add(node.source.place(), r);
    else if constexpr (sees_hood(N::kind)) all.add({}, r);
}

} // namespace detail
} // namespace skelrt
