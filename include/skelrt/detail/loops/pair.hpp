// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "checked.hpp"
#include "lanes.hpp"
#include "short_numbers.hpp"

#include <algorithm>

/// The typed parts of all_pairs on the CPU, as in Goto and van de Geijn, "Anatomy of high-performance matrix
/// multiplication", ACM TOMS 34(3), 2008: panels packed for the registers, and the tile that is computed in them.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
inline constexpr unsigned rows_in_registers = 12;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
inline constexpr unsigned rows_in_registers = 6;
#else
inline constexpr std::size_t register_bytes = 16;
inline constexpr unsigned rows_in_registers = 6;
#endif

/// What a side's values are packed as. Short numbers become floats here, once, if the functions take them for floats.
template <class Zip, class Op, class V, class T>
using packed =
    std::conditional_t<counts_as_float<V> && std::is_same_v<T, float> && is_lane_wise<Zip> && is_lane_wise<Op>, float,
                       V>;

/// Whether tiles are computed in explicit vectors. Others are left to the compiler's vectoriser, which takes half of a
/// 64-byte register and must be sure of exceptions.
template <class Zip, class Op, class A, class B, class T>
inline constexpr bool in_vectors =
    is_lane_wise<Zip>&& is_lane_wise<Op>&& std::is_same_v<A, T>&& std::is_same_v<B, T>&& std::is_arithmetic_v<T> &&
    !std::is_same_v<T, bool> && sizeof(T) >= 4 && sizeof(T) <= 8;

template <class Zip, class Op, class A, class B, class T>
struct tile_shape {
    static constexpr bool vectors = in_vectors<Zip, Op, A, B, T>;
    static constexpr bool plain = std::is_arithmetic_v<T> && std::is_arithmetic_v<B>;
    static constexpr unsigned rows = vectors ? rows_in_registers : plain ? 6 : 4;
    static constexpr unsigned cols = vectors ? 2 * register_bytes / sizeof(T)
                                     : plain ? std::max<std::size_t>(64 / sizeof(T), 4)
                                             : 4;
};

/// The views of a side's leaves: `ld` from row to row of the side, `stride` along a row.
template <class N, bool Left>
class side_views
{
public:
    static constexpr std::size_t count = leaf_count<N>::value;

    /// `origin`: the side's row that the panel counts from.
    side_views(const slot_view* slots, std::size_t origin)
    {
        fill(slots, origin, leaves_of<N>{}, std::make_index_sequence<count>{});
    }

    const slot_view* get() const { return views_; }
    /// Whether neighbouring rows are neighbours in memory; then swapped() has rows where the others have columns.
    bool across() const { return across_; }
    void swap()
    {
        for (slot_view& v : views_) std::swap(v.ld, v.stride);
    }

private:
    template <class... L, std::size_t... K>
    void fill(const slot_view* slots, std::size_t origin, type_list<L...>, std::index_sequence<K...>)
    {
        (one<L>(slots[K], origin, views_[K]), ...);
    }
    template <class L>
    void one(const slot_view& from, std::size_t origin, slot_view& to)
    {
        to = from;
        if constexpr (moves(L::kind)) {
            // The slot is a column_vec if the side is the right one or the operand is transposed, else a row_vec.
            if (!Left || L::kind == slot_kind::column_element) {
                std::swap(to.ld, to.stride);
                to.data =
                    static_cast<typename L::value*>(to.data) + way(origin, to.ld); // read whole, from the first row on
            }
            constexpr bool both = L::kind == slot_kind::element || L::kind == slot_kind::column_element;
            if (!both || to.ld != 1) across_ = false;
        }
    }

    slot_view views_[count];
    bool across_ = !uses_index<N>; // a function that asks for its position asks for row and column
};

