// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/dealing.hpp"
#include "detail/loops/folds.hpp"
#include "detail/loops/pair.hpp"
#include "detail/over_ranks.hpp"
#include "eval.hpp"
#include "operators.hpp"
#include "pairs.hpp"
#include "transpose.hpp"

#include <algorithm>

namespace skelrt
{

namespace detail
{

/// What a side of all_pairs is made of: a container is a tree of one leaf, and so is a transposed one.
template <class T>
class transposed_expression
{
public:
    static constexpr std::size_t leaves = 1;
    using leaf_types = type_list<transposed_leaf<T>>;
    using value = T;
    static constexpr index_use index = index_use::none;

    explicit transposed_expression(transposed_leaf<T> l) : leaf_(std::move(l)) {}
    const transposed_leaf<T>& held() const noexcept { return leaf_; }

    template <std::size_t First, class Reader>
    static const T& apply(const Reader& read, const position& at)
    {
        return read.template get<First>(at.c);
    }

private:
    transposed_leaf<T> leaf_;
};

template <class T>
void join_extent(const transposed_expression<T>& n, extent& e, std::size_t& argument, const recipe& r)
{
    join_extent(n.held(), e, argument, r);
}
template <class T>
void collect_operands(const transposed_expression<T>& n, operand*& out)
{
    collect_operands(n.held(), out);
}
template <class T>
[[gnu::cold]] argument describe(const transposed_expression<T>& n, recipe& r)
{
    return describe(n.held(), r);
}

template <class E>
auto side_tree(const E& e)
{
    return reduction_node(e); // a stencil is evaluated first
}
template <class T>
auto side_tree(const map_expression<std::remove_const_t<decltype(identity)>, transposed_leaf<T>>& e)
{
    return transposed_expression<T>(std::get<0>(e.nodes()));
}

template <class Argument>
auto make_tree(const Argument& a)
{
    constexpr bool nests = container<Argument> || stored_call<Argument> || requires { typename Argument::skelrt_map; };
    static_assert(nests, "skelrt: sk::all_pairs takes matrices, parts of them, calls that give matrices, and a vector");
    if constexpr (!nests || is_refused<Argument>) {
        return refused_call{};
    } else if constexpr (expression<Argument>) {
        return side_tree(a);
    } else {
        static_assert(Argument::rank == 2, "skelrt: sk::all_pairs takes matrices; sk::batched_product takes tensors");
        if constexpr (Argument::rank == 2) return reduction_node(a);
        else return refused_call{};
    }
}

/// Whether an argument is a vector, which is the one row of its side.
template <class Argument>
constexpr bool gives_vector()
{
    if constexpr (container<Argument>) return Argument::rank == 1;
    else if constexpr (expression<Argument>) return rank_of<Argument> == 1;
    else return false;
}

template <class Argument>
inline constexpr bool is_transposed_matrix = false;
template <class T>
inline constexpr bool
    is_transposed_matrix<map_expression<std::remove_const_t<decltype(identity)>, transposed_leaf<T>>> = true;

/// What sk::transpose was called with.
template <class T>
view2<T> as_it_lies(const map_expression<std::remove_const_t<decltype(identity)>, transposed_leaf<T>>& e)
{
    const transposed_leaf<T>& from = std::get<0>(e.nodes());
    const placement& p = from.place;
    return view2<T>(from.data, {p.offset, p.cols, p.rows, p.stride, p.ld}, {p.cols, p.rows});
}

/// What an all_pairs_expression of sums can do besides: add to elements that are there.
template <bool Sums>
struct adding_call : operators::enabled {
};
template <>
struct adding_call<true> : operators::enabled {
    using skelrt_adds = void;
};

/// All pairs that wait to be assigned.
template <class Zip, class Op, class T, class Left, class Right>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] all_pairs_expression
    : public adding_call<is_sum<Op>>
{
public:
    using skelrt_expression = void;
    using skelrt_reduction = void;
    using value = T;
    template <class U>
    using result_container = matrix<U>;

    all_pairs_expression(const function_source& zip, const function_source& op, std::optional<T> start, Left left,
                         Right right)
        : zip_(zip), op_(op), start_(std::move(start)), left_(std::move(left)), right_(std::move(right))
    {
    }

    /// Evaluates into a matrix, into the same memory if no operand lies there; asynchronous.
    template <class Container>
    void into_container(Container & to) const
    {
        constexpr bool same = std::is_same_v<typename Container::value_type, T>;
        static_assert(Container::rank == 2, "skelrt: sk::all_pairs gives a matrix");
        static_assert(same || Container::rank != 2,
                      "skelrt: the matrix's element type is not what the operator of sk::all_pairs gives");
        if constexpr (Container::rank == 2 && same) into_matrix(to);
    }

    /// Adds to the elements there, which the same call may multiply by a factor first, and its own sums by another.
    /// False: no one call can do so, and nothing is done.
    bool add_to(storage & to, const placement& at) const { return add<false>(to, at, nullptr, nullptr); }
    bool add_to(storage & to, const placement& at, const T& of_sum, const T& of_elements) const
    {
        return add<true>(to, at, &of_sum, &of_elements);
    }

private:
    template <class, class, class, class, class>
    friend class all_pairs_expression;

    template <class Container>
    void into_matrix(Container & to) const
    {
        call_site& site = site_of<false>(*this);
        const extent x = side_extent(left_, site.what, 0), y = side_extent(right_, site.what, Left::leaves);
        if constexpr (is_call<Left> || is_call<Right>)
            if (!fuses()) return of(settled_side(left_, x), settled_side(right_, y)).into_matrix(to);
        if (x.cols != y.cols) throw_depth_mismatch(site.what, x.rows, x.cols, y.rows, y.cols);
        operand operands[slots];
        collect(site.what, operands);
        storage* const there = to.storage().get();
        if (there && x.cols > 0 && to.rows() == x.rows && to.cols() == y.rows && !reads(operands, there))
            return run(site, x, y, operands, *there);
        storage_ref fresh(create_product(site.what, operands, there, x.rows, y.rows));
        run(site, x, y, operands, *fresh);
        replace(to, std::move(fresh));
    }

    /// See add_to(). Null factors: the sum as it is.
    template <bool Scaled>
    bool add(storage & to, const placement& at, const T* of_sum, const T* of_elements) const
    {
        call_site& site = site_of<Scaled>(*this);
        const extent x = side_extent(left_, site.what, 0), y = side_extent(right_, site.what, Left::leaves);
        const bool fits = x.cols == y.cols && x.cols > 0 && at.rows == x.rows && at.cols == y.rows && at.stride == 1;
        if (!fits || !begins_as_nothing()) return false;
        operand operands[slots + 2];
        collect(site.what, operands);
        if (!may_add_to(to, operands, slots - 1)) return false;
        operand* last = operands + slots - 1;
        if constexpr (Scaled)
            for (const T* factor : {of_sum, of_elements}) last++->value = factor;
        *last = {&to, nullptr, at.offset, at.rows, at.cols, at.ld, 1};
        call c = call_of(site, x, y, operands);
        c.start = nullptr;
        c.begun = !Scaled || !(*of_elements == T(0)); // as a BLAS has it: then nobody reads them
        execute(c);
        return true;
    }

    /// Whether what comes in front of a sum changes nothing.
    bool begins_as_nothing() const
    {
        if (!start_) return true;
        if constexpr (requires(T a) { bool(a == T{}); }) return *start_ == T{};
        else return false;
    }

    /// The same of other sides.
    template <class L, class R>
    auto of(L left, R right) const
    {
        return all_pairs_expression<Zip, Op, T, L, R>(zip_, op_, start_, std::move(left), std::move(right));
    }

    /// A map call's result, without fusion; anything else as it is.
    template <class N>
    static auto settled_side(const N& node, const extent& x)
    {
        if constexpr (is_call<N>) return leaf_expression<element_leaf<typename N::value>>(settled(node, x));
        else return node;
    }

    template <bool Scaled>
    static call_site& site_of(const all_pairs_expression& e)
    {
        static call_site& site = describe_once<Scaled>(e);
        return site;
    }

    static constexpr std::size_t slots = Left::leaves + Right::leaves + 1;

    template <class N>
    static extent side_extent(const N& node, const recipe& r, std::size_t argument)
    {
        extent x;
        join_extent(node, x, argument, r);
        if (!x.known()) throw_no_shape(r);
        if (x.rank != 2) throw_shape_mismatch(r, argument - N::leaves, x, {2, x.rows, x.cols});
        return x;
    }

    template <bool Scaled>
    [[gnu::cold]] static call_site& describe_once(const all_pairs_expression& e)
    {
        call_site& s = new_call_site(skeleton::all_pairs);
        recipe& r = s.what;
        const argument left = describe_side(e.left_, r, true), right = describe_side(e.right_, r, false);
        using zipped = std::remove_cvref_t<std::invoke_result_t<Zip, typename Left::value, typename Right::value>>;
        r.calls.push_back({keep_source(e.zip_), type_text<zipped>(), sizeof(zipped), {left, right}});
        r.first_at = e.zip_.at;
        r.root = {argument_kind::call, static_cast<unsigned>(r.calls.size() - 1)};
        r.combine = keep_source(e.op_);
        if constexpr (Scaled) {
            r.scale = keep_source(multiplies.source());
            for (int factor = 0; factor < 2; ++factor) add_slot(r, slot_of<T>(slot_kind::uniform));
        }
        add_slot(r, slot_of<T>(slot_kind::element));
        set_result<T>(r);
        r.cpu.pairs = &pair_functions_of<Left, Right, Zip, Op, T, Scaled>;
        r.cpu.combine = &combine_values<T, Op>;
        if constexpr (makes_indices<Left> || makes_indices<Right>)
            if (checks_bounds()) r.cpu.pairs = &checked_pair_functions_of<Left, Right, Zip, Op, T, Scaled>;
        register_recipe(r);
        return s;
    }

    template <class N>
    static argument describe_side(const N& node, recipe& r, bool left)
    {
        const std::size_t first = r.slots.size();
        const argument value = describe(node, r);
        for (std::size_t k = first; k < r.slots.size(); ++k) {
            slot_kind& kind = r.slots[k].kind;
            if (moves(kind))
                kind = left && kind != slot_kind::column_element ? slot_kind::row_vec : slot_kind::column_vec;
        }
        return value;
    }

    void collect(const recipe& r, operand* operands) const
    {
        operand* out = operands;
        collect_operands(left_, out);
        collect_operands(right_, out);
        for (std::size_t k = 0; k + 1 < slots; ++k)
            if (r.slots[k].kind == slot_kind::column_vec) std::swap(operands[k].ld, operands[k].stride);
    }

    /// Then a result there would lie on an operand.
    static bool reads(const operand* operands, const storage* what)
    {
        return std::any_of(operands, operands + slots - 1, [&](const operand& o) { return o.data == what; });
    }

    void run(call_site & site, const extent& x, const extent& y, operand* operands, storage& to) const
    {
        operands[slots - 1] = {&to, nullptr, 0, x.rows, y.rows, y.rows, 1};
        execute(call_of(site, x, y, operands));
    }

    call call_of(call_site & site, const extent& x, const extent& y, const operand* operands) const
    {
        call c;
        c.site = &site;
        c.set_space({2, x.rows, y.rows});
        c.depth = x.cols;
        c.operands = operands;
        c.use = op_.use;
        c.start = start_ ? &*start_ : nullptr;
        return c;
    }

    function_source zip_, op_;
    std::optional<T> start_;
    Left left_;
    Right right_;
};

} // namespace detail

