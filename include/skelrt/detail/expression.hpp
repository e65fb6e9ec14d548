// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../function.hpp"
#include "../random.hpp"
#include "../scalar.hpp"
#include "../view.hpp"
#include "call.hpp"
#include "hoods.hpp"
#include "refused.hpp"
#include "type_text.hpp"
#include "value_bytes.hpp"

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

/// Expression trees of map calls: their leaves become the slots of a recipe, their nodes its function calls.
namespace skelrt
{

/// The index space of a call that has no container to take it from: sum(f(sk::shape(1000))).
class shape
{
public:
    explicit shape(std::size_t n) : all_{1, 1, n} {}
    shape(std::size_t rows, std::size_t cols) : all_{2, rows, cols} {}
    shape(std::size_t planes, std::size_t rows, std::size_t cols) : all_{3, planes, rows * cols, {rows, cols}} {}
    shape(std::size_t cubes, std::size_t planes, std::size_t rows, std::size_t cols)
        : all_{4, cubes, planes * rows * cols, {planes, rows, cols}}
    {
    }
    std::size_t rows() const noexcept { return all_.rows; }
    std::size_t cols() const noexcept { return all_.cols; }
    bool matrix() const noexcept { return all_.rank >= 2; }
    const detail::extent& extent() const noexcept { return all_; }

private:
    detail::extent all_;
};

namespace detail
{

// --- leaves: what the arguments of a call turn into --------------------------------------------------------------

/// `Rank`: of its container, where the type of a call has to tell (sk::eval); 0: `rank` knows.
template <class T, int Rank = 0>
struct element_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::element;
    data_ref data;
    placement place;
    int rank;
};

template <class T>
struct uniform_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::uniform;
    T held;
};

template <class T>
struct scalar_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::scalar;
    data_ref data;
};

template <class T>
struct vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::vec;
    data_ref data;
    placement place;
};

template <class T>
struct mat_leaf {
    using value = mat<T>;
    static constexpr slot_kind kind = slot_kind::mat;
    data_ref data;
    placement place;
};

/// What a call adds to; memory comes from the core.
template <class T, class View = accumulator<T>>
struct accumulator_leaf {
    using value = View;
    static constexpr slot_kind kind = slot_kind::accumulator;
    data_ref data;
    std::size_t offset, size;
};

/// Where a member of the result goes.
template <class T>
struct output_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::output;
    data_ref data;
    placement place;
};

// Operands of pairs: placed so that what belongs to (row, column) begins at offset + row * ld + column * stride.

template <class T>
struct row_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::row_element;
    data_ref data;
    placement place;
};

template <class T>
struct column_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::column_element;
    data_ref data;
    placement place;
};

/// Element (r, c) of the call is element (c, r) of the matrix, which tasks read whole.
template <class T>
struct transposed_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::column_element;
    data_ref data;
    placement place; ///< rows and cols as the call sees them
};

template <class T>
struct row_vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::row_vec;
    data_ref data;
    placement place;
};

template <class T>
struct column_vec_leaf {
    using value = vec<T>;
    static constexpr slot_kind kind = slot_kind::column_vec;
    data_ref data;
    placement place;
};

/// What sk::per_row and sk::per_column make: a vector, or a matrix that the function sees row by row.
template <class T, int Rank, bool Rows>
struct side_operand : operators::enabled {
    using skelrt_side = void;
    data_ref data;
    placement place;
    side_operand(storage_ref d, const placement& p) : data(std::move(d)), place(p) {}
};

template <class T>
concept side = requires
{
    typename T::skelrt_side;
};

template <class Parameter, class T, int Rank, bool Rows>
auto make_side_node(const side_operand<T, Rank, Rows>& a)
{
    const placement& p = a.place;
    constexpr bool fits = Rank != 2 || std::is_same_v<Parameter, vec<T>>;
    static_assert(fits, "skelrt: the rows of a matrix as operands of pairs need an sk::vec<T> parameter of the same T");
    if constexpr (!fits) {
        return refused_call{};
    } else if constexpr (Rank == 2) {
        if constexpr (Rows) return row_vec_leaf<T>{a.data, {p.offset, p.rows, p.cols, p.ld, 0}};
        else return column_vec_leaf<T>{a.data, {p.offset, p.rows, p.cols, 0, p.ld}};
    } else {
        if constexpr (Rows) return row_leaf<T>{a.data, {p.offset, p.cols, 1, p.stride, 0}};
        else return column_leaf<T>{a.data, {p.offset, 1, p.cols, 0, p.stride}};
    }
}