/// One strip of `Width` rows from row `first` of the side on, `rows` of them there.
template <class N, bool Left, unsigned Width, class To>
void pack_strip(const pair_panel& p, const side_views<N, Left>& views, bool across, std::size_t first, std::size_t rows,
                To* to)
{
    std::exception_ptr what;
    if (across) {
        for (std::size_t k = 0; k < p.depth; ++k) {
            const reader<N, true> read(views.get(), p.k0 + k);
            const auto value = row_values<N, typename N::value>(read, {0, 0, p.width, 0}, what);
            if (rows == Width) {
#pragma omp simd
                for (unsigned i = 0; i < Width; ++i) to[k * Width + i] = value(first + i);
            } else {
                for (unsigned i = 0; i < Width; ++i)
                    to[k * Width + i] = value(first + std::min<std::size_t>(i, rows - 1));
            }
        }
    } else {
        constexpr std::size_t line = 16; // a cache line of one row at a time
        for (std::size_t k = 0; k < p.depth; k += line)
            for (unsigned i = 0; i < Width; ++i) {
                const std::size_t row = first + std::min<std::size_t>(i, rows - 1);
                const reader<N, false> read(views.get(), row);
                const auto value = row_values<N, typename N::value>(read, {p.origin + row, 0, p.width, 0}, what);
                const std::size_t end = std::min(k + line, p.depth);
                for (std::size_t m = k; m < end; ++m) to[m * Width + i] = value(p.k0 + m);
            }
    }
    rethrow(what);
}

template <class N, bool Left, std::size_t FirstSlot, unsigned Width, class To>
void pack_side(const pair_panel& p, void* panel)
{
    side_views<N, Left> views(p.slots + FirstSlot, p.origin);
    const bool across = views.across();
    if (across) views.swap();
    auto* to = static_cast<To*>(panel);
    for (std::size_t i = 0; i < p.count; i += Width, to += Width * p.depth)
        pack_strip<N, Left, Width>(p, views, across, p.first + i, std::min<std::size_t>(Width, p.count - i), to);
}

/// Elements of a row that are added one by one: more would lose more than pairwise summation does (Higham, SIAM J. Sci.
/// Comput. 14(4), 1993). What so many give is added to what others gave; codelets/cpu/pairs/pair_levels.hpp goes on
/// from there.
inline constexpr std::size_t pair_links = 32;

/// acc[i][j] = zip(left[0][i], right[0][j]) op zip(left[1][i], right[1][j]) op ..., behind acc[i][j] if `begun`. The
/// chain stays in registers.
template <class Zip, class Op, class A, class B, class T>
void chain_in_vectors(const A* left, const B* right, std::size_t depth, bool begun, T* acc)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    typedef T vector __attribute__((vector_size(register_bytes)));
    typedef T in_memory __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
    constexpr unsigned lanes = register_bytes / sizeof(T), rows = shape::rows, cols = shape::cols;
    static_assert(cols == 2 * lanes);
    vector sum[rows][2];
    const auto each = [&](std::size_t k, auto put) {
        const vector y0 = *reinterpret_cast<const in_memory*>(right + k * cols);
        const vector y1 = *reinterpret_cast<const in_memory*>(right + k * cols + lanes);
#pragma GCC unroll 16
        for (unsigned i = 0; i < rows; ++i) {
            const vector x = left[k * rows + i] - vector{};
            put(sum[i][0], Zip{}(x, y0));
            put(sum[i][1], Zip{}(x, y1));
        }
    };
    each(0, [](vector& s, const vector& z) { s = z; });
    for (std::size_t k = 1; k < depth; ++k) each(k, [](vector& s, const vector& z) { s = Op{}(s, z); });
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i)
#pragma GCC unroll 2
        for (unsigned h = 0; h < 2; ++h) {
            in_memory& to = *reinterpret_cast<in_memory*>(acc + i * cols + h * lanes);
            to = begun ? Op{}(vector(to), sum[i][h]) : sum[i][h];
        }
}

template <class Zip, class Op, class A, class B, class T>
void chain_by_element(const A* left, const B* right, std::size_t depth, bool begun, T* acc)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    constexpr unsigned rows = shape::rows, cols = shape::cols;
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    T sum[rows][cols];
    const auto each = [&](std::size_t k, auto put) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < rows; ++i) {
            const A x = left[k * rows + i];
#pragma omp simd
            for (unsigned j = 0; j < cols; ++j) {
                const B& y = right[k * cols + j]; // clang++ 14 finds no `right` in a lambda of such a loop
                put(sum[i][j], guarded_value<T>(what, [&] { return static_cast<T>(Zip{}(x, y)); }));
            }
        }
    };
    each(0, [](T& s, const T& z) { s = z; });
    for (std::size_t k = 1; k < depth; ++k) each(k, [&](T& s, const T& z) { s = op(s, z); });
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i)
#pragma omp simd
        for (unsigned j = 0; j < cols; ++j) {
            T& to = acc[i * cols + j];
            to = begun ? op(to, sum[i][j]) : sum[i][j];
        }
    rethrow(what);
}