/// All pairs of the rows of two matrices: of row i of A and row j of B, for all i and j.
///
/// all_pairs(f)(A, B): the matrix of f(row i of A, row j of B), where f takes two sk::vec and returns a value; further
/// arguments as for sk::map_pairs. Lazy, and a map call in every respect: it nests, and reductions of it fuse.
/// O(rows of A * rows of B) calls of f. Errors: as sk::map.
template <class Lambda, class Op = void, class Start = void>
class all_pairs;

template <class Lambda>
class [[nodiscard]] all_pairs<Lambda, void, void>
{
public:
    explicit constexpr all_pairs(const function<Lambda>& f, detail::caller where = detail::caller::here())
        : map_(f, where)
    {
    }

    /// See sk::map.
    all_pairs& use(const plan& p)
    {
        map_.use(p);
        return *this;
    }

    template <class A, class B, class... Rest>
    auto operator()(const A& a, const B& b, const Rest&... rest) const
    {
        constexpr bool matrices = A::rank == 2 && B::rank == 2;
        static_assert(matrices, "skelrt: sk::all_pairs takes two matrices; sk::map_pairs takes vectors");
        if constexpr (matrices) return map_(per_row(a), per_column(b), rest...);
        else return detail::refused_call{};
    }

private:
    map<Lambda> map_;
};

