#pragma once

#include "map.hpp"

#include <optional>

namespace skelrt
{

namespace detail
{

template <class Leaf>
class leaf_expression;

/// A reduction that waits to be assigned. `Kind`: to one value, by row, or by column.
template <skeleton Kind, class Op, class T, class N>
class reduce_expression
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

    /// Evaluates and waits for this value only.
    T get() const requires(Kind == skeleton::reduce)
    {
        T out{};
        run(nullptr, {}, &out);
        return out;
    }
    operator T() const requires(Kind == skeleton::reduce) { return get(); }

    /// Evaluates into a scalar; asynchronous.
    void into(storage_ref& to) const requires(Kind == skeleton::reduce)
    {
        storage_ref result = to;
        run(nullptr, {0, 1, 1, 1, 1}, nullptr, &result);
        to = std::move(result);
    }

    /// Evaluates into a vector; asynchronous.
    template <class Container>
    void into_container(Container& to) const requires(Kind != skeleton::reduce)
    {
        static_assert(Container::rank == 1, "skelrt: a reduction by row or by column gives a vector");
        static_assert(std::is_same_v<typename Container::value_type, T>,
                      "skelrt: the vector's element type is not the reduction's result type");
        const extent x = space(site());
        const std::size_t n = Kind == skeleton::reduce_rows ? x.rows : x.cols;
        storage_ref fresh = Container::make(1, n);
        run(fresh.get(), {0, 1, n, n, 1}, nullptr);
        replace(to, std::move(fresh));
    }

private:
    call_site& site() const
    {
        static call_site& s = describe_once(*this);
        return s;
    }

    static call_site& describe_once(const reduce_expression& e)
    {
        auto& s = *new call_site; // lives as long as the process
        recipe& r = s.what;
        r.kind = Kind;
        r.root = describe(e.node_, r);
        r.combine = keep_source(e.op_);
        r.result = type_text<T>();
        r.result_size = sizeof(T);
        r.result_align = alignof(T);
        r.cpu.fold = &fold_block<N, T, Op>;
        if constexpr (Kind == skeleton::reduce_columns) r.cpu.fold_columns = &fold_columns_block<N, T, Op>;
        r.cpu.combine = &combine_values<T, Op>;
        r.cpu.probe = &probe_block<N>;
        register_recipe(r);
        return s;
    }

    extent space(call_site& s) const
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

    void run(storage* to, const placement& p, T* out, storage_ref* scalar = nullptr) const
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
argument describe(const leaf_expression<L>& n, recipe& r)
{
    return describe(n.held(), r);
}

template <class Argument>
auto reduction_node(const Argument& a)
{
    if constexpr (expression<Argument>) {
        static_assert(
            requires { typename Argument::skelrt_map; }, "skelrt: a reduction takes a container, a view or a map call");
        if constexpr (has_hoods<Argument>) return leaf_expression<later_leaf<Argument>>({later<Argument>(a)});
        else return a;
    } else {
        static_assert(container<Argument>, "skelrt: a reduction takes a container, a view or a map call");
        using T = typename Argument::value_type;
        return leaf_expression<element_leaf<T>>({a.storage(), a.place(), Argument::rank});
    }
}

/// What a reduction computes in: the type its operator returns for two of the reduced values.
template <class Op, class V>
using reduced = std::remove_cvref_t<std::invoke_result_t<Op, V, V>>;

} // namespace detail

/// Combines all elements with an associative operator; operands keep their order, so it need not be commutative.
///
/// sum(x), sum(mult(x, y)): to one value; assigning it to a T waits for this value only, assigning it to an sk::scalar<T>
/// does not wait. sum.by_row(m), sum.by_column(m): a vector with one value per row or column.
/// The start value, if given, comes in front of every result; without one an empty input is an sk::error.
/// A map call as argument fuses: one pass, no temporary. O(n). The same plan (devices, tiles, cores) gives the same bits.
/// Errors (sk::error): as sk::map; by_row and by_column of anything but a matrix; nothing to combine and no start value.
template <class Op, class Start>
class reduce
{
public:
    constexpr reduce(const function<Op>& op, const Start& start) : source_(op.source()), start_(start) {}
    explicit constexpr reduce(const function<Op>& op) requires std::is_void_v<std::remove_pointer_t<Start>>
        : source_(op.source()), start_(nullptr)
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
    static constexpr bool has_start = !std::is_void_v<std::remove_pointer_t<Start>>;

    template <detail::skeleton Kind, class N>
    auto make(N node) const
    {
        static_assert(std::is_invocable_v<Op, typename N::value, typename N::value>,
                      "skelrt: the operator of a reduction takes two values of the reduced type");
        using T = detail::reduced<Op, typename N::value>;
        static_assert(detail::element_type<T> && std::is_invocable_r_v<T, Op, T, T>,
                      "skelrt: the operator of a reduction is associative: (T, T) -> T");
        std::optional<T> start;
        if constexpr (has_start) start = static_cast<T>(start_);
        return detail::reduce_expression<Kind, Op, T, N>(source_, start, std::move(node));
    }

    detail::function_source source_;
    Start start_;
};

template <class Op, class Start>
reduce(const function<Op>&, const Start&) -> reduce<Op, Start>;
template <class Op>
reduce(const function<Op>&) -> reduce<Op, void*>;

} // namespace skelrt
