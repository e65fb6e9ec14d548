// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "filter.hpp"
#include "map.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "stencil.hpp"
#include "wavefront.hpp"

namespace skelrt
{

namespace detail
{

/// The rank of what a call gives, as far as its type tells; 0 where a shape decides when the program runs.
template <class N>
inline constexpr int rank_of = 0;
template <class T, int Rank>
inline constexpr int rank_of<element_leaf<T, Rank>> = Rank;
template <class T>
inline constexpr int rank_of<row_leaf<T>> = 2;
template <class T>
inline constexpr int rank_of<column_leaf<T>> = 2;
template <class T>
inline constexpr int rank_of<row_vec_leaf<T>> = 2;
template <class T>
inline constexpr int rank_of<column_vec_leaf<T>> = 2;
template <class T>
inline constexpr int rank_of<transposed_leaf<T>> = 2;
template <makes_container E>
inline constexpr int rank_of<E> = E::template result_container<typename E::value>::rank;
template <class E>
inline constexpr int rank_of<later_leaf<E>> = rank_of<E>;
template <class T, int HoodRank, int Rank>
inline constexpr int rank_of<hood_leaf<T, HoodRank, present<Rank>>> = Rank;
template <class T, int HoodRank, int Rank>
inline constexpr int rank_of<hood_leaf<T, HoodRank, part_source<T, Rank>>> = Rank;
template <class T, int HoodRank, class E>
inline constexpr int rank_of<hood_leaf<T, HoodRank, later<E>>> = HoodRank > 1 ? HoodRank : rank_of<E>;
template <class T, int HoodRank, class E>
inline constexpr int rank_of<mapped_hood<T, HoodRank, E>> = HoodRank > 1 ? HoodRank : rank_of<E>;
template <class L>
inline constexpr int rank_of<leaf_expression<L>> = rank_of<L>;
template <class Less, class N>
class sort_expression;
template <class Less, class N>
inline constexpr int rank_of<sort_expression<Less, N>> = 1;
template <skeleton Kind, bool Exclusive, class Op, class T, class N>
inline constexpr int rank_of<scan_expression<Kind, Exclusive, Op, T, N>> = Kind == skeleton::scan ? rank_of<N> : 2;

template <class N, class Edges>
inline constexpr int rank_of<wavefront_expression<N, Edges>> = 2;

constexpr int largest_rank(std::initializer_list<int> ranks)
{
    int largest = 0;
    for (const int r : ranks) largest = r > largest ? r : largest;
    return largest;
}

/// Operands tell the rank; without any, an index of a matrix or a tensor does.
constexpr int rank_of_map(int operands, index_use index)
{
    if (operands > 0) return operands;
    return index == index_use::two ? 2 : index == index_use::three ? 3 : index == index_use::four ? 4 : 0;
}
template <class Lambda, class... Nodes>
inline constexpr int rank_of<map_expression<Lambda, Nodes...>> = rank_of_map(largest_rank({rank_of<Nodes>...}),
                                                                             index_of<Lambda>());
template <class Lambda, class... Nodes>
inline constexpr int rank_of<keeping_expression<Lambda, Nodes...>> = rank_of<map_expression<Lambda, Nodes...>>;

template <class T, int Rank>
struct container_of_rank {
    using type = tensor<T, Rank>;
};
template <class T>
struct container_of_rank<T, 1> {
    using type = vector<T>;
};
template <class T>
struct container_of_rank<T, 2> {
    using type = matrix<T>;
};

/// Whether a call may be one of scalars and plain values only, which gives one value.
template <class E>
constexpr bool gives_one_value()
{
    if constexpr (reduces_to_one<E>) return true;
    else if constexpr (maps_values<E>) return all_scalars<leaves_of<E>> && leaf_count<E>::value > 0 && !uses_index<E>;
    else return false;
}

} // namespace detail

/// Evaluates a call now, asynchronously, into a container of its own: auto y = sk::eval(f(x)), where auto y = f(x) is a
/// call that reads x when it is assigned somewhere, whatever x holds by then.
///
/// Gives an sk::vector, sk::matrix or sk::tensor, as the call's operands are; an sk::scalar of a reduction to one value
/// and of a map of scalars. Containers and views are copied. A call whose shape is an argument (sk::shape) has no type
/// that tells its
/// dimensions: name the container, sk::matrix<float> y = f(sk::shape(n, m)).
/// Errors: as assigning the call.
template <class Call>
auto eval(const Call& call)
{
    static_assert(detail::expression<Call> || detail::container<Call>,
                  "skelrt: sk::eval takes a call of a skeleton, a container or a view");
    if constexpr (!detail::expression<Call>) {
        using T = typename Call::value_type;
        if constexpr (detail::scalar_container<Call>) return scalar<T>(call);
        else {
            typename detail::container_of_rank<T, Call::rank>::type made;
            if constexpr (requires { typename Call::skelrt_view; })
                detail::assign_to_container(made, detail::copy_of(call));
            else made = call;
            return made;
        }
    } else if constexpr (detail::gives_one_value<Call>()) {
        return scalar<typename Call::value>(call);
    } else if constexpr (requires { typename Call::skelrt_reduction; }) {
        return typename Call::template result_container<typename Call::value>(call);
    } else {
        constexpr int rank = detail::rank_of<Call>;
        static_assert(rank > 0,
                      "skelrt: this call's type does not tell whether it gives a vector, a matrix or a tensor (its "
                      "shape is an argument); write sk::vector<T> y = call, or sk::matrix, or sk::tensor");
        if constexpr (rank > 0) return typename detail::container_of_rank<typename Call::value, rank>::type(call);
    }
}

} // namespace skelrt
