// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map.hpp"

#include <optional>

namespace skelrt
{

namespace detail
{

template <class Leaf>
class leaf_expression;

struct no_operators {
};

/// A reduction that waits to be assigned. `Kind`: to one value, by row, or by column. One value is its T: operators
/// between it and plain numbers are the host's.
template <skeleton Kind, class Op, class T, class N>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] reduce_expression
    : public std::conditional_t<Kind == skeleton::reduce, no_operators, operators::enabled>
{
public:
    using skelrt_expression = void;
    using skelrt_reduction = void;
    using value = T;
    template <class U>
    using result_container = vector<U>;

    reduce_expression(const function_source& op, std::optional<T> start, N node)
        : op_(op), start_(std::move(start)), node_(std::move(node))
    {
    }

    const function_source& operation() const noexcept { return op_; }
    const std::optional<T>& in_front() const noexcept { return start_; }
    const N& reduced_node() const noexcept { return node_; }

    /// Evaluates and waits for this value only.
    T get() const requires(Kind == skeleton::reduce)
    {
        T out{};
        run(nullptr, {}, &out);
        return out;
    }
    operator T() const requires(Kind == skeleton::reduce) { return get(); }

    /// Evaluates into a scalar; asynchronous.
    void into(storage_ref & to) const requires(Kind == skeleton::reduce)
    {
        storage_ref result = to;
        run(nullptr, {0, 1, 1, 1, 1}, nullptr, &result);
        to = std::move(result);
    }

    /// Evaluates into a vector; asynchronous.
    template <class Container>
    void into_container(Container & to) const requires(Kind != skeleton::reduce)
    {
        constexpr bool same = std::is_same_v<typename Container::value_type, T>;
        static_assert(Container::rank == 1, "skelrt: a reduction by row or by column gives a vector");
        static_assert(same || Container::rank != 1,
                      "skelrt: the vector's element type is not the reduction's result type");
        if constexpr (Container::rank == 1 && same) {
            const extent x = space(site());
            const std::size_t n = Kind == skeleton::reduce_rows ? x.rows : x.cols;
            storage_ref fresh = Container::make(1, n);
            run(fresh.get(), {0, 1, n, n, 1}, nullptr);
            replace(to, std::move(fresh));
        }
    }

private:
    call_site& site() const
    {
        static call_site& s = describe_once(*this);
        return s;
    }

    [[gnu::cold]] static call_site& describe_once(const reduce_expression& e)
    {
        call_site& s = new_call_site(Kind);
        recipe& r = s.what;
        r.root = describe(e.node_, r);
        r.combine = keep_source(e.op_);
        if (r.calls.empty()) r.first_at = e.op_.at;
        set_result<T>(r);
        r.cpu.fold = &fold_block<N, T, Op>;
        if constexpr (Kind == skeleton::reduce_rows) r.cpu.fold_rows = &fold_rows_block<N, T, Op>;
        if constexpr (Kind == skeleton::reduce_columns) r.cpu.fold_columns = &fold_columns_block<N, T, Op>;
        r.cpu.combine = &combine_values<T, Op>;
        r.cpu.probe = &probe_block<N>;
        if constexpr (makes_indices<N>)
            if (checks_bounds()) {
                using checked = with_checks<N>;
                r.cpu.fold = in_checked_call<&fold_block<checked, T, Op>>;
                if constexpr (Kind == skeleton::reduce_rows)
                    r.cpu.fold_rows = in_checked_call<&fold_rows_block<checked, T, Op>>;
                if constexpr (Kind == skeleton::reduce_columns)
                    r.cpu.fold_columns = in_checked_call<&fold_columns_block<checked, T, Op>>;
                r.cpu.probe = in_checked_call<&probe_block<checked>>;
            }
        register_recipe(r);
        return s;
    }

    extent space(call_site & s) const
    {
        extent x;
        std::size_t argument = 0;
        join_extent(node_, x, argument, s.what);
        if (!x.known()) throw_no_shape(s.what);
        if (Kind != skeleton::reduce && x.rank == 1) throw_not_a_matrix(s.what, x.cols);
        if (Kind != skeleton::reduce && x.rank > 2) throw_not_a_matrix(s.what, x);
        check_indices<N>(x, s.what);
        return x;
    }

    void run(storage * to, const placement& p, T* out, storage_ref* scalar = nullptr) const
    {
        call_site& s = site();
        const extent x = space(s);
        if constexpr (is_call<N>) {
            using leaf = leaf_expression<element_leaf<typename N::value>>;
            if (!fuses())
                return reduce_expression<Kind, Op, T, leaf>(op_, start_, leaf(settled(node_, x)))
                    .run(to, p, out, scalar);
        }
        operand operands[leaf_count<N>::value + 1];
        operand* end = operands;
        collect_operands(node_, end);
        if (scalar) {
            if (x.rows == 0 || x.cols == 0) *scalar = {}; // filled at once: no task has it
            renew_scalar(*scalar, s.what, operands, leaf_count<N>::value, false);
            to = scalar->get();
        }
        call c;
        c.site = &s;
        c.set_space(x);
        c.operands = operands;
        c.result = {to, nullptr, p.offset, p.rows, p.cols, p.ld, p.stride};
        c.use = op_.use;
        c.value = out;
        c.start = start_ ? &*start_ : nullptr;
        execute(c);
    }

    template <skeleton, class, class, class>
    friend class reduce_expression;

    function_source op_;
    std::optional<T> start_;
    N node_;
};

/// A leaf behaves like a tree of one node: what a reduction of a plain container works on, or of a stencil's result.
template <class Leaf>
class leaf_expression
{
public:
    static constexpr std::size_t leaves = 1;
    using leaf_types = type_list<Leaf>;
    using value = typename Leaf::value;
    static constexpr index_use index = index_use::none;

