// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "expression.hpp"
#include "known_counts.hpp"
#include "own_loop.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

/// The CPU side of a recipe: sequential loops over one block, written for the compiler's vectoriser (-fopenmp-simd).
#if defined(__clang__)
#pragma clang diagnostic push
// Whether a loop vectorises depends on the user's function; that is no news for the user.
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

/// One leaf as a loop over the columns of a row sees it. `Linear`: consecutive elements, known at compile time.
template <class Leaf, bool Linear>
struct column_reader {
    using value = typename Leaf::value;
    const value* at;
    std::size_t stride;

    column_reader(const slot_view& s, std::size_t row)
        : at(static_cast<const value*>(s.data) + row * s.ld), stride(s.stride)
    {
    }
    const value& get(std::size_t col) const { return at[Linear ? col : col * stride]; }
    void prefetch(std::size_t col) const { __builtin_prefetch(at + (Linear ? col : col * stride)); }
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

    column_reader(const slot_view& s, std::size_t row) : at(static_cast<T*>(s.data) + row * s.ld), stride(s.stride) {}
    T& get(std::size_t col) const { return at[Linear ? col : col * stride]; }
};

template <class T, bool Linear>
struct column_reader<row_leaf<T>, Linear> {
    T value;
    column_reader(const slot_view& s, std::size_t row) : value(static_cast<const T*>(s.data)[row * s.ld]) {}
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

/// See checked_loops.hpp.
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

/// Whether rows follow each other without gaps in all element slots, so that the block is one long row.
template <class N>
bool is_one_row(const cpu_block& b, bool with_result)
{
    constexpr auto& is = element_slots<leaves_of<N>>::is;
    const std::size_t n = leaf_count<N>::value + (with_result ? 1 : 0);
    for (std::size_t k = 0; k < n; ++k)
        if (is[k] && b.slots[k].ld != b.where.cols) return false;
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

/// Runs f; an exception goes to `what`. None may leave a simd loop: that would end the program. Where f cannot throw
/// the compiler sees it and nothing is left of this.
template <class F>
void guarded(std::exception_ptr& what, const F& f) noexcept
{
    try {
        f();
    } catch (...) {
        what = std::current_exception();
    }
}

/// The same for a value; T{} takes the place of one that could not be computed.
template <class T, class F>
T guarded_value(std::exception_ptr& what, const F& f) noexcept
{
    try {
        return f();
    } catch (...) {
        what = std::current_exception();
        return T{};
    }
}

/// An operator whose exceptions go to `what`.
template <class T, class Op>
struct guarded_operator {
    std::exception_ptr* what;
    T operator()(const T& a, const T& b) const noexcept
    {
        return guarded_value<T>(*what, [&] { return static_cast<T>(Op{}(a, b)); });
    }
};

inline void rethrow(const std::exception_ptr& what)
{
    if (what) std::rethrow_exception(what);
}

/// What a tree reads in a loop for that count; 0: for any.
template <class N, unsigned Count, class Reader>
auto reader_for(const Reader& read)
{
    return known_reader<N, Reader, Count>{read};
}
template <class N, unsigned Count, class Reader>
    requires(Count == 0)
const Reader& reader_for(const Reader& read) { return read; }

/// result[c] = f(operands at c), row by row.
template <class N, bool Linear, unsigned Count = 0>
void map_rows(const cpu_block& b, const segment& s)
{
    using T = typename N::value;
    const slot_view& to = b.slots[leaf_count<N>::value];
    std::exception_ptr what;
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<N, Linear> all(b.slots, r);
        const auto& read = reader_for<N, Count>(all);
        T* const out = static_cast<T*>(to.data) + r * to.ld;
        const std::size_t stride = to.stride, row = s.row0 + r, col0 = s.col0, n = s.cols;
        const index_widths width = b.width;
#pragma omp simd
        for (std::size_t c = 0; c < n; ++c)
            guarded(what, [&] { out[Linear ? c : c * stride] = evaluate<N, 0>(read, position{row, col0, width, c}); });
    }
    rethrow(what);
}

/// By the loop for its count, if there is one.
template <class N, unsigned... Less>
bool map_known_rows(const cpu_block& b, const segment& s, std::integer_sequence<unsigned, Less...>)
{
    const unsigned count = known_count<N>(b.slots);
    if (count > far_count && !is_pitched<N>(b.slots)) return false;
    return ((count == Less + 1 && (map_rows<N, true, Less + 1>(b, s), true)) || ...);
}

/// By the function's own loop.
template <class N>
void map_runs(const cpu_block& b, const segment& s)
{
    const slot_view& to = b.slots[leaf_count<N>::value];
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<N, true> read(b.slots, r);
        own_loop<N>::run(read, position{s.row0 + r, s.col0, b.width, 0}, s.cols,
                         static_cast<typename N::value*>(to.data) + r * to.ld);
    }
}