/// all_pairs(zip, op, start)(A, B): two rows are zipped and the results reduced: element (i, j) is
/// start op zip(A(i, 0), B(j, 0)) op zip(A(i, 1), B(j, 1)) op ...
///
/// Either side may be a matrix, a part of one, sk::transpose of these, which is read in place, or a map call on
/// matrices, which fuses: its function runs when panels are packed, not once per pair. So a product of matrices is
///
///     auto matmul = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
///     C = matmul(A, sk::transpose(B));
///     y = matmul(A, x);                // a vector is the one row of its side
///     y += matmul(sk::transpose(A), x);
///
/// and Floyd-Warshall's step, squared distances, correlations are the same with other functions. `op` is associative:
/// (T, T) -> T; the operands keep their order. The start value, if given (its type: see sk::reduce), comes in front of
/// every element; without one, rows of no elements are an sk::error. The call is lazy; assigning it to a matrix or a
/// part of one evaluates it, asynchronously.
///
/// Sums (op is sk::plus) can be added to what a matrix or a part of one holds, and both may have factors: C +=
/// matmul(A, B), C = alpha * matmul(A, B) + beta * C. That is one call, too, if the start value is 0 or none, and C is
/// no side. A beta of 0 leaves out what C holds.
///
/// With a vector on one side the result is one, too, and the call a reduction: sk::reduce(op, start).by_row(f(A,
/// sk::per_column(x))), of a transposed matrix by column where it lies. It reads each element of the matrix once. What
/// a BLAS does of products of matrices it does of these, too. A call as the vector is evaluated at once.
///
/// O(rows of A * rows of B * columns) calls of both. Blocked for registers and caches on CPUs (Goto and van de Geijn,
/// ACM TOMS 34(3), 2008), for registers and shared memory on GPUs (Volkov and Demmel, SC 2008).
/// Errors: rows of different length (sk::error); a function that a device's compiler refuses (sk::function_error).
template <class Zip, class Op, class Start>
class [[nodiscard]] all_pairs
{
public:
    constexpr all_pairs(const function<Zip>& zip, const function<Op>& op, const Start& start,
                        detail::caller where = detail::caller::here())
        : zip_(detail::made_at(zip.source(), where)), op_(detail::made_at(op.source(), where)), start_(start)
    {
    }
    constexpr all_pairs(
        const function<Zip>& zip, const function<Op>& op,
        detail::caller where = detail::caller::here()) requires std::is_void_v<std::remove_pointer_t<Start>>
        : zip_(detail::made_at(zip.source(), where)), op_(detail::made_at(op.source(), where)), start_(nullptr)
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    all_pairs& use(const plan& p)
    {
        op_.use = detail::keep_plan(p);
        return *this;
    }