    explicit leaf_expression(Leaf l) : leaf_(std::move(l)) {}
    const Leaf& held() const noexcept { return leaf_; }

    template <std::size_t First, class Reader>
    static const value& apply(const Reader& read, const position& at)
    {
        return read.template get<First>(at.c);
    }

private:
    Leaf leaf_;
};

template <class L>
void join_extent(const leaf_expression<L>& n, extent& e, std::size_t& argument, const recipe& r)
{
    join_extent(n.held(), e, argument, r);
}
template <class L>
void collect_operands(const leaf_expression<L>& n, operand*& out)
{
    collect_operands(n.held(), out);
}
template <class L>
[[gnu::cold]] argument describe(const leaf_expression<L>& n, recipe& r)
{
    return describe(n.held(), r);
}

template <class Argument>
auto reduction_node(const Argument& a)
{
    constexpr bool works = container<Argument> || stored_call<Argument> || requires { typename Argument::skelrt_map; };
    static_assert(works, "skelrt: a reduction takes a container, a view or a call that gives elements");
    if constexpr (!works || is_refused<Argument>) {
        return refused_call{};
    } else if constexpr (expression<Argument>) {
        if constexpr (has_hoods<Argument> || stored_call<Argument>)
            return leaf_expression<later_leaf<Argument>>({later<Argument>(a)});
        else return a;
    } else {
        using T = typename Argument::value_type;
        return leaf_expression<element_leaf<T, Argument::rank>>({a.storage(), a.place(), Argument::rank});
    }
}

/// Whether Op combines two values of V, and then two of what it gives.
template <class Op, class V>
constexpr bool is_operator()
{
    if constexpr (std::is_invocable_v<Op, V, V>) {
        using T = std::remove_cvref_t<std::invoke_result_t<Op, V, V>>;
        return element_type<T> && std::is_invocable_r_v<T, Op, T, T>;
    } else {
        return false;
    }
}

/// What a reduction computes in: the type its operator returns for two of the reduced values.
template <class Op, class V>
using reduced = std::remove_cvref_t<std::invoke_result_t<Op, V, V>>;

/// Whether every value of an arithmetic type is one of T, as far as the kind of number and the size tell: integers are
/// taken for floating-point numbers, which may round them.
template <class From, class T>
constexpr bool keeps_value()
{
    if constexpr (!std::is_arithmetic_v<From> || !std::is_arithmetic_v<T>) return true;
    else if constexpr (std::is_same_v<T, bool>) return std::is_same_v<From, bool>;
    else if constexpr (std::is_floating_point_v<T>) return !std::is_floating_point_v<From> || sizeof(From) <= sizeof(T);
    else if constexpr (std::is_floating_point_v<From>) return false;
    else if constexpr (std::is_signed_v<From> == std::is_signed_v<T>) return sizeof(From) <= sizeof(T);
    else return std::is_unsigned_v<From> && sizeof(From) < sizeof(T);
}

/// Whether an operator computes in the type of a wider floating-point start value when it gets such.
template <class Op, class T, class Start>
constexpr bool widens()
{
    if constexpr (std::is_floating_point_v<T> && std::is_floating_point_v<Start> && sizeof(Start) > sizeof(T))
        return std::is_same_v<reduced<Op, Start>, Start>;
    else return false;
}

/// The same with a start value: sums of floats that begin with 0.0 are sums in double. `Start` void*: there is none.
template <class Op, class V, class Start>
using reduced_from = std::conditional_t<widens<Op, reduced<Op, V>, Start>(), Start, reduced<Op, V>>;

/// The start value as what the operator computes in.
template <class T, class Start>
std::optional<T> start_of(const Start& start)
{
    if constexpr (std::is_void_v<std::remove_pointer_t<Start>>) {
        return {};
    } else {
        static_assert(std::is_convertible_v<Start, T>,
                      "skelrt: the start value is no value of the operator's result type");
        static_assert(
            keeps_value<Start, T>(),
            "skelrt: the operator's result type does not hold every start value of this type, which would be cut "
            "short without a word: write one of that type (0u, 1.0f, static_cast<T>(x)), or let a map make "
            "elements of the wider type");
        return static_cast<T>(start);
    }
}

} // namespace detail