template <class N>
void map_block(const cpu_block& b)
{
    const segment s = joined<N>(b, true);
    if (!is_linear<N>(b.slots, true)) return map_rows<N, false>(b, s);
    if constexpr (has_own_loop<N>) {
        map_runs<N>(b, s);
    } else {
        if constexpr (has_known_counts<N>)
            if (map_known_rows<N>(b, s, std::make_integer_sequence<unsigned, most_known_count>())) return;
        map_rows<N, has_linear_loops<N>>(b, s);
    }
}

/// result[c] = f(operands at c) for every other column of one row. All columns are computed, some at a time, and half
/// of them
/// stored: that vectorises better than a loop over every other one.
template <class N, bool Linear>
void every_other_column(const cpu_block& b, std::size_t first)
{
    using T = typename N::value;
    constexpr std::size_t width = 128;
    alignas(64) std::byte memory[width * sizeof(T)];
    T* const values = reinterpret_cast<T*>(memory);
    const reader<N, Linear> read(b.slots, 0);
    T* const out = static_cast<T*>(b.slots[leaf_count<N>::value].data);
    std::exception_ptr what;
    for (std::size_t begin = 0; begin < b.where.cols; begin += width) {
        const std::size_t n = std::min(width, b.where.cols - begin);
#pragma omp simd
        for (std::size_t c = 0; c < n; ++c)
            guarded(what, [&] {
                values[c] = evaluate<N, 0>(read, position{b.where.row0, b.where.col0, b.width, begin + c});
            });
        for (std::size_t c = first; c < n; c += 2) out[begin + c] = values[c];
    }
    rethrow(what);
}

template <class N>
void every_other_block(const cpu_block& b, std::size_t first)
{
    if (is_linear<N>(b.slots, true)) every_other_column<N, has_linear_loops<N>>(b, first);
    else every_other_column<N, false>(b, first);
}

/// The results of positions whose hoods leave the grid, where the border is none; few.
template <class N>
void edge_block(const cpu_block& b)
{
    using T = typename N::value;
    using inner = reader<N, false>;
    const slot_view& to = b.slots[leaf_count<N>::value];
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const inner all(b.slots, r);
        const edge_reader<inner> read{all};
        T* const out = static_cast<T*>(to.data) + r * to.ld;
        for (std::size_t c = 0; c < b.where.cols; ++c)
            out[c * to.stride] = evaluate<N, 0>(read, position{b.where.row0 + r, b.where.col0, b.width, c});
    }
}

/// Evaluates the block and keeps the results from being optimised away: what a map costs, without its stores.
template <class N>
void probe_block(const cpu_block& b)
{
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const reader<N, false> read(b.slots, r);
        for (std::size_t c = 0; c < b.where.cols; ++c) {
            const auto v = evaluate<N, 0>(read, position{b.where.row0 + r, b.where.col0, b.width, c});
            asm volatile("" : : "r"(&v) : "memory");
        }
    }
}

// --- reductions ----------------------------------------------------------------------------------------------------
// Only associativity may be used, so a sum cannot be kept in lanes that jump over each other. Neighbours are combined
// pairwise, level by level, in a small buffer: this vectorises, keeps the order, and rounds better than a running sum.

/// Operators that are known to be commutative may be kept in lanes.
template <class Op>
inline constexpr bool is_commutative = false;

/// The sum, which OpenMP knows: compilers vectorise its scan.
template <class Op>
inline constexpr bool is_sum = false;

inline constexpr std::size_t fold_width = 256;