/// A call that makes a container of its own, whose shape need not be that of its operands: a filter, a product, an
/// iteration.
template <class E>
concept makes_container = requires
{
    typename E::skelrt_reduction;
}
&&!reduces_to_one<E>;

/// An operand that is a call itself, evaluated into new data when the call around it is: where a hood looks around in
/// it, or no kernel computes its elements one by one.
template <class E>
class later
{
public:
    explicit later(E what) : what_(std::move(what)) {}
    /// Of calls that make containers: evaluates.
    extent shape() const;
    /// Evaluates, if shape() did not. The data lives as long as this and the tasks that use it.
    storage* get() const;

private:
    extent shape_of_elements() const;

    E what_;
    mutable storage_ref made_;
};

/// A container as it is. `Rank`: its own.
template <int Rank>
struct present {
    data_ref data;
    placement place;
    extent shape() const { return extent_of(Rank, place); }
    storage* get() const { return data.get(); }
};

template <class E>
struct later_leaf {
    using value = typename E::value;
    static constexpr slot_kind kind = slot_kind::element;
    later<E> source;
};

/// A reduction to one value that is an operand itself, evaluated when the call around it is.
template <class E>
class later_value
{
public:
    explicit later_value(E what) : what_(std::move(what)) {}
    /// Evaluates. The data lives as long as this and the tasks that use it.
    storage* get() const
    {
        storage_ref fresh;
        what_.into(fresh);
        made_ = std::move(fresh);
        return made_.get();
    }

private:
    E what_;
    mutable storage_ref made_;
};

template <class E>
struct later_scalar_leaf {
    using value = typename E::value;
    static constexpr slot_kind kind = slot_kind::scalar;
    later_value<E> source;
};

template <class T, int Rank, class Source>
struct hood_leaf {
    using value = typename hood_of<T, Rank>::type;
    static constexpr slot_kind kind = slot_kind::hood;
    Source source;
    stencil_shape shape;
    T border; ///< border::constant
};

template <class T>
concept leaf = requires
{
    T::kind;
};

template <class T>
inline constexpr bool is_vec = false;
template <class T>
inline constexpr bool is_vec<vec<T>> = true;
template <class T>
inline constexpr bool is_mat = false;
template <class T>
inline constexpr bool is_mat<mat<T>> = true;
template <class T>
inline constexpr bool is_accumulator = false;
template <class T>
    requires requires
    {
        T::rule;
        typename T::value_type;
    }
inline constexpr bool is_accumulator<T> = std::is_base_of_v<accumulated_elements<T, typename T::value_type>, T> ||
                                          std::is_same_v<T, atomic_vec<typename T::value_type>> ||
                                          std::is_same_v<T, out_vec<typename T::value_type>>;

template <class T>
concept container = requires(const T& c)
{
    c.storage();
    c.place();
};
template <class T>
concept scalar_container = requires(const T& c)
{
    c.storage();
    c.get();
};

// --- parameters of a user function -------------------------------------------------------------------------------

template <class... P>
struct type_list {
    static constexpr std::size_t size = sizeof...(P);
};

template <class M>
struct parameters_of;
template <class C, class R, class... P>
struct parameters_of<R (C::*)(P...) const> {
    using list = type_list<std::remove_cvref_t<P>...>;
};
template <class C, class R, class... P>
struct parameters_of<R (C::*)(P...) const noexcept> {
    using list = type_list<std::remove_cvref_t<P>...>;
};

/// Generic lambdas have no single call operator: their parameters are the elements. Complete, as g++ 14 wants it to be
/// wherever a trait names it.
struct deduced {
};

template <std::size_t I, class List>
struct nth {
    using type = deduced;
};
template <class P, class... Rest>
struct nth<0, type_list<P, Rest...>> {
    using type = P;
};
template <std::size_t I, class P, class... Rest>
    requires(I > 0)
struct nth<I, type_list<P, Rest...>> : nth<I - 1, type_list<Rest...>> {
};

template <class Lambda>
struct signature {
    static constexpr bool generic = true;
    using list = type_list<>;
};
template <class Lambda>
    requires requires { &Lambda::operator(); }
struct signature<Lambda> {
    static constexpr bool generic = false;
    using list = typename parameters_of<decltype(&Lambda::operator())>::list;
};