/// Combines all elements with an associative operator; operands keep their order, so it need not be commutative.
///
/// sum(x), sum(mult(x, y)): to one value; assigning it to a T waits for this value only, assigning it to an
/// sk::scalar<T> does not wait. sum.by_row(m), sum.by_column(m): a vector with one value per row or column. The start
/// value, if given, comes in front of every result; without one an empty input is an sk::error. It is of the type that
/// the operator computes in, or one whose values that type holds; what narrows does not compile. A wider floating-point
/// one makes operators of any type compute in its type: sk::reduce(sk::plus, 0.0) sums floats in double. A map call as
/// argument fuses: one pass, no temporary. O(n). The same plan (devices, tiles, cores) gives the same bits. Errors
/// (sk::error): as sk::map; by_row and by_column of anything but a matrix; nothing to combine and no start value.
template <class Op, class Start>
class [[nodiscard]] reduce
{
public:
    constexpr reduce(const function<Op>& op, const Start& start, detail::caller where = detail::caller::here())
        : source_(detail::made_at(op.source(), where)), start_(start)
    {
    }
    explicit constexpr reduce(const function<Op>& op, detail::caller where = detail::caller::here()) requires
        std::is_void_v<std::remove_pointer_t<Start>> : source_(detail::made_at(op.source(), where)),
                                                       start_(nullptr)
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    reduce& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class Argument>
    auto operator()(const Argument& a) const
    {
        return make<detail::skeleton::reduce>(detail::reduction_node(a));
    }
    template <class Argument>
    auto by_row(const Argument& a) const
    {
        return make<detail::skeleton::reduce_rows>(detail::reduction_node(a));
    }
    template <class Argument>
    auto by_column(const Argument& a) const
    {
        return make<detail::skeleton::reduce_columns>(detail::reduction_node(a));
    }

private:
    template <detail::skeleton Kind, class N>
    auto make(N node) const
    {
        if constexpr (detail::is_refused<N>) {
            return node;
        } else {
            using V = typename N::value;
            constexpr bool combines = detail::is_operator<Op, V>();
            static_assert(std::is_invocable_v<Op, V, V>,
                          "skelrt: the operator of a reduction takes two values of the reduced type");
            static_assert(!std::is_invocable_v<Op, V, V> || combines,
                          "skelrt: the operator of a reduction is associative: (T, T) -> T");
            if constexpr (combines) return checked<Kind, detail::reduced_from<Op, V, Start>>(std::move(node));
            else return detail::refused_call{};
        }
    }

    template <detail::skeleton Kind, class T, class N>
    auto checked(N node) const
    {
        return detail::reduce_expression<Kind, Op, T, N>(source_, detail::start_of<T>(start_), std::move(node));
    }

    detail::function_source source_;
    Start start_;
};

template <class Start>
class [[nodiscard]] reduce<detail::refused, Start> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit reduce(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Op, class Start>
reduce(const function<Op>&, const Start&) -> reduce<detail::checked<Op>, Start>;
template <class Op>
reduce(const function<Op>&) -> reduce<detail::checked<Op>, void*>;
template <class F, class... Start>
reduce(const F&, const Start&...) -> reduce<detail::refused, void*>;

} // namespace skelrt
