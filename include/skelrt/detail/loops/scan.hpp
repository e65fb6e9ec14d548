// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "folds.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

/// The CPU side of scans: sequential loops over one block. `N` is the tree of the scanned values, whose result slot
/// follows its leaves; `T` the type of the running value.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

/// What a scan does with running values of a type: it stores them as they are, and sums them up one by one. Types of
/// which more is known say so.
template <class T>
struct running_value {
    using stored = T;
    static const T& store(const T& v) { return v; }

    template <class N, class Op>
    static void fold(const cpu_block& b, void* acc, bool started)
    {
        fold_block<N, T, Op>(b, acc, started);
    }
};

/// Whether results are running values: then more can be put in front of them afterwards.
template <class T>
inline constexpr bool stores_running_values = std::is_same_v<typename running_value<T>::stored, T>;

/// Levels of a running value, and sums of a level that the next one takes together.
inline constexpr std::size_t scan_levels = 5, scan_fan = 16;

/// What a scan goes on from. Numbers are not added one by one to what lies in front: a float that is large takes no
/// small ones any more. The sums of scan_fan pieces are added, then those of as many of these, and so on: a result is
/// the sum of some scan_levels short chains, nearly as exact as pairwise summation (Higham, SIAM J. Sci. Comput. 14(4),
/// 1993). Begins as zeros and, if there is one, with the value in front in its place.
template <class T, bool Number = std::is_arithmetic_v<T>>
struct scan_state {
    T value; ///< the running value, which is all that others see
    T base;  ///< what was in front of the first piece
    T sum[scan_levels], front[scan_levels];
    std::uint64_t pieces;

    /// What the pieces so far and this one give, in order.
    template <class Op>
    void add(const Op& op, T total)
    {
        if (pieces == 0) base = value;
        std::size_t level = 0;
        std::uint64_t units = pieces++;
        for (; level + 1 < scan_levels && units % scan_fan == scan_fan - 1; ++level, units /= scan_fan)
            total = op(sum[level], total);
        const bool alone = level + 1 < scan_levels ? units % scan_fan == 0 : units == 0;
        sum[level] = alone ? total : op(sum[level], total);
        const bool any_above = level + 1 < scan_levels && units >= scan_fan;
        value = op(any_above ? front[level + 1] : base, sum[level]);
        for (std::size_t k = 0; k <= level; ++k) front[k] = value;
    }
};

/// Of anything else nobody knows more than the order.
template <class T>
struct scan_state<T, false> {
    T value;
};

/// A running value is a chain: each step waits for the one before. So a piece is scanned as several chains side by
/// side, and what lies in front of each is put there afterwards, which vectorises. Each value is computed once.
inline constexpr std::size_t scan_chains = 8, scan_links = 32, scan_width = scan_chains * scan_links;

/// Between two pieces memory would have nothing to do: elements are asked for so long before they are used.
inline constexpr std::size_t scan_ahead = 512;

/// The result slot of a row of a block.
template <class T, bool Linear>
struct result_row {
    T* at;
    std::size_t stride;
    result_row(const slot_view& s, std::size_t row) : at(static_cast<T*>(s.data) + way(row, s.ld)), stride(s.stride) {}
    T& operator[](std::size_t c) const { return at[way(c, Linear ? 1 : stride)]; }
};

/// Scans the values first .. first + scan_width behind the state's running value.
template <bool Exclusive, class T, class Op, class Value, class Out>
void scan_piece(const Value& value, std::size_t first, const Op& op, const Out& out, scan_state<T>& state)
{
    T v[scan_width];
#pragma omp simd
    for (std::size_t i = 0; i < scan_width; ++i) v[i] = value(first + i);
    for (std::size_t i = 1; i < scan_links; ++i)
        for (std::size_t k = 0; k < scan_chains; ++k) {
            T* const link = v + k * scan_links + i;
            *link = op(link[-1], *link);
        }
    T total = v[scan_links - 1], fronts[scan_chains]; // of the chains so far, and what lies in front of each
    fronts[0] = state.value;
    for (std::size_t k = 1; k < scan_chains; ++k) {
        fronts[k] = op(fronts[0], total);
        total = op(total, v[(k + 1) * scan_links - 1]);
    }
    state.add(op, total);
    for (std::size_t k = 0; k < scan_chains; ++k) {
        const T* const chain = v + k * scan_links;
        const std::size_t at = first + k * scan_links;
        const T front = fronts[k];
        if constexpr (Exclusive) {
            out[at] = front;
#pragma omp simd
            for (std::size_t i = 1; i < scan_links; ++i) out[at + i] = op(front, chain[i - 1]);
        } else {
#pragma omp simd
            for (std::size_t i = 0; i < scan_links; ++i) out[at + i] = op(front, chain[i]);
        }
    }
}