    template <class A, class B>
    auto operator()(const A& a, const B& b) const
    {
        if constexpr (detail::gives_vector<A>() || detail::gives_vector<B>()) return with_vector(a, b);
        else return make(detail::make_tree(a), detail::make_tree(b));
    }

private:
    template <class A, class B>
    auto with_vector(const A& a, const B& b) const
    {
        constexpr bool two = detail::gives_vector<A>() && detail::gives_vector<B>();
        static_assert(!two, "skelrt: sk::all_pairs takes a matrix and a vector, or two matrices; two vectors give one "
                            "value: sk::reduce(op, start)(sk::map(zip)(x, y)), or all pairs: sk::map_pairs(zip)(x, y)");
        if constexpr (two) return detail::refused_call{};
        else if constexpr (detail::gives_vector<B>())
            return each_row(a, [&](const auto& m, const auto& side) { return zip(m, side(b)); });
        else return each_row(b, [&](const auto& m, const auto& side) { return zip(side(a), m); });
    }

    /// zipped(matrix, side) zips all of a matrix with a vector, of which `side` makes an operand beside it.
    template <class Matrix, class Zipped>
    auto each_row(const Matrix& m, const Zipped& zipped) const
    {
        using detail::skeleton;
        if constexpr (detail::is_transposed_matrix<Matrix>)
            return reduced<skeleton::reduce_columns>(
                zipped(detail::as_it_lies(m), [](const auto& x) { return per_row(x); }));
        else return reduced<skeleton::reduce_rows>(zipped(m, [](const auto& x) { return per_column(x); }));
    }
    template <class Left, class Right>
    auto zip(const Left& left, const Right& right) const
    {
        return map(function<Zip>(Zip{}, zip_), zip_.at)(left, right);
    }

