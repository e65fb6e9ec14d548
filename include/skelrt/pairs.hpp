// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reduce.hpp"

namespace skelrt
{

namespace detail
{

template <bool Rows, class Argument>
auto make_side(const Argument& a)
{
    constexpr bool works = side<Argument> || expression<Argument> || container<Argument>;
    static_assert(works,
                  "skelrt: an operand of pairs is a vector, a matrix (for an sk::vec parameter), a view, or a map "
                  "call that gives a vector");
    if constexpr (!works) {
        return refused_call{};
    } else if constexpr (side<Argument> || is_refused<Argument>) {
        return a;
    } else if constexpr (expression<Argument>) {
        // Computed once per element, not once per pair.
        using T = typename Argument::value;
        const vector<T> values(a);
        return side_operand<T, 1, Rows>{values.storage(), values.place()};
    } else {
        return side_operand<typename Argument::value_type, Argument::rank, Rows>{a.storage(), a.place()};
    }
}

} // namespace detail

/// An operand of a call on a matrix that has one element per row of it: the function gets element i at every position
/// (i, j). Of a matrix, the function gets row i as an sk::vec. A map call as argument is evaluated now, into a vector.
///
///     m = sk::map(scale)(sk::per_row(weights), m);   // every row has its own weight
template <class Argument>
[[nodiscard]] auto per_row(const Argument& a)
{
    return detail::make_side<true>(a);
}

/// The same for columns: the function gets element j (of a matrix: row j as an sk::vec) at every position (i, j).
template <class Argument>
[[nodiscard]] auto per_column(const Argument& a)
{
    return detail::make_side<false>(a);
}

/// All pairs of the elements of two vectors: map_pairs(f)(x, y) is the matrix of f(x[i], y[j]).
///
/// Arguments after the first two are as in sk::map, on the matrix x.size() x y.size(): matrices (element (i, j)), plain
/// values, sk::scalar, sk::vec and sk::mat parameters, sk::per_row and sk::per_column for more vectors; a leading
/// sk::index2 is the position. The call is lazy and a map call in every respect: it nests, and reductions of it fuse,
/// so that the matrix need not exist: sum(map_pairs(f)(x, y)), sum.by_row(...), sum.by_column(...). O(x.size() *
/// y.size()) calls of f. Errors: as sk::map.
template <class Lambda>
class [[nodiscard]] map_pairs
{
public:
    explicit constexpr map_pairs(const function<Lambda>& f, detail::caller where = detail::caller::here())
        : map_(f, where)
    {
    }

    /// See sk::map.
    map_pairs& use(const plan& p)
    {
        map_.use(p);
        return *this;
    }

    template <class X, class Y, class... Rest>
    auto operator()(const X& x, const Y& y, const Rest&... rest) const
    {
        return map_(per_row(x), per_column(y), rest...);
    }

private:
    map<Lambda> map_;
};

template <>
class [[nodiscard]] map_pairs<detail::refused> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit map_pairs(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Lambda>
map_pairs(const function<Lambda>&) -> map_pairs<detail::checked<Lambda>>;
template <class F>
map_pairs(const F&) -> map_pairs<detail::refused>;

/// All pairs of the elements of two vectors, reduced without a matrix in between.
///
/// map_pairs_reduce(f, op, start)(x, y): the vector of start op f(x[i], y[0]) op f(x[i], y[1]) ..., one value per
/// element of x; .by_column(x, y): one per element of y, with x[0], x[1], ... in order. Further arguments as for
/// sk::map_pairs. `op` is associative; the operands keep their order. Without a start value, empty reductions are an
/// sk::error. O(x.size() * y.size()) calls of f and op, no memory beyond the result.
template <class Lambda, class Op, class Start>
class [[nodiscard]] map_pairs_reduce
{
public:
    constexpr map_pairs_reduce(const function<Lambda>& f, const function<Op>& op, const Start& start,
                               detail::caller where = detail::caller::here())
        : pairs_(f, where), reduce_(op, start, where)
    {
    }
    constexpr map_pairs_reduce(
        const function<Lambda>& f, const function<Op>& op,
        detail::caller where = detail::caller::here()) requires std::is_void_v<std::remove_pointer_t<Start>>
        : pairs_(f, where), reduce_(op, where)
    {
    }

    /// See sk::map.
    map_pairs_reduce& use(const plan& p)
    {
        reduce_.use(p);
        return *this;
    }

    template <class X, class Y, class... Rest>
    auto operator()(const X& x, const Y& y, const Rest&... rest) const
    {
        return reduce_.by_row(pairs_(x, y, rest...));
    }
    template <class X, class Y, class... Rest>
    auto by_column(const X& x, const Y& y, const Rest&... rest) const
    {
        return reduce_.by_column(pairs_(x, y, rest...));
    }

private:
    map_pairs<Lambda> pairs_;
    reduce<Op, Start> reduce_;
};

template <class Start>
class [[nodiscard]] map_pairs_reduce<detail::refused, detail::refused, Start> : public detail::refused_skeleton<2>
{
public:
    template <class... Args>
    constexpr explicit map_pairs_reduce(const Args&... args) : detail::refused_skeleton<2>(args...)
    {
    }
};

template <class Lambda, class Op, class Start>
map_pairs_reduce(const function<Lambda>&, const function<Op>&, const Start&)
    -> map_pairs_reduce<detail::checked<Lambda, Op>, detail::checked<Op, Lambda>, Start>;
template <class Lambda, class Op>
map_pairs_reduce(const function<Lambda>&, const function<Op>&)
    -> map_pairs_reduce<detail::checked<Lambda, Op>, detail::checked<Op, Lambda>, void*>;
template <class F, class G, class... Start>
map_pairs_reduce(const F&, const G&, const Start&...) -> map_pairs_reduce<detail::refused, detail::refused, void*>;

} // namespace skelrt
