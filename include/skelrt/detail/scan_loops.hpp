#pragma once

#include "loops.hpp"

/// The CPU side of scans: sequential loops over one block. `N` is the tree of the scanned values, whose result slot follows
/// its leaves; `T` the type of the running value.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

/// A running value is a chain: each step waits for the one before. So a piece is scanned as several chains side by side,
/// and what lies in front of each is put there afterwards, which vectorises. Each value is computed once.
inline constexpr std::size_t scan_chains = 8, scan_links = 32, scan_width = scan_chains * scan_links;

/// Between two pieces memory would have nothing to do: elements are asked for so long before they are used.
inline constexpr std::size_t scan_ahead = 512;

/// The result slot of a row of a block.
template <class T, bool Linear>
struct result_row {
    T* at;
    std::size_t stride;
    result_row(const slot_view& s, std::size_t row) : at(static_cast<T*>(s.data) + row * s.ld), stride(s.stride) {}
    T& operator[](std::size_t c) const { return at[Linear ? c : c * stride]; }
};

/// Scans the values first .. first + scan_width behind `acc`, which becomes the last running value.
template <bool Exclusive, class T, class Op, class Value, class Out>
void scan_piece(const Value& value, std::size_t first, const Op& op, const Out& out, T& acc)
{
    T v[scan_width];
#pragma omp simd
    for (std::size_t i = 0; i < scan_width; ++i) v[i] = value(first + i);
    for (std::size_t i = 1; i < scan_links; ++i)
        for (std::size_t k = 0; k < scan_chains; ++k) {
            T* const link = v + k * scan_links + i;
            *link = op(link[-1], *link);
        }
    for (std::size_t k = 0; k < scan_chains; ++k) {
        const T* const chain = v + k * scan_links;
        const std::size_t at = first + k * scan_links;
        const T front = acc;
        acc = op(front, chain[scan_links - 1]);
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

/// Scans the sums of the values first .. n of a row.
template <bool Exclusive, class T, class Value, class Out>
void scan_sums(const Value& value, std::size_t first, std::size_t n, const Out& out, T& acc)
{
    T sum = acc;
    if constexpr (Exclusive) {
#pragma omp simd reduction(inscan, + : sum)
        for (std::size_t c = first; c < n; ++c) {
            out[c] = sum;
#pragma omp scan exclusive(sum)
            sum += value(c);
        }
    } else {
#pragma omp simd reduction(inscan, + : sum)
        for (std::size_t c = first; c < n; ++c) {
            sum += value(c);
#pragma omp scan inclusive(sum)
            out[c] = sum;
        }
    }
    acc = sum;
}

/// Scans the values 0 .. n of a row.
template <bool Exclusive, bool Sum, class T, class Op, class Reader, class Value, class Out>
void scan_row(const Reader& read, const Value& value, std::size_t n, const Op& op, const Out& out, T& acc,
              bool& started)
{
    std::size_t c = 0;
    if (!started && n > 0) {
        acc = value(0);
        if constexpr (!Exclusive) out[0] = acc;
        started = true;
        c = 1;
    }
    if constexpr (Sum && std::is_arithmetic_v<T>) {
        scan_sums<Exclusive>(value, c, n, out, acc);
        return;
    }
    if constexpr (std::is_arithmetic_v<T>)
        for (; c + scan_width <= n; c += scan_width) {
            prefetch_piece(read, out, c + scan_ahead);
            scan_piece<Exclusive>(value, c, op, out, acc);
        }
    for (; c < n; ++c) {
        const T x = value(c);
        if constexpr (Exclusive) out[c] = acc;
        acc = op(acc, x);
        if constexpr (!Exclusive) out[c] = acc;
    }
}

template <class N, class T, class Op, bool Exclusive, bool Linear>
void scan_rows_of_block(const cpu_block& b, const segment& s, T& acc, bool started)
{
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<N, Linear> read(b.slots, r);
        const auto value = row_values<N, T>(read, {s.row0 + r, s.col0, b.width, 0}, what);
        const result_row<T, Linear> out(b.slots[leaf_count<N>::value], r);
        scan_row<Exclusive, is_sum<Op>>(read, value, s.cols, op, out, acc, started);
        if (what) break;
    }
    rethrow(what);
}

template <class N, class T, class Op, bool Exclusive>
void scan_block(const cpu_block& b, void* acc, bool started)
{
    const segment s = joined<N>(b, true);
    // The running value has its own address: in a register while the loop runs.
    T value = started ? *static_cast<T*>(acc) : T{};
    if (is_linear<N>(b.slots, true)) scan_rows_of_block<N, T, Op, Exclusive, true>(b, s, value, started);
    else scan_rows_of_block<N, T, Op, Exclusive, false>(b, s, value, started);
    *static_cast<T*>(acc) = value;
}

template <class N, class T, class Op, bool Exclusive>
void scan_columns_block(const cpu_block& b, void* acc, bool started)
{
    T* const running = static_cast<T*>(acc);
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const std::size_t n = b.where.cols;
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const reader<N, false> read(b.slots, r);
        const auto value = row_values<N, T>(read, {b.where.row0 + r, b.where.col0, b.width, 0}, what);
        const result_row<T, false> out(b.slots[leaf_count<N>::value], r);
        if (!started) {
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) {
                running[c] = value(c);
                if constexpr (!Exclusive) out[c] = running[c];
            }
        } else {
#pragma omp simd
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