template <bool Scaled, class T>
T multiplied(const void* factor, const T& value)
{
    if constexpr (Scaled) return factor ? static_cast<T>(*static_cast<const T*>(factor) * value) : value;
    else return value;
}

/// result[i][j] = front op acc[i][j], for what of the tile exists.
template <class Zip, class Op, class A, class B, bool Scaled, class T>
void put_pair_tile(const pair_tile& t, const T* acc)
{
    constexpr unsigned cols = tile_shape<Zip, Op, A, B, T>::cols;
    std::exception_ptr what;
    const guarded_operator<T, Op> op{&what};
    const auto put = [&](auto value) {
        for (std::size_t i = 0; i < t.rows; ++i) {
            T* const line = static_cast<T*>(t.result) + i * t.ld;
#pragma omp simd
            for (std::size_t j = 0; j < t.cols; ++j)
                line[j] = value(line[j], multiplied<Scaled>(t.sum_factor, acc[i * cols + j]));
        }
    };
    if (t.begun) put([&](const T& front, const T& x) { return op(multiplied<Scaled>(t.front_factor, front), x); });
    else if (t.start) put([&](const T&, const T& x) { return op(*static_cast<const T*>(t.start), x); });
    else put([](const T&, const T& x) { return x; });
    rethrow(what);
}

/// What of the tile exists is on its way to the caches while its sums are made: its rows are too far apart to be
/// expected.
template <class T>
void fetch_pair_tile(const pair_tile& t)
{
    constexpr std::size_t line = std::max<std::size_t>(64 / sizeof(T), 1);
    for (std::size_t i = 0; i < t.rows; ++i)
        for (std::size_t j = 0; j < t.cols; j += line) __builtin_prefetch(static_cast<T*>(t.result) + i * t.ld + j, 1);
}

/// See pair_functions::tile. Works in a copy of the tile: what exists of it may be less.
template <class Zip, class Op, class A, class B, class T, bool Scaled = false>
void pair_tile_in_order(const pair_tile& t)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    const A* const left = static_cast<const A*>(t.left);
    const B* const right = static_cast<const B*>(t.right);
    alignas(64) T acc[shape::rows * shape::cols];
    if (t.begun) fetch_pair_tile<T>(t);
    for (std::size_t k = 0; k < t.depth; k += pair_links) {
        const std::size_t depth = std::min(pair_links, t.depth - k);
        const A* const a = left + k * shape::rows;
        const B* const b = right + k * shape::cols;
        if constexpr (shape::vectors) chain_in_vectors<Zip, Op>(a, b, depth, k > 0, acc);
        else chain_by_element<Zip, Op>(a, b, depth, k > 0, acc);
    }
    put_pair_tile<Zip, Op, A, B, Scaled>(t, acc);
}

template <class LeftTree, class RightTree, class Zip, class Op, class T, bool Scaled = false>
inline constexpr pair_functions pair_functions_of = [] {
    using A = packed<Zip, Op, typename LeftTree::value, T>;
    using B = packed<Zip, Op, typename RightTree::value, T>;
    using shape = tile_shape<Zip, Op, A, B, T>;
    return pair_functions{shape::rows,
                          shape::cols,
                          sizeof(A),
                          sizeof(B),
                          &pack_side<LeftTree, true, 0, shape::rows, A>,
                          &pack_side<RightTree, false, leaf_count<LeftTree>::value, shape::cols, B>,
                          &pair_tile_in_order<Zip, Op, A, B, T, Scaled>};
}();

template <class LeftTree, class RightTree, class Zip, class Op, class T, bool Scaled = false>
inline constexpr pair_functions checked_pair_functions_of = [] {
    using A = packed<Zip, Op, typename LeftTree::value, T>;
    using B = packed<Zip, Op, typename RightTree::value, T>;
    using shape = tile_shape<Zip, Op, A, B, T>;
    constexpr unsigned left = leaf_count<LeftTree>::value;
    pair_functions f = pair_functions_of<LeftTree, RightTree, Zip, Op, T, Scaled>;
    f.pack_left = in_checked_call<&pack_side<with_checks<LeftTree>, true, 0, shape::rows, A>>;
    f.pack_right = in_checked_call<&pack_side<with_checks<RightTree, left>, false, left, shape::cols, B>>;
    return f;
}();

} // namespace skelrt::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