    template <detail::skeleton Kind, class Call>
    auto reduced(const Call& call) const
    {
        if constexpr (detail::is_refused<Call>) {
            return call;
        } else {
            using V = typename Call::value;
            if constexpr (combines<V>()) {
                using T = detail::reduced_from<Op, V, Start>;
                const auto node = detail::reduction_node(call);
                using N = std::remove_const_t<decltype(node)>;
                return detail::reduce_expression<Kind, Op, T, N>(op_, detail::start_of<T>(start_), node);
            } else {
                return detail::refused_call{};
            }
        }
    }

    /// Whether the operator does with what the first function gives.
    template <class V>
    static constexpr bool combines()
    {
        constexpr bool is_one = detail::is_operator<Op, V>();
        static_assert(std::is_invocable_v<Op, V, V>,
                      "skelrt: the operator of sk::all_pairs takes two values of what its first function returns");
        static_assert(!std::is_invocable_v<Op, V, V> || is_one,
                      "skelrt: the operator of sk::all_pairs is associative: (T, T) -> T");
        return is_one;
    }

    template <class Left, class Right>
    auto make(Left left, Right right) const
    {
        if constexpr (detail::is_refused<Left> || detail::is_refused<Right>) {
            return detail::refused_call{};
        } else {
            constexpr bool zips = std::is_invocable_v<Zip, typename Left::value, typename Right::value>;
            static_assert(zips,
                          "skelrt: the first function of sk::all_pairs takes an element of the first matrix and one "
                          "of the second");
            if constexpr (zips) return zipped(std::move(left), std::move(right));
            else return detail::refused_call{};
        }
    }

    template <class Left, class Right>
    auto zipped(Left left, Right right) const
    {
        using V = std::remove_cvref_t<std::invoke_result_t<Zip, typename Left::value, typename Right::value>>;
        if constexpr (combines<V>()) {
            using T = detail::reduced_from<Op, V, Start>;
            return detail::all_pairs_expression<Zip, Op, T, Left, Right>(zip_, op_, detail::start_of<T>(start_),
                                                                         std::move(left), std::move(right));
        } else {
            return detail::refused_call{};
        }
    }

    detail::function_source zip_, op_;
    Start start_;
};

template <>
class [[nodiscard]] all_pairs<detail::refused, void, void> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit all_pairs(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Start>
class [[nodiscard]] all_pairs<detail::refused, detail::refused, Start> : public detail::refused_skeleton<2>
{
public:
    template <class... Args>
    constexpr explicit all_pairs(const Args&... args) : detail::refused_skeleton<2>(args...)
    {
    }
};

template <class Zip, class Op, class Start>
all_pairs(const function<Zip>&, const function<Op>&, const Start&)
    -> all_pairs<detail::checked<Zip, Op>, detail::checked<Op, Zip>, Start>;
template <class Zip, class Op>
all_pairs(const function<Zip>&, const function<Op>&)
    -> all_pairs<detail::checked<Zip, Op>, detail::checked<Op, Zip>, void*>;
template <class Lambda>
all_pairs(const function<Lambda>&) -> all_pairs<detail::checked<Lambda>>;
template <class F, class G, class... Start>
all_pairs(const F&, const G&, const Start&...) -> all_pairs<detail::refused, detail::refused, void*>;
template <class F>
all_pairs(const F&) -> all_pairs<detail::refused>;

} // namespace skelrt