/// M values combined pairwise, level by level; the last few one after the other. M is a power of two.
template <std::size_t M, class T, class Op>
T fold_level(const T* values, const Op& op)
{
    if constexpr (M <= 8) {
        T acc = values[0];
        for (std::size_t i = 1; i < M; ++i) acc = op(acc, values[i]);
        return acc;
    } else {
        T next[M / 2];
#pragma omp simd
        for (std::size_t i = 0; i < M / 2; ++i) next[i] = op(values[2 * i], values[2 * i + 1]);
        return fold_level<M / 2, T, Op>(next, op);
    }
}

/// The values first .. first + W combined. W is a power of two, at least 2.
template <std::size_t W, class T, class Value, class Op>
T fold_pairs(const Value& value, std::size_t first, const Op& op)
{
    T level[W];
#pragma omp simd
    for (std::size_t i = 0; i < W; ++i) level[i] = value(first + i);
    return fold_level<W, T, Op>(level, op);
}

/// The values first .. first + n, n > 0, in `Lanes` running values: commutative operators only.
template <class T, class Op, class Value>
T fold_lanes(const Value& value, std::size_t n, const Op& op)
{
    constexpr std::size_t lanes = 32;
    if (n < lanes) {
        T acc = value(0);
        for (std::size_t i = 1; i < n; ++i) acc = op(acc, value(i));
        return acc;
    }
    T lane[lanes];
    for (std::size_t k = 0; k < lanes; ++k) lane[k] = value(k);
    std::size_t i = lanes;
    for (; i + lanes <= n; i += lanes) {
#pragma omp simd
        for (std::size_t k = 0; k < lanes; ++k) lane[k] = op(lane[k], value(i + k));
    }
    for (std::size_t k = 0; i < n; ++i, ++k) lane[k] = op(lane[k], value(i));
    for (std::size_t m = lanes / 2; m > 0; m /= 2)
        for (std::size_t k = 0; k < m; ++k) lane[k] = op(lane[k], lane[k + m]);
    return lane[0];
}

/// The values i .. i + Runs * Length combined in order, as runs that go along side by side: their operators' latencies
/// overlap.
template <std::size_t Runs, std::size_t Length, class T, class Op, class Value>
T fold_runs(const Value& value, std::size_t i, const Op& op)
{
    T run[Runs];
    for (std::size_t r = 0; r < Runs; ++r) run[r] = value(i + r * Length);
    for (std::size_t k = 1; k < Length; ++k)
        for (std::size_t r = 0; r < Runs; ++r) run[r] = op(run[r], value(i + r * Length + k));
    for (std::size_t r = 1; r < Runs; ++r) run[0] = op(run[0], run[r]);
    return run[0];
}

/// So many values are combined in lanes or one after the other; more are halved until they are as few. A running sum of
/// n floats loses n roundings, one of halves their logarithm.
inline constexpr std::size_t fold_block_values = 1024;

/// The parts 0 .. n, n > 0, combined in order by halves; fold(first, count) combines a few of them, at most `few`.
template <class T, class Op, class Fold>
T fold_halves(const Fold& fold, std::size_t first, std::size_t n, std::size_t few, const Op& op)
{
    if (n <= few) return fold(first, n);
    const std::size_t half = (n / 2 + few - 1) / few * few;
    const T left = fold_halves<T>(fold, first, half, few, op);
    return op(left, fold_halves<T>(fold, first + half, n - half, few, op));
}

/// The values 0 .. n, n > 0, combined in order. Neither `value` nor `op` throws.
template <bool Commutative, class T, class Op, class Value>
T fold_few_values(const Value& value, std::size_t n, const Op& op)
{
    if constexpr (Commutative && std::is_arithmetic_v<T>) {
        return fold_lanes<T, Op>(value, n, op);
    } else {
        std::size_t i = 0;
        T acc{};
        bool started = false;
        const auto add = [&](const T& v) {
            acc = started ? op(acc, v) : v;
            started = true;
        };
        if constexpr (std::is_arithmetic_v<T>) {
            for (; i + fold_width <= n; i += fold_width) add(fold_pairs<fold_width, T>(value, i, op));
            for (; i + 32 <= n; i += 32) add(fold_pairs<32, T>(value, i, op));
        } else if constexpr (sizeof(T) <= 64 && std::is_default_constructible_v<T>) {
            for (; i + 4 * 32 <= n; i += 4 * 32) add(fold_runs<4, 32, T>(value, i, op));
        }
        for (; i < n; ++i) add(value(i));
        return acc;
    }
}

