// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "guarded.hpp"
#include "lanes.hpp"
#include "maps.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

/// Reductions on cores: the values of one block combined in a fixed order, in loops that vectorise.
#if defined(__clang__)
#pragma clang diagnostic push
// Whether a loop vectorises depends on the user's function; that is no news for the user.
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

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

/// Numbers that are combined in registers, whatever their order. Compilers keep an array of running values in memory,
/// where each waits for its own store.
template <class T, class Op>
inline constexpr bool folds_in_registers = is_lane_wise<Op>&& is_commutative<Op>&& std::is_arithmetic_v<T> &&
                                           sizeof(T) >= 4 && sizeof(T) <= 8;

/// The values 0 .. n, n > 0, in running values: commutative operators only.
template <class T, class Op, class Value>
T fold_running(const Value& value, std::size_t n, const Op& op)
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

/// The same in eight registers. Two values each are combined in memory first, for only there are they vectors.
template <class T, class Op, class Value>
    requires folds_in_registers<T, Op> T fold_in_registers(const Value& value, std::size_t n,
                                                           const guarded_operator<T, Op>& op)
    {
        using lane = typename lanes<T>::type;
        constexpr unsigned registers = 8;
        constexpr std::size_t half = registers * lanes<T>::count;
        if (n < 2 * half) return fold_running<T>(value, n, op);
        alignas(64) T pair[half];
        const lane* const pairs = reinterpret_cast<const lane*>(pair);
        const auto combine_pairs = [&](std::size_t i) {
#pragma omp simd
            for (std::size_t k = 0; k < half; ++k) pair[k] = op(value(i + k), value(i + k + half));
        };
        combine_pairs(0);
        lane sum[registers];
#pragma GCC unroll 8
        for (unsigned k = 0; k < registers; ++k) sum[k] = pairs[k];
        std::size_t i = 2 * half;
        for (; i + 2 * half <= n; i += 2 * half) {
            combine_pairs(i);
#pragma GCC unroll 8
            for (unsigned k = 0; k < registers; ++k) sum[k] = Op{}(sum[k], pairs[k]);
        }
#pragma GCC unroll 8
        for (unsigned k = 1; k < registers; ++k) sum[0] = Op{}(sum[0], sum[k]);
        T all = sum[0][0];
        for (std::size_t k = 1; k < lanes<T>::count; ++k) all = op(all, sum[0][k]);
        if (i == n) return all;
        return op(all, fold_running<T>([&](std::size_t k) noexcept { return value(i + k); }, n - i, op));
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
    if (op.failed()) return left; // whatever that is: nobody gets it
    return op(left, fold_halves<T>(fold, first + half, n - half, few, op));
}

/// The values 0 .. n, n > 0, combined in order. Neither `value` nor `op` throws.
template <bool Commutative, class T, class Op, class Value>
T fold_few_values(const Value& value, std::size_t n, const Op& op)
{
    if constexpr (Commutative && std::is_arithmetic_v<T>) {
        if constexpr (requires { fold_in_registers<T>(value, n, op); }) return fold_in_registers<T>(value, n, op);
        else return fold_running<T>(value, n, op);
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
void fold_all_rows(const cpu_block& b, const segment& s, T& acc, bool started)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const auto rows = [&](std::size_t first, std::size_t count) {
        T some{};
        for (std::size_t r = first; r < first + count && !op.failed(); ++r) {
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
    if (is_linear<N>(b.slots, false)) fold_all_rows<N, T, Op, has_linear_loops<N>>(b, s, value, started);
    else fold_all_rows<N, T, Op, false>(b, s, value, started);
    *static_cast<T*>(acc) = value;
}

template <class N, class T, class Op, bool Linear>
void fold_each_row(const cpu_block& b, T* to)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    for (std::size_t r = 0; r < b.where.rows && !op.failed(); ++r) {
        const reader<N, Linear> read(b.slots, r);
        const auto value = row_values<N, T>(read, {b.where.row0 + r, b.where.col0, b.width, 0}, what);
        to[r] = fold_values<is_commutative<Op>, T>(value, b.where.cols, op);
    }
    rethrow(what);
}

template <class N, class T, class Op>
void fold_rows_block(const cpu_block& b, void* acc)
{
    if (b.where.cols == 0) return;
    if (is_linear<N>(b.slots, false)) fold_each_row<N, T, Op, has_linear_loops<N>>(b, static_cast<T*>(acc));
    else fold_each_row<N, T, Op, false>(b, static_cast<T*>(acc));
}

/// Four rows at a time, so that running values go to memory once for these.
template <class N, class T, class Op, bool Linear>
void fold_each_column(const cpu_block& b, T* to, bool started)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const std::size_t n = b.where.cols, rows = b.where.rows;
    const auto first_of = [&](std::size_t r) { return position{b.where.row0 + r, b.where.col0, b.width, 0}; };
    for (std::size_t r = 0; r < rows && !op.failed();) {
        const reader<N, Linear> read(b.slots, r);
        const auto value = row_values<N, T>(read, first_of(r), what);
        if (!started) {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) to[c] = value(c);
            started = true;
            ++r;
            continue;
        }
        if (rows - r < 4) {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) to[c] = op(to[c], value(c));
            ++r;
            continue;
        }
        const reader<N, Linear> read1(b.slots, r + 1), read2(b.slots, r + 2), read3(b.slots, r + 3);
        const auto value1 = row_values<N, T>(read1, first_of(r + 1), what);
        const auto value2 = row_values<N, T>(read2, first_of(r + 2), what);
        const auto value3 = row_values<N, T>(read3, first_of(r + 3), what);
#pragma omp simd
        for (std::size_t c = 0; c < n; ++c) to[c] = op(op(op(op(to[c], value(c)), value1(c)), value2(c)), value3(c));
        r += 4;
    }
    rethrow(what);
}

template <class N, class T, class Op>
void fold_columns_block(const cpu_block& b, void* acc, bool started)
{
    T* const to = static_cast<T*>(acc);
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    if constexpr (requires { op.template fold_columns<N>(b, to, started); }) {
        if (b.where.rows > 0) op.template fold_columns<N>(b, to, started);
        rethrow(what);
    } else if (is_linear<N>(b.slots, false)) fold_each_column<N, T, Op, has_linear_loops<N>>(b, to, started);
    else fold_each_column<N, T, Op, false>(b, to, started);
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