enum class index_use { none, one, two, three, four };

template <class Lambda>
constexpr index_use index_of()
{
    using first = typename nth<0, typename signature<Lambda>::list>::type;
    if constexpr (std::is_same_v<first, index1>) return index_use::one;
    else if constexpr (std::is_same_v<first, index2>) return index_use::two;
    else if constexpr (std::is_same_v<first, index3>) return index_use::three;
    else if constexpr (std::is_same_v<first, index4>) return index_use::four;
    else return index_use::none;
}

/// The I-th argument's parameter, indices not counted.
template <class Lambda, std::size_t I>
using parameter =
    typename nth<I + (index_of<Lambda>() == index_use::none ? 0 : 1), typename signature<Lambda>::list>::type;

template <class N>
struct leaf_list;

template <class List>
inline constexpr bool any_hood = false;
template <class... L>
inline constexpr bool any_hood<type_list<L...>> = (sees_hood(L::kind) || ...);

/// Whether a tree is a stencil: some leaf of it is a hood.
template <class N>
inline constexpr bool has_hoods = false;
template <class N>
    requires(leaf<N> || requires { typename N::leaf_types; })
inline constexpr bool has_hoods<N> = any_hood<typename leaf_list<N>::type>;

template <class List>
inline constexpr bool any_side = false;
template <class... L>
inline constexpr bool
    any_side<type_list<L...>> = ((L::kind == slot_kind::row_element || L::kind == slot_kind::column_element ||
                                  L::kind == slot_kind::row_vec || L::kind == slot_kind::column_vec) ||
                                 ...);

/// Whether a tree has operands that do not move along every axis, or are read the other way round. The kernels of
/// stencils know none of these: in such a tree, stencils are evaluated first.
template <class N>
inline constexpr bool has_sides = false;
template <class N>
    requires(leaf<N> || requires { typename N::leaf_types; })
inline constexpr bool has_sides<N> = any_side<typename leaf_list<N>::type>;

/// Types that every device adds to atomically.
template <class T>
inline constexpr bool can_accumulate = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class Parameter, class Argument>
auto make_accumulator(const Argument& a)
{
    using T = typename Argument::value_type;
    constexpr bool same = std::is_same_v<typename Parameter::value_type, T>;
    constexpr bool possible = can_accumulate<T> || Parameter::rule == accumulate_rule::write;
    constexpr bool of_bits = Parameter::rule == accumulate_rule::bit_or || Parameter::rule == accumulate_rule::bit_and;
    constexpr bool has_bits = !of_bits || std::is_integral_v<T>;
    static_assert(same, "skelrt: an sk::accumulator<T> parameter takes a container of the same T");
    static_assert(!same || possible, "skelrt: accumulators have elements of int, long, float or double");
    static_assert(!same || !possible || has_bits, "skelrt: accumulators of bits have elements of int or long");
    if constexpr (same && possible && has_bits) {
        const placement& p = a.place();
        if (p.stride != 1 || (p.rows > 1 && p.ld != p.cols)) throw_not_contiguous();
        return accumulator_leaf<T, Parameter>{a.storage(), p.offset, p.rows * p.cols};
    } else {
        return refused_call{};
    }
}

class random_node;

template <class T>
inline constexpr bool sees_whole = is_vec<T> || is_mat<T> || is_accumulator<T>;

/// Calls whose results are stored before the call that they are an argument of: all that are no maps.
template <class E>
concept stored_call = expression<E> && !reduces_to_one<E> && !requires
{
    typename E::skelrt_map;
};