template <bool Commutative, class T, class Op, class Value>
T fold_values(const Value& value, std::size_t n, const Op& op)
{
    const auto few = [&](std::size_t first, std::size_t count) {
        if constexpr (requires { op.fold_few(value, first, count); }) return op.fold_few(value, first, count);
        else
            return fold_few_values<Commutative, T>([&](std::size_t i) noexcept { return value(first + i); }, count, op);
    };
    if constexpr (!requires { op.fold_few(value, n, n); })
        if (n <= fold_block_values) return fold_few_values<Commutative, T>(value, n, op);
    return fold_halves<T>(few, 0, n, fold_block_values, op);
}

/// Parts that come one after the other, combined by halves: level k holds what 2^k of them give.
template <class T>
class fold_levels
{
public:
    template <class Op>
    void add(T part, const Op& op)
    {
        unsigned k = 0;
        for (std::size_t full = count_++; full & 1; full >>= 1, ++k) part = op(level_[k], part);
        level_[k] = part;
    }
    /// Of at least one part.
    template <class Op>
    T total(const Op& op) const
    {
        unsigned k = static_cast<unsigned>(__builtin_ctzll(count_));
        T all = level_[k];
        for (std::size_t full = count_ >> (k + 1); full; full >>= 1)
            if (++k, full & 1) all = op(level_[k], all);
        return all;
    }

private:
    T level_[48];
    std::size_t count_ = 0;
};

/// What a row of a block has, where calls make structs whose members may be had one by one.
template <class N>
struct members_of_row {
    static constexpr bool known = false;
};

/// The values of a row of a block, as a function of the column that does not throw.
template <class N, class T, class Reader>
auto row_values(const Reader& read, const position& first, std::exception_ptr& what)
{
    if constexpr (members_of_row<N>::known)
        return typename members_of_row<N>::template values<Reader>{read, first, what};
    else
        return [&read, first, &what](std::size_t c) noexcept {
            return guarded_value<T>(what, [&] {
                return static_cast<T>(evaluate<N, 0>(read, position{first.row, first.col0, first.width, c}));
            });
        };
}

template <class N, class T, class Op, bool Linear>
void fold_rows(const cpu_block& b, const segment& s, T& acc, bool started)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const auto rows = [&](std::size_t first, std::size_t count) {
        T some{};
        for (std::size_t r = first; r < first + count; ++r) {
            const reader<N, Linear> read(b.slots, r);
            const auto value = row_values<N, T>(read, {s.row0 + r, s.col0, b.width, 0}, what);
            const T row = fold_values<is_commutative<Op>, T>(value, s.cols, op);
            some = r > first ? op(some, row) : row;
        }
        return some;
    };
    const T all = fold_halves<T>(rows, 0, s.rows, fold_block_values / std::min(s.cols, fold_block_values), op);
    acc = started ? op(acc, all) : all;
    rethrow(what);
}

template <class N, class T, class Op>
void fold_block(const cpu_block& b, void* acc, bool started)
{
    if (b.where.rows == 0 || b.where.cols == 0) return;
    const segment s = joined<N>(b, false);
    // The accumulator has its own address: in a register while the loop runs.
    T value = started ? *static_cast<T*>(acc) : T{};
    if (is_linear<N>(b.slots, false)) fold_rows<N, T, Op, has_linear_loops<N>>(b, s, value, started);
    else fold_rows<N, T, Op, false>(b, s, value, started);
    *static_cast<T*>(acc) = value;
}

template <class N, class T, class Op>
void fold_columns_block(const cpu_block& b, void* acc, bool started)
{
    T* const to = static_cast<T*>(acc);
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const reader<N, false> read(b.slots, r);
        const std::size_t n = b.where.cols;
        const auto value = row_values<N, T>(read, {b.where.row0 + r, b.where.col0, b.width, 0}, what);
        if (started) {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) to[c] = op(to[c], value(c));
        } else {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) to[c] = value(c);
        }
        started = true;
    }
    rethrow(what);
}

template <class T, class Op>
void combine_values(void* acc, const void* other, std::size_t count)
{
    T* const to = static_cast<T*>(acc);
    const T* const from = static_cast<const T*>(other);
    for (std::size_t i = 0; i < count; ++i) to[i] = Op{}(to[i], from[i]);
}

} // namespace skelrt::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
