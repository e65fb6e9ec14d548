// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "before.hpp"
#include "border.hpp"
#include "detail/loops/wavefront.hpp"
#include "map.hpp"

#include <type_traits>

namespace skelrt
{

/// What lies around the result of a wavefront: the row above it, the column to its left, and the corner between them.
/// Their lengths are the columns and the rows of the result. Argument of a wavefront without a border.
template <class T>
class edges
{
public:
    using value_type = T;
    template <detail::container Above, detail::container Left>
    edges(const Above& above, const Left& left, const T& corner)
        : above_{above.storage(), above.place()}, left_{left.storage(), left.place()}, corner_(corner)
    {
        static_assert(Above::rank == 1 && Left::rank == 1,
                      "skelrt: sk::edges takes two vectors (m.row(i) of a matrix) and a value");
        static_assert(std::is_same_v<typename Above::value_type, T> && std::is_same_v<typename Left::value_type, T>,
                      "skelrt: the two vectors of sk::edges have one element type");
    }

    const detail::vec_leaf<T>& above() const noexcept { return above_; }
    const detail::vec_leaf<T>& left() const noexcept { return left_; }
    const T& corner() const noexcept { return corner_; }

private:
    detail::vec_leaf<T> above_, left_;
    T corner_;
};
template <class Above, class Left, class Corner>
edges(const Above&, const Left&, const Corner&) -> edges<typename Above::value_type>;

namespace detail
{

template <class T>
inline constexpr bool is_edges = false;
template <class T>
inline constexpr bool is_edges<edges<T>> = true;

/// What lies around a wavefront's result if it is one value, which the tree has.
struct no_edges {
    static constexpr std::size_t leaves = 0;
    using leaf_types = type_list<>;
};
/// The row above and the column to the left.
template <class T>
struct edge_leaves {
    static constexpr std::size_t leaves = 2;
    using leaf_types = type_list<vec_leaf<T>, vec_leaf<T>>;
    vec_leaf<T> above, left;
};

/// A wavefront that waits to be assigned. N: its function over its operands; Edges: no_edges or edge_leaves.
template <class N, class Edges>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] wavefront_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    static constexpr std::size_t leaves = leaf_count<N>::value + Edges::leaves;
    using leaf_types = typename concat<leaves_of<N>, typename Edges::leaf_types>::type;
    using value = typename N::value;

    wavefront_expression(N node, Edges around) : node_(std::move(node)), around_(std::move(around)) {}

    const N& node() const noexcept { return node_; }
    const Edges& around() const noexcept { return around_; }
    const plan* use() const noexcept { return node_.source().use; }
    call_site& site() const
    {
        static call_site& s = describe_once(*this);
        return s;
    }

private:
    [[gnu::cold]] static call_site& describe_once(const wavefront_expression& e)
    {
        call_site& s = new_call_site(skeleton::wavefront);
        recipe& r = s.what;
        r.root = describe(e.node_, r);
        r.has_edges = Edges::leaves > 0;
        for (std::size_t k = 0; k < Edges::leaves; ++k) add_slot(r, slot_of<value>(slot_kind::vec));
        add_slot(r, slot_of<value>(slot_kind::element));
        set_result<value>(r);
        r.cpu.wavefront = &wavefront_block<N>;
        if constexpr (makes_indices<N>)
            if (checks_bounds()) r.cpu.wavefront = in_checked_call<&wavefront_block<with_checks<N>>>;
        register_recipe(r);
        return s;
    }

    N node_;
    Edges around_;
};

template <class N, class Edges>
inline constexpr bool has_nested_calls<wavefront_expression<N, Edges>> = has_nested_calls<N>;
template <class N, class Edges>
auto unfused(const wavefront_expression<N, Edges>& e, const extent& x)
{
    return wavefront_expression<decltype(unfused(e.node(), x)), Edges>(unfused(e.node(), x), e.around());
}

