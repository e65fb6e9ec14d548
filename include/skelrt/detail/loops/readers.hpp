// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../expression.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The operands of a block as its loops see them: columns of a row.
namespace skelrt::detail
{

/// One leaf as a loop over the columns of a row sees it. `Linear`: consecutive elements, known at compile time.
template <class Leaf, bool Linear>
struct column_reader {
    using value = typename Leaf::value;
    const value* at;
    std::size_t stride;

    column_reader(const slot_view& s, std::size_t row)
        : at(static_cast<const value*>(s.data) + way(row, s.ld)), stride(s.stride)
    {
    }
    const value& get(std::size_t col) const { return at[way(col, Linear ? 1 : stride)]; }
    void prefetch(std::size_t col) const { __builtin_prefetch(at + way(col, Linear ? 1 : stride)); }
};

template <class T, bool Linear>
struct column_reader<uniform_leaf<T>, Linear> {
    T value;
    column_reader(const slot_view& s, std::size_t) : value(*static_cast<const T*>(s.data)) {}
    const T& get(std::size_t) const { return value; }
};

template <class T, bool Linear>
struct column_reader<scalar_leaf<T>, Linear> : column_reader<uniform_leaf<T>, Linear> {
    using column_reader<uniform_leaf<T>, Linear>::column_reader;
};
template <class E, bool Linear>
struct column_reader<later_scalar_leaf<E>, Linear> : column_reader<uniform_leaf<typename E::value>, Linear> {
    using column_reader<uniform_leaf<typename E::value>, Linear>::column_reader;
};

template <class T, bool Linear>
struct column_reader<vec_leaf<T>, Linear> {
    vec<T> value;
    column_reader(const slot_view& s, std::size_t) : value(static_cast<const T*>(s.data), s.cols) {}
    const vec<T>& get(std::size_t) const { return value; }
};

template <class T, bool Linear>
struct column_reader<mat_leaf<T>, Linear> {
    mat<T> value;
    column_reader(const slot_view& s, std::size_t) : value(static_cast<const T*>(s.data), s.rows, s.cols, s.ld) {}
    const mat<T>& get(std::size_t) const { return value; }
};

template <class T, class View, bool Linear>
struct column_reader<accumulator_leaf<T, View>, Linear> {
    View value;
    column_reader(const slot_view& s, std::size_t) : value(static_cast<T*>(s.data), s.cols) {}
    const View& get(std::size_t) const { return value; }
};

template <class T, bool Linear>
struct column_reader<output_leaf<T>, Linear> {
    T* at;
    std::size_t stride;

    column_reader(const slot_view& s, std::size_t row) : at(static_cast<T*>(s.data) + way(row, s.ld)), stride(s.stride)
    {
    }
    T& get(std::size_t col) const { return at[way(col, Linear ? 1 : stride)]; }
};

template <class T, bool Linear>
struct column_reader<row_leaf<T>, Linear> {
    T value;
    column_reader(const slot_view& s, std::size_t row) : value(static_cast<const T*>(s.data)[way(row, s.ld)]) {}
    const T& get(std::size_t) const { return value; }
};

template <class T, bool Linear>
struct column_reader<column_leaf<T>, Linear> : column_reader<element_leaf<T>, Linear> {
    using column_reader<element_leaf<T>, Linear>::column_reader;
};

template <class T, bool Linear>
struct column_reader<transposed_leaf<T>, Linear> : column_reader<element_leaf<T>, Linear> {
    using column_reader<element_leaf<T>, Linear>::column_reader;
};

template <class T, bool Linear>
struct column_reader<row_vec_leaf<T>, Linear> {
    vec<T> value;
    column_reader(const slot_view& s, std::size_t row) : value(static_cast<const T*>(s.data) + row * s.ld, s.cols) {}
    const vec<T>& get(std::size_t) const { return value; }
};

template <class T, bool Linear>
struct column_reader<column_vec_leaf<T>, Linear> {
    const T* first;
    std::size_t step, size;
    column_reader(const slot_view& s, std::size_t) : first(static_cast<const T*>(s.data)), step(s.stride), size(s.cols)
    {
    }
    vec<T> get(std::size_t col) const { return vec<T>(first + col * step, size); }
};

/// A hood at each element of the row. Elements of hood operands follow each other.
template <class T, int Rank, class Source, bool Linear>
struct column_reader<hood_leaf<T, Rank, Source>, Linear> {
    const T* at;
    std::ptrdiff_t ld, plane;