/// Turns the argument of a call into a leaf, or passes a nested expression on. A mistake is told, and becomes a
/// refused_call. One long function, because compilers tell of every function on the way to a mistake.
template <class Parameter, class Argument>
auto make_node(const Argument& a)
{
    if constexpr (is_refused<Argument>) {
        return a;
    } else if constexpr (expression<Argument>) {
        constexpr bool whole = sees_whole<Parameter>;
        static_assert(!whole, "skelrt: an sk::vec, sk::mat or sk::accumulator parameter takes a container; assign "
                              "the call to one first");
        if constexpr (whole) return refused_call{};
        else if constexpr (reduces_to_one<Argument>) return later_scalar_leaf<Argument>{later_value<Argument>(a)};
        else if constexpr (stored_call<Argument>) return later_leaf<Argument>{later<Argument>(a)};
        else return a;
    } else if constexpr (std::is_same_v<Argument, random_seed>) {
        constexpr bool fits = std::is_same_v<Parameter, random> || std::is_same_v<Parameter, deduced>;
        static_assert(fits, "skelrt: an sk::random_seed is the argument of an sk::random parameter");
        if constexpr (fits) return random_node(a);
        else return refused_call{};
    } else if constexpr (side<Argument>) {
        return make_side_node<Parameter>(a);
    } else if constexpr (scalar_container<Argument>) {
        return scalar_leaf<typename Argument::value_type>{a.storage()};
    } else if constexpr (container<Argument> && is_vec<Parameter>) {
        using T = typename Argument::value_type;
        constexpr bool same = std::is_same_v<Parameter, vec<T>>, fits = Argument::rank == 1;
        static_assert(same, "skelrt: an sk::vec<T> parameter takes an sk::vector<T> of the same T");
        static_assert(!same || fits,
                      "skelrt: an sk::vec parameter takes a vector; pass m.row(i) for a row of a matrix");
        if constexpr (same && fits) return vec_leaf<T>{a.storage(), a.place()};
        else return refused_call{};
    } else if constexpr (container<Argument> && is_mat<Parameter>) {
        using T = typename Argument::value_type;
        constexpr bool same = std::is_same_v<Parameter, mat<T>>, fits = Argument::rank == 2;
        static_assert(same, "skelrt: an sk::mat<T> parameter takes an sk::matrix<T> of the same T");
        static_assert(!same || fits, "skelrt: an sk::mat parameter takes a matrix");
        if constexpr (same && fits) return mat_leaf<T>{a.storage(), a.place()};
        else return refused_call{};
    } else if constexpr (container<Argument> && is_accumulator<Parameter>) {
        return make_accumulator<Parameter>(a);
    } else if constexpr (container<Argument>) {
        return element_leaf<typename Argument::value_type, Argument::rank>{a.storage(), a.place(), Argument::rank};
    } else {
        constexpr bool is_value = element_type<Argument>, whole = sees_whole<Parameter>;
        constexpr bool for_random = std::is_same_v<Parameter, random>;
        constexpr bool converts =
            std::is_same_v<Parameter, deduced> || std::is_convertible_v<const Argument&, Parameter>;
        static_assert(is_value, "skelrt: an argument is a container, a view, a call, or a trivially copyable value");
        static_assert(!is_value || !whole,
                      "skelrt: an sk::vec, sk::mat or sk::accumulator parameter takes a container");
        static_assert(!for_random, "skelrt: an sk::random parameter takes an sk::random_seed");
        static_assert(!is_value || whole || for_random || converts,
                      "skelrt: an argument is a value of another type than the function's parameter");
        if constexpr (!is_value || whole || for_random || !converts) return refused_call{};
        else if constexpr (std::is_same_v<Parameter, deduced>) return uniform_leaf<Argument>{a};
        else return uniform_leaf<Parameter>{static_cast<Parameter>(a)};
    }
}

template <class Lambda, class... Nodes>
class map_expression;
template <class Lambda, class... Nodes>
class keeping_expression;

/// A call of the same function with other arguments: what `change` makes of each node.
template <template <class, class...> class Expression, class Lambda, class... Nodes, class Change>
auto rebuilt(const Expression<Lambda, Nodes...>& e, const Change& change)
{
    return std::apply(
        [&](const auto&... nodes) {
            return Expression<Lambda, decltype(change(nodes))...>(e.source(), e.given(), change(nodes)...);
        },
        e.nodes());
}

/// Whether a stencil whose border is none is in a tree.
template <class N>
inline constexpr bool has_keeping = false;
template <class Lambda, class... Nodes>
inline constexpr bool has_keeping<map_expression<Lambda, Nodes...>> = (has_keeping<Nodes> || ...);
template <class Lambda, class... Nodes>
inline constexpr bool has_keeping<keeping_expression<Lambda, Nodes...>> = true;

/// How many of a call's arguments have stencils in them.
template <class... Args>
inline constexpr std::size_t stencils_in = (std::size_t{has_hoods<Args>} + ... + 0);

/// Whether an argument with stencils in it is evaluated before the call that it is of: with `Store`, and, of several in
/// one call, those whose border is none: which positions they keep depends on their own reach.
template <class Argument, bool Store, std::size_t Stencils>
inline constexpr bool comes_first = has_hoods<Argument> && (Store || (Stencils > 1 && has_keeping<Argument>));

