// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "guarded.hpp"
#include "known_counts.hpp"
#include "own_loop.hpp"
#include "readers.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

/// Maps on cores: sequential loops over one block, written for the compiler's vectoriser (-fopenmp-simd).
#if defined(__clang__)
#pragma clang diagnostic push
// Whether a loop vectorises depends on the user's function; that is no news for the user.
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

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
        T* const out = static_cast<T*>(to.data) + way(r, to.ld);
        const std::size_t stride = to.stride, row = s.row0 + r, col0 = s.col0, n = s.cols;
        const index_widths width = b.width;
#pragma omp simd
        for (std::size_t c = 0; c < n; ++c)
            guarded(what, [&] {
                out[way(c, Linear ? 1 : stride)] = evaluate<N, 0>(read, position{row, col0, width, c});
            });
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
                         static_cast<typename N::value*>(to.data) + way(r, to.ld));
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
        T* const out = static_cast<T*>(to.data) + way(r, to.ld);
        for (std::size_t c = 0; c < b.where.cols; ++c)
            out[way(c, to.stride)] = evaluate<N, 0>(read, position{b.where.row0 + r, b.where.col0, b.width, c});
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

} // namespace skelrt::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