    column_reader(const slot_view& s, std::size_t row)
        : at(static_cast<const T*>(s.data) + row * s.ld), ld(static_cast<std::ptrdiff_t>(s.ld)),
          plane(static_cast<std::ptrdiff_t>(s.plane))
    {
    }
    typename hood_of<T, Rank>::type get(std::size_t col) const
    {
        if constexpr (Rank == 1) return hood1<T>(at + col, plane);
        else if constexpr (Rank == 2) return hood2<T>(at + col, ld);
        else return hood3<T>(at + col, plane, ld);
    }
};

/// See checked.hpp.
template <class Leaf>
inline constexpr bool is_checked = false;
template <class List>
inline constexpr bool any_checked = false;
template <class... L>
inline constexpr bool any_checked<type_list<L...>> = (is_checked<L> || ...);

template <bool Linear, class List, class Sequence>
struct row_reader;

/// All leaves of a tree at one row of a block.
template <bool Linear, class... Leaves, std::size_t... K>
struct row_reader<Linear, type_list<Leaves...>, std::index_sequence<K...>> {
    static constexpr bool checked = (is_checked<Leaves> || ...); ///< functions are told to check their indices
    std::tuple<column_reader<Leaves, Linear>...> leaves;

    row_reader(const slot_view* slots, std::size_t row) : leaves{column_reader<Leaves, Linear>(slots[K], row)...}
    {
        (void)slots, (void)row;
    }
    template <std::size_t I>
    decltype(auto) get(std::size_t col) const
    {
        return std::get<I>(leaves).get(col);
    }
    /// Asks for the elements at a column that will be read soon; it need not exist.
    void prefetch(std::size_t col) const
    {
        std::apply(
            [&](const auto&... leaf) {
                [[maybe_unused]] const auto ask = [&](const auto& l) {
                    if constexpr (requires { l.prefetch(col); }) l.prefetch(col);
                };
                (ask(leaf), ...);
            },
            leaves);
        (void)col;
    }
};

template <class List>
struct indices_of;
template <class... L>
struct indices_of<type_list<L...>> {
    using type = std::index_sequence_for<L...>;
};

/// Whether a tree has loops of their own for strides of 1. Those with checks have not: they are no faster.
template <class N>
inline constexpr bool has_linear_loops = !any_checked<leaves_of<N>>;

template <class N, bool Linear>
using reader = row_reader<Linear && has_linear_loops<N>, leaves_of<N>, typename indices_of<leaves_of<N>>::type>;

template <class List>
struct element_slots;
template <class... L>
struct element_slots<type_list<L...>> {
    static constexpr bool is[] = {
        (L::kind == slot_kind::element || L::kind == slot_kind::column_element || L::kind == slot_kind::output)...,
        true};
    /// Operands of pairs know rows from columns.
    static constexpr bool pairs =
        ((moves(L::kind) && L::kind != slot_kind::element && L::kind != slot_kind::output) || ...);
};

/// Whether the element slots (and the result, slot number `count - 1` of them) have stride 1.
template <class N>
bool is_linear(const slot_view* slots, bool with_result)
{
    constexpr auto& is = element_slots<leaves_of<N>>::is;
    const std::size_t n = leaf_count<N>::value + (with_result ? 1 : 0);
    for (std::size_t k = 0; k < n; ++k)
        if (is[k] && slots[k].stride != 1) return false;
    return true;
}

/// Whether rows follow each other with the steps of their elements in all element slots, so that the block is one long
/// row.
template <class N>
bool is_one_row(const cpu_block& b, bool with_result)
{
    constexpr auto& is = element_slots<leaves_of<N>>::is;
    const std::size_t n = leaf_count<N>::value + (with_result ? 1 : 0);
    for (std::size_t k = 0; k < n; ++k)
        if (is[k] && b.slots[k].ld != b.where.cols * b.slots[k].stride) return false;
    return true;
}

/// A block whose rows may be joined (no index needed, no gaps) as a block of one row.
template <class N>
segment joined(const cpu_block& b, bool with_result)
{
    segment s = b.where;
    if constexpr (!uses_index<N> && !element_slots<leaves_of<N>>::pairs && !has_hoods<N>) {
        if (s.rows > 1 && is_one_row<N>(b, with_result)) {
            s.cols *= s.rows;
            s.rows = 1;
        }
    }
    return s;
}

} // namespace skelrt::detail