/// As make_node(), of an argument that may come first.
template <class Parameter, bool Store, std::size_t Stencils = 0, class Argument>
auto make_argument(const Argument& a)
{
    if constexpr (comes_first<Argument, Store, Stencils>) return later_leaf<Argument>{later<Argument>(a)};
    else return make_node<Parameter>(a);
}

// --- leaves of a tree as a flat list -----------------------------------------------------------------------------

template <class N>
struct leaf_count {
    static constexpr std::size_t value = N::leaves;
};
template <leaf N>
struct leaf_count<N> {
    static constexpr std::size_t value = 1;
};

template <class... Lists>
struct concat;
template <>
struct concat<> {
    using type = type_list<>;
};
template <class... A>
struct concat<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct concat<type_list<A...>, type_list<B...>, Rest...> {
    using type = typename concat<type_list<A..., B...>, Rest...>::type;
};

template <class N>
struct leaf_list {
    using type = typename N::leaf_types;
};
template <leaf N>
struct leaf_list<N> {
    using type = type_list<N>;
};
template <class N>
using leaves_of = typename leaf_list<N>::type;

// --- evaluation at one position ----------------------------------------------------------------------------------

/// Where an evaluation stands: element c of a block whose first column is col0; row and col0 count from the call's
/// origin.
struct position {
    std::size_t row, col0;
    index_widths width;
    std::size_t c;
};

/// The index that a user function asks for.
template <index_use Use>
auto index_at(const position& at)
{
    const std::size_t col = at.col0 + at.c;
    if constexpr (Use == index_use::one) return index1{at.row * at.width.cols + col};
    else if constexpr (Use == index_use::two) return index2{at.row, col};
    else if constexpr (Use == index_use::three) return index3{at.row, col / at.width.line, col % at.width.line};
    else {
        const std::size_t in_plane = col % at.width.plane;
        return index4{at.row, col / at.width.plane, in_plane / at.width.line, in_plane % at.width.line};
    }
}

template <class N, std::size_t First, class Reader>
decltype(auto) evaluate(const Reader& read, const position& at)
{
    if constexpr (leaf<N>) return read.template get<First>(at.c);
    else return N::template apply<First>(read, at);
}

/// Whether a parameter refers to elements somewhere, by index.
template <class T>
inline constexpr bool sees_more = is_vec<T> || is_mat<T> || is_accumulator<T> || hood_rank<T> != 0;

template <class T>
inline auto unchecked(const T& argument)
{
    if constexpr (sees_more<T>) return T(argument, checked_operand{});
    else return argument;
}

/// Calls a user function with such parameters. The compiler puts its text in here before anything else, where it sees
/// that no index is checked: what it makes of the function is what it would make if there were no checks.
template <class Lambda, class... Args>
[[gnu::flatten]] inline decltype(auto) call_unchecked(const Args&... args)
{
    return Lambda{}(unchecked(args)...);
}

/// What an sk::random parameter gets: made of a seed, which is a uniform slot, and the position.
class random_node
{
public:
    static constexpr std::size_t leaves = 1;
    using leaf_types = type_list<uniform_leaf<std::uint64_t>>;
    using value = random;

    explicit random_node(const random_seed& seed) : key_{seed.key()} {}
    std::tuple<const uniform_leaf<std::uint64_t>&> nodes() const noexcept { return {key_}; }
    const extent& given() const noexcept
    {
        static const extent none;
        return none;
    }

    template <std::size_t First, class Reader>
    static random apply(const Reader& read, const position& at)
    {
        return random(read.template get<First>(at.c), index_at<index_use::one>(at).i);
    }

private:
    uniform_leaf<std::uint64_t> key_;
};

/// The leaves of a tree that gives one value.
template <class List>
inline constexpr bool all_scalars = false;
template <class... L>
inline constexpr bool all_scalars<type_list<L...>> = ((L::kind == slot_kind::scalar || L::kind == slot_kind::uniform) &&
                                                      ...);

template <class N>
inline constexpr bool uses_index = false;

template <class E>
typename E::value value_on_host(const E& e);