/// What is left of a row: less than a piece.
template <bool Exclusive, class T, class Op, class Value, class Out>
void scan_rest(const Value& value, std::size_t first, std::size_t n, const Op& op, const Out& out, scan_state<T>& state)
{
    const T front = state.value;
    T total{};
    for (std::size_t c = first; c < n; ++c) {
        const T x = value(c);
        if constexpr (Exclusive) out[c] = c == first ? front : op(front, total);
        total = c == first ? x : op(total, x);
        if constexpr (!Exclusive) out[c] = op(front, total);
    }
    if (first < n) state.add(op, total);
}

template <class Reader, class Out>
void prefetch_piece(const Reader& read, const Out& out, std::size_t first)
{
    constexpr std::size_t line =
        16; // elements of four bytes; wider ones are asked for in part, which is enough to begin
    for (std::size_t i = 0; i < scan_width; i += line) {
        read.prefetch(first + i);
        __builtin_prefetch(&out[first + i], 1);
    }
}

/// Scans the sums of the values first .. last, a piece.
template <bool Exclusive, class T, class Value, class Out>
T scan_sums(const Value& value, std::size_t first, std::size_t last, const Out& out, const T front)
{
    T sum{};
    if constexpr (Exclusive) {
#pragma omp simd reduction(inscan, + : sum)
        for (std::size_t c = first; c < last; ++c) {
            out[c] = front + sum;
#pragma omp scan exclusive(sum)
            sum += value(c);
        }
    } else {
#pragma omp simd reduction(inscan, + : sum)
        for (std::size_t c = first; c < last; ++c) {
            sum += value(c);
#pragma omp scan inclusive(sum)
            out[c] = front + sum;
        }
    }
    return sum;
}

/// Values of a piece of a sum: where the compiler has no vectors, a chain.
inline constexpr std::size_t sum_width = 256;

/// Scans the values 0 .. n of a row.
template <bool Exclusive, bool Sum, class T, class Op, class Reader, class Value, class Out>
void scan_row(const Reader& read, const Value& value, std::size_t n, const Op& op, const Out& out, scan_state<T>& state,
              bool& started)
{
    std::size_t c = 0;
    if (!started && n > 0) {
        state.value = value(0);
        if constexpr (!Exclusive) out[0] = running_value<T>::store(state.value);
        started = true;
        c = 1;
    }
    if constexpr (!std::is_arithmetic_v<T>) {
        for (; c < n && !op.failed(); ++c) {
            const T x = value(c);
            if constexpr (Exclusive) out[c] = running_value<T>::store(state.value);
            state.value = op(state.value, x);
            if constexpr (!Exclusive) out[c] = running_value<T>::store(state.value);
        }
    } else if constexpr (Sum) {
        for (; c < n && !op.failed(); c += sum_width)
            state.add(op, scan_sums<Exclusive>(value, c, std::min(n, c + sum_width), out, state.value));
    } else {
        for (; c + scan_width <= n && !op.failed(); c += scan_width) {
            prefetch_piece(read, out, c + scan_ahead);
            scan_piece<Exclusive>(value, c, op, out, state);
        }
        if (!op.failed()) scan_rest<Exclusive>(value, c, n, op, out, state);
    }
}

template <class N, class T, class Op, bool Exclusive, bool Linear>
void scan_rows_of_block(const cpu_block& b, const segment& s, scan_state<T>& state, bool started)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    for (std::size_t r = 0; r < s.rows && !op.failed(); ++r) {
        const reader<N, Linear> read(b.slots, r);
        const auto value = row_values<N, T>(read, {s.row0 + r, s.col0, b.width, 0}, what);
        const result_row<typename running_value<T>::stored, Linear> out(b.slots[leaf_count<N>::value], r);
        scan_row<Exclusive, is_sum<Op>>(read, value, s.cols, op, out, state, started);
    }
    rethrow(what);
}

template <class N, class T, class Op, bool Exclusive>
void scan_block(const cpu_block& b, void* state, bool started)
{
    const segment s = joined<N>(b, true);
    auto& from = *static_cast<scan_state<T>*>(state);
    // The state has its own address: in registers while the loop runs.
    scan_state<T> own = from;
    if (is_linear<N>(b.slots, true)) scan_rows_of_block<N, T, Op, Exclusive, has_linear_loops<N>>(b, s, own, started);
    else scan_rows_of_block<N, T, Op, Exclusive, false>(b, s, own, started);
    from = own;
}