template <class N, class Edges>
void join_extent(const wavefront_expression<N, Edges>& w, extent& e, std::size_t& argument, const recipe& r)
{
    if constexpr (Edges::leaves > 0) {
        const std::size_t rows = w.around().left.place.cols, cols = w.around().above.place.cols;
        join_extent(w.node(), e, argument, r);
        if (!e.join({2, rows, cols})) throw_edge_mismatch(r, rows, cols, e);
        argument += Edges::leaves;
    } else {
        join_extent(w.node(), e, argument, r);
    }
    if (e.rank != 0 && e.rank != 2) throw_wavefront_rank(r, e);
}
template <class N, class Edges>
void collect_operands(const wavefront_expression<N, Edges>& w, operand*& out)
{
    collect_operands(w.node(), out);
    if constexpr (Edges::leaves > 0) {
        collect_operands(w.around().above, out);
        collect_operands(w.around().left, out);
    }
}
template <class N, class Edges, index_use Use>
inline constexpr bool uses<wavefront_expression<N, Edges>, Use> = uses<N, Use>;

// --- what a wavefront's function and border are ---------------------------------------------------------------------

template <class P>
struct before_parameter {
    static constexpr bool is = false;
    using value = int; // goes on without more messages
};
template <class T>
struct before_parameter<before2<T>> {
    static constexpr bool is = true;
    using value = T;
};

template <class F>
inline constexpr bool sees_before = true;
template <class Lambda>
    requires(fault_of<function<Lambda>> == function_fault::none)
inline constexpr bool sees_before<function<Lambda>> = before_parameter<parameter<Lambda, 0>>::is;

template <class Lambda>
using checked_wavefront = std::conditional_t<sees_before<function<Lambda>>, checked<Lambda>, refused>;

template <class Border>
inline constexpr bool surrounds_wavefront = false;
template <class T>
inline constexpr bool surrounds_wavefront<border::constant<T>> = true;

/// Stands for the border of a wavefront whose calls have sk::edges.
struct border_of_call {
};

} // namespace detail

/// Each element of a matrix from the results to its left, above it, and between these: dynamic programming.
///
///     auto paths = sk::wavefront(SKELRT_FN((sk::before2<float> d, float cost) {
///                                    return cost + fminf(d.diagonal(), fminf(d.left(), d.above()));
///                                }),
///                                sk::border::constant(0.0f));
///     table = paths(costs);
///
/// The function's first parameter, behind an sk::index2 if it asks for one, is sk::before2<T>; it returns a T. The
/// other parameters are those of sk::map: elements, whole vectors and matrices, uniform values, map calls, sk::per_row
/// and sk::per_column. What lies outside the matrix is one value, sk::border::constant, or comes with each call as its
/// first argument: sk::edges(row above, column to the left, corner), which gives the shape, too. With neither edges nor
/// operands an sk::shape comes first.
/// The call is lazy; assigning it to a matrix evaluates it, asynchronously, and in place where the destination is an
/// operand. One device does all of a call: cores go along bands of rows, each a little behind the one above, and so do
/// the warps of a GPU. Over several ranks each does the whole call, and keeps of the result what it holds.
/// O(rows * columns) calls of the function, of which rows + columns follow from each other.
/// Errors (sk::error): as sk::map; anything but a matrix; edges of other lengths than the operands.
template <class Lambda, class Border = detail::border_of_call>
class [[nodiscard]] wavefront
{
    using T = typename detail::before_parameter<detail::parameter<Lambda, 0>>::value;
    static constexpr bool has_border = detail::surrounds_wavefront<Border>;

public:
    explicit constexpr wavefront(const function<Lambda>& f, const Border& border = {},
                                 detail::caller where = detail::caller::here()) requires(!has_border)
        : source_(detail::made_at(f.source(), where)), border_(border)
    {
    }
    constexpr wavefront(const function<Lambda>& f, const Border& border,
                        detail::caller where = detail::caller::here()) requires has_border
        : source_(detail::made_at(f.source(), where)),
          border_(border)
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    wavefront& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return in_border(detail::extent{}, args...);
    }
    /// With an explicit shape in front.
    template <class... Args>
    auto operator()(const shape& s, const Args&... args) const
    {
        return in_border(s.extent(), args...);
    }
    /// With what lies around the result in front.
    template <class U, class... Args>
    auto operator()(const edges<U>& around, const Args&... args) const
    {
        constexpr bool same = std::is_same_v<U, T>;
        static_assert(!has_border, "skelrt: a wavefront with a border takes no sk::edges: leave out one or the other");
        static_assert(same, "skelrt: sk::edges has elements of the type that the wavefront's function sees before it");
        if constexpr (!has_border && same)
            return build(around.corner(), detail::edge_leaves<T>{around.above(), around.left()}, detail::extent{},
                         std::index_sequence_for<Args...>{}, args...);
        else return detail::refused_call{};
    }