/// What a user function makes of the values of argument nodes.
template <class Lambda, class... Nodes>
struct application {
    static constexpr index_use index = index_of<Lambda>();

private:
    template <class... V>
    static auto result_type()
    {
        if constexpr (index == index_use::none) return std::invoke_result<Lambda, V...>{};
        else return std::invoke_result<Lambda, decltype(index_at<index>(std::declval<position>())), V...>{};
    }

public:
    using result = decltype(result_type<typename Nodes::value...>());
    static constexpr bool possible = requires { typename result::type; };
};

/// The call of a user function, if there can be one.
template <template <class, class...> class Expression, class Lambda, class... Nodes>
auto checked_expression(const function_source& source, const extent& given, Nodes... nodes)
{
    if constexpr ((is_refused<Nodes> || ...)) {
        return refused_call{};
    } else {
        using what = application<Lambda, Nodes...>;
        static_assert(what::possible,
                      "skelrt: the user function cannot be called with the elements and values that it gets here; its "
                      "parameters have their types, or are auto");
        if constexpr (what::possible) {
            constexpr bool gives_value = element_type<std::remove_cvref_t<typename what::result::type>>;
            static_assert(gives_value, "skelrt: a user function returns a trivially copyable value, no pointer");
            if constexpr (gives_value) return Expression<Lambda, Nodes...>(source, given, std::move(nodes)...);
            else return refused_call{};
        } else {
            return refused_call{};
        }
    }
}

/// A user function applied to argument nodes. The tree's type says everything that the code needs; its values are the
/// data.
template <class Lambda, class... Nodes>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] map_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_map = void;
    static constexpr std::size_t leaves = (leaf_count<Nodes>::value + ... + 0);
    static constexpr index_use index = index_of<Lambda>();
    using leaf_types = typename concat<leaves_of<Nodes>...>::type;
    /// Made of scalars and values: it is one value itself.
    static constexpr bool is_one_value =
        leaves > 0 && all_scalars<leaf_types> && index == index_use::none && !(uses_index<Nodes> || ...);

    using value = std::remove_cvref_t<typename application<Lambda, Nodes...>::result::type>;
    static_assert(element_type<value>, "skelrt: a user function returns a trivially copyable value, no pointer");

    map_expression(const function_source& source, const extent& given, Nodes... nodes)
        : source_(source), given_(given), nodes_(std::move(nodes)...)
    {
    }

    const function_source& source() const noexcept { return source_; }
    const extent& given() const noexcept { return given_; }
    const std::tuple<Nodes...>& nodes() const noexcept { return nodes_; }

    /// The value of a call of scalars and values, on the host: waits for these.
    operator value() const requires(is_one_value) { return value_on_host(*this); }
    /// if (a == b) of containers.
    template <class B>
        requires(std::is_same_v<B, bool> && std::is_same_v<value, bool> && !is_one_value)
    explicit operator B() const
    {
        static_assert(!std::is_same_v<B, bool>,
                      "skelrt: a comparison of containers is a condition for each element; write sk::all(a == b), or "
                      "sk::any(a != b)");
        return false;
    }

    template <std::size_t First, class Reader>
    static value apply(const Reader& read, const position& at)
    {
        return apply_nodes<First>(read, at, std::index_sequence_for<Nodes...>{});
    }