/// The running values of all columns of a block, added up as scan_state does: a piece is a row.
template <class T>
class column_states
{
public:
    /// `running`: what lies in front of the block.
    column_states(const T* running, std::size_t n) : n_(n), room_(new T[(2 * scan_levels + 1) * n])
    {
        std::copy(running, running + n, base());
    }

    /// The next row, whose value in column c is value(c).
    template <bool Exclusive, class Op, class Value, class Out>
    void add_row(const Op& op, const Value& value, const Out& out, T* running)
    {
        const bool alone = rows_ % scan_fan == 0;
        T* const sum = sums(0);
        const T* const front = rows_ < scan_fan ? base() : fronts(1);
#pragma omp simd
        for (std::size_t c = 0; c < n_; ++c) {
            const T before = running[c], x = value(c);
            sum[c] = alone ? x : op(sum[c], x);
            running[c] = op(front[c], sum[c]);
            out[c] = Exclusive ? before : running[c];
        }
        if (++rows_ % scan_fan == 0) hand_up(op);
    }

private:
    T* base() { return room_.get(); }
    T* sums(std::size_t level) { return room_.get() + (1 + 2 * level) * n_; }
    T* fronts(std::size_t level) { return room_.get() + (2 + 2 * level) * n_; }

    /// scan_fan rows are complete.
    template <class Op>
    void hand_up(const Op& op)
    {
        std::size_t level = 1;
        std::uint64_t units = rows_ / scan_fan - 1; // of that level, before this one
        T* total = sums(0);
        for (; level + 1 < scan_levels && units % scan_fan == scan_fan - 1; ++level, units /= scan_fan) {
            for (std::size_t c = 0; c < n_; ++c) sums(level)[c] = op(sums(level)[c], total[c]);
            total = sums(level);
        }
        const bool alone = level + 1 < scan_levels ? units % scan_fan == 0 : units == 0;
        const T* const above = level + 1 < scan_levels && units >= scan_fan ? fronts(level + 1) : base();
        for (std::size_t c = 0; c < n_; ++c) {
            T& sum = sums(level)[c];
            sum = alone ? total[c] : op(sum, total[c]);
            const T front = op(above[c], sum);
            for (std::size_t k = 1; k <= level; ++k) fronts(k)[c] = front;
        }
    }

    std::size_t n_;
    std::uint64_t rows_ = 0;
    std::unique_ptr<T[]> room_;
};

template <class N, class T, class Op, bool Exclusive>
void scan_columns_block(const cpu_block& b, void* acc, bool started)
{
    T* const running = static_cast<T*>(acc);
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const std::size_t n = b.where.cols;
    std::optional<column_states<T>> states;
    for (std::size_t r = 0; r < b.where.rows && !op.failed(); ++r) {
        const reader<N, false> read(b.slots, r);
        const auto value = row_values<N, T>(read, {b.where.row0 + r, b.where.col0, b.width, 0}, what);
        const result_row<T, false> out(b.slots[leaf_count<N>::value], r);
        if (!started) {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) {
                running[c] = value(c);
                if constexpr (!Exclusive) out[c] = running[c];
            }
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (!states) states.emplace(running, n);
            states->template add_row<Exclusive>(op, value, out, running);
        } else {
            for (std::size_t c = 0; c < n; ++c) {
                const T before = running[c], with = op(before, value(c));
                running[c] = with;
                out[c] = Exclusive ? before : with;
            }
        }
        started = true;
    }
    rethrow(what);
}

template <class N, class T, class Op>
void put_in_front_of_block(const cpu_block& b, const void* front, bool first_missing)
{
    const T before = *static_cast<const T*>(front);
    const slot_view& to = b.slots[leaf_count<N>::value];
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const std::size_t skip = r == 0 && first_missing ? 1 : 0, n = b.where.cols;
        const result_row<T, false> out(to, r);
        if (skip) out[0] = before;
        if (to.stride == 1) {
            T* const line = out.at;
#pragma omp simd
            for (std::size_t c = skip; c < n; ++c) line[c] = op(before, line[c]);
        } else {
            for (std::size_t c = skip; c < n; ++c) out[c] = op(before, out[c]);
        }
    }
    rethrow(what);
}

} // namespace skelrt::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