private:
    template <class... Args>
    auto in_border(const detail::extent& given, const Args&... args) const
    {
        static_assert(has_border, "skelrt: a wavefront without a border takes sk::edges(above, left, corner) first");
        if constexpr (has_border) {
            constexpr bool converts = std::is_convertible_v<decltype(Border::value), T>;
            static_assert(converts, "skelrt: the border's constant is no element of the wavefront's result");
            if constexpr (converts)
                return build(static_cast<T>(border_.value), detail::no_edges{}, given,
                             std::index_sequence_for<Args...>{}, args...);
            else return detail::refused_call{};
        } else {
            return detail::refused_call{};
        }
    }

    template <class Edges, std::size_t... I, class... Args>
    auto build(const T& outside, Edges around, const detail::extent& given, std::index_sequence<I...>,
               const Args&... args) const
    {
        constexpr std::size_t own = detail::index_of<Lambda>() == detail::index_use::none ? 1 : 2;
        constexpr bool as_many = detail::signature<Lambda>::list::size == sizeof...(Args) + own;
        static_assert(as_many,
                      "skelrt: a wavefront is called with another number of arguments than its function has parameters "
                      "(a leading index and the sk::before2 are not arguments)");
        if constexpr (as_many) {
            return of(std::move(around), detail::checked_expression<detail::map_expression, Lambda>(
                                             source_, given, detail::before_node<T>(outside),
                                             detail::make_argument<detail::parameter<Lambda, I + 1>, true>(args)...));
        } else {
            return detail::refused_call{};
        }
    }

    template <class Edges, class N>
    static auto of(Edges around, N node)
    {
        if constexpr (detail::is_refused<N>) {
            return node;
        } else {
            constexpr bool same = std::is_same_v<typename N::value, T>;
            static_assert(same, "skelrt: a wavefront's function returns what it sees: (sk::before2<T>, ...) -> T");
            if constexpr (same) return detail::wavefront_expression<N, Edges>(std::move(node), std::move(around));
            else return detail::refused_call{};
        }
    }

    detail::function_source source_;
    Border border_;
};

/// Wavefronts that cannot be, and say why.
template <class Border>
class [[nodiscard]] wavefront<detail::refused, Border> : public detail::refused_skeleton<>
{
public:
    template <class F, class... Rest>
    constexpr explicit wavefront(const F& f, const Rest&... rest) : detail::refused_skeleton<>(f, rest...)
    {
        static_assert(detail::sees_before<F>,
                      "skelrt: the first parameter of a wavefront's function, behind an index, is sk::before2<T> (not "
                      "auto)");
        static_assert(!detail::sees_before<F> || detail::fault_of<F> != detail::function_fault::none,
                      "skelrt: a wavefront takes sk::border::constant(value) behind its function, or no border: then "
                      "its calls begin with sk::edges(above, left, corner)");
    }
};

template <class Lambda>
wavefront(const function<Lambda>&) -> wavefront<detail::checked_wavefront<Lambda>>;
template <class Lambda, class Border>
wavefront(const function<Lambda>&, const Border&) -> wavefront<
    std::conditional_t<detail::surrounds_wavefront<Border>, detail::checked_wavefront<Lambda>, detail::refused>,
    Border>;
template <class F, class... Rest>
wavefront(const F&, const Rest&...) -> wavefront<detail::refused, void*>;

} // namespace skelrt