private:
    template <std::size_t K>
    static constexpr std::size_t leaves_before()
    {
        constexpr std::array<std::size_t, sizeof...(Nodes) + 1> counts{leaf_count<Nodes>::value..., 0};
        std::size_t n = 0;
        for (std::size_t i = 0; i < K; ++i) n += counts[i];
        return n;
    }

    template <std::size_t First, class Reader, std::size_t... K>
    static value apply_nodes(const Reader& read, const position& at, std::index_sequence<K...>)
    {
        if constexpr ((sees_more<typename Nodes::value> || ...) && !Reader::checked) {
            if constexpr (index != index_use::none)
                return call_unchecked<Lambda>(index_at<index>(at),
                                              evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
            else return call_unchecked<Lambda>(evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        } else if constexpr (index != index_use::none) {
            return Lambda{}(index_at<index>(at), evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        } else {
            return Lambda{}(evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        }
    }

    function_source source_;
    extent given_;
    std::tuple<Nodes...> nodes_;
};

/// What a tree reads at positions whose hoods leave the grid.
template <class Reader>
struct edge_reader {
    static constexpr bool checked = Reader::checked;
    const Reader& inner;
    template <std::size_t I>
    decltype(auto) get(std::size_t col) const
    {
        return inner.template get<I>(col);
    }
};
template <class Reader>
inline constexpr bool is_at_edge = false;
template <class Reader>
inline constexpr bool is_at_edge<edge_reader<Reader>> = true;

template <class List>
inline constexpr std::size_t first_hood_leaf = 0;
template <class L, class... Rest>
    requires(!sees_hood(L::kind))
inline constexpr std::size_t first_hood_leaf<type_list<L, Rest...>> = 1 + first_hood_leaf<type_list<Rest...>>;

template <class T>
const T& center_of(const hood1<T>& u)
{
    return u(0);
}
template <class T>
const T& center_of(const hood2<T>& u)
{
    return u(0, 0);
}
template <class T>
const T& center_of(const hood3<T>& u)
{
    return u(0, 0, 0);
}

/// A stencil whose border is none: at the edge its result is the element of its first hood, and not the function's.
template <class Lambda, class... Nodes>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] keeping_expression
    : public map_expression<Lambda, Nodes...>
{
    using base = map_expression<Lambda, Nodes...>;

public:
    using skelrt_keeps = void;
    using map_expression<Lambda, Nodes...>::map_expression;

    template <std::size_t First, class Reader>
    static typename base::value apply(const Reader& read, const position& at)
    {
        constexpr std::size_t hood = First + first_hood_leaf<typename base::leaf_types>;
        if constexpr (is_at_edge<Reader>) return center_of(read.template get<hood>(at.c));
        else return base::template apply<First>(read, at);
    }
};

template <class Lambda, class... Nodes>
inline constexpr bool uses_index<keeping_expression<Lambda, Nodes...>> = uses_index<map_expression<Lambda, Nodes...>>;
template <class Lambda, class... Nodes>
inline constexpr bool uses_index<map_expression<Lambda, Nodes...>> = map_expression<Lambda, Nodes...>::index !=
                                                                         index_use::none ||
                                                                     (uses_index<Nodes> || ...);
template <>
inline constexpr bool uses_index<random_node> = true;

/// Whether a tree asks for that index.
template <class N, index_use Use>
inline constexpr bool uses = false;
template <class Lambda, class... Nodes, index_use Use>
inline constexpr bool uses<keeping_expression<Lambda, Nodes...>, Use> = uses<map_expression<Lambda, Nodes...>, Use>;
template <class Lambda, class... Nodes, index_use Use>
inline constexpr bool uses<map_expression<Lambda, Nodes...>, Use> = map_expression<Lambda, Nodes...>::index == Use ||
                                                                    (uses<Nodes, Use> || ...);

// --- shape -------------------------------------------------------------------------------------------------------

template <class N>
extent leaf_extent(const N& node)
{
    if constexpr (requires { node.source; }) return node.source.shape();
    else return extent_of(node.rank, node.place);
}

template <class N>
inline constexpr bool is_transposed = false;
template <class T>
inline constexpr bool is_transposed<transposed_leaf<T>> = true;

/// Completes `e` from the element operands; a mismatch throws. `argument` counts the leaves for the message.
template <class N>
void join_extent(const N& node, extent& e, std::size_t& argument, const recipe& r)
{
    if constexpr (leaf<N>) {
        if constexpr (N::kind == slot_kind::element || N::kind == slot_kind::hood) {
            join_operand(e, leaf_extent(node), argument, r);
        } else if constexpr (is_transposed<N>) {
            join_operand(e, extent_of(2, node.place), argument, r);
        } else if constexpr (N::kind == slot_kind::row_element || N::kind == slot_kind::row_vec) {
            if (!e.join({2, node.place.rows, extent::unknown}))
                throw_side_mismatch(r, argument, node.place.rows, true, e.rows, e.rank == 2);
        } else if constexpr (N::kind == slot_kind::column_element || N::kind == slot_kind::column_vec) {
            const std::size_t n = N::kind == slot_kind::column_vec ? node.place.rows : node.place.cols;
            if (!e.join({2, extent::unknown, n})) throw_side_mismatch(r, argument, n, false, e.cols, e.rank == 2);
        }
        ++argument;
    } else {
        if (node.given().rank != 0) join_operand(e, node.given(), argument, r);
        std::apply([&](const auto&... n) { (join_extent(n, e, argument, r), ...); }, node.nodes());
    }
}

/// The indices of matrices and tensors that a tree asks for: bit 2 stands for index2, and so on.
template <class N>
inline constexpr unsigned asked_indices = (uses<N, index_use::two> ? 1u << 2 : 0u) |
                                          (uses<N, index_use::three> ? 1u << 3 : 0u) |
                                          (uses<N, index_use::four> ? 1u << 4 : 0u);

/// Once the extent is complete.
template <class N>
void check_indices(const extent& e, const recipe& r)
{
    if constexpr (asked_indices<N> != 0) check_indices(asked_indices<N>, e, r);
}

// --- operands ----------------------------------------------------------------------------------------------------

template <class N>
void collect_operands(const N& node, operand*& out)
{
    if constexpr (leaf<N>) {
        operand& o = *out++;
        if constexpr (requires { node.held; }) {
            o.value = &node.held;
        } else if constexpr (requires { node.source.lines(); }) {
            const placement p = node.source.lines();
            o = {node.source.get(), &node.border, p.offset, p.rows, p.cols, p.ld, p.stride};
        } else if constexpr (requires { node.source; }) {
            o.data = node.source.get();
            o.rows = o.data->shape_rows;
            o.cols = o.ld = o.data->shape_cols;
            if constexpr (N::kind == slot_kind::hood) o.value = &node.border;
        } else if constexpr (N::kind == slot_kind::accumulator) {
            o = {};
            o.rows = 1;
            o.cols = o.ld = node.size;
        } else {
            o.data = node.data.get();
            if constexpr (N::kind == slot_kind::scalar) o.rows = o.cols = o.ld = 1;
            else
                o = {o.data,          nullptr,       node.place.offset, node.place.rows,
                     node.place.cols, node.place.ld, node.place.stride};
        }
    } else {
        std::apply([&](const auto&... n) { (collect_operands(n, out), ...); }, node.nodes());
    }
}

/// The shape of all hoods of a tree.
template <class N>
void collect_shape(const N& node, stencil_shape& all)
{
    if constexpr (!leaf<N>) std::apply([&](const auto&... n) { (collect_shape(n, all), ...); }, node.nodes());
    else if constexpr (sees_hood(N::kind)) join_shape(all, node.shape);
}

// --- recipe ------------------------------------------------------------------------------------------------------

template <class T>
struct element_of {
    using type = T;
};
template <class T>
struct element_of<vec<T>> {
    using type = T;
};
template <class T>
struct element_of<mat<T>> {
    using type = T;
};
template <class T>
    requires is_accumulator<T>
struct element_of<T> {
    using type = typename T::value_type;
};

template <class T>
struct element_of<hood1<T>> {
    using type = T;
};
template <class T>
struct element_of<hood2<T>> {
    using type = T;
};
template <class T>
struct element_of<hood3<T>> {
    using type = T;
};

template <class T>
slot_type slot_of(slot_kind kind)
{
    return {kind, type_text<T>(), sizeof(T), alignof(T), value_bytes<T>()};
}

template <class T>
void set_result(recipe& r)
{
    r.result = type_text<T>();
    r.result_size = sizeof(T);
    r.result_align = alignof(T);
    r.result_bytes = value_bytes<T>();
}

/// Adds the slots and function calls of a tree to a recipe; returns what stands for its value. Cold, as all that is done
/// once a call site: so compilers spend neither time nor room on it.
template <class N>
[[gnu::cold]] argument describe(const N& node, recipe& r)
{
    if constexpr (std::is_same_v<N, random_node>) {
        return {argument_kind::random, describe(std::get<0>(node.nodes()), r).which};
    } else if constexpr (requires { node.describe_in(r); }) {
        return node.describe_in(r);
    } else if constexpr (leaf<N>) {
        return add_slot(r, slot_of<typename element_of<typename N::value>::type>(N::kind));
    } else {
        const auto first = static_cast<unsigned>(r.slots.size());
        const auto arguments = std::apply(
            [&](const auto&... n) { return std::array<argument, sizeof...(n)>{describe(n, r)...}; }, node.nodes());
        const argument result = add_call(r, node.source(), type_text<typename N::value>(), sizeof(typename N::value),
                                         static_cast<unsigned>(N::index), arguments);
        if constexpr (requires { typename N::skelrt_keeps; })
            r.calls.back().kept_slot = static_cast<int>(first + first_hood_leaf<typename N::leaf_types>);
        return result;
    }
}

} // namespace detail
} // namespace skelrt
