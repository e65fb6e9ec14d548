#pragma once

#include "checked_loops.hpp"

#include <algorithm>

/// The typed parts of all_pairs on the CPU, as in Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
/// ACM TOMS 34(3), 2008: panels packed for the registers, and the tile that is computed in them.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace skelrt::detail
{

/// Operators that do the same to every element of a compiler's vector as to one number.
template <class Op>
inline constexpr bool is_lane_wise = false;

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
                    static_cast<typename L::value*>(to.data) + origin * to.ld; // read whole, from the first row on
            }
            constexpr bool both = L::kind == slot_kind::element || L::kind == slot_kind::column_element;
            if (!both || to.ld != 1) across_ = false;
        }
    }

    slot_view views_[count];
    bool across_ = !uses_index<N>; // a function that asks for its position asks for row and column
};

/// One strip of `Width` rows from row `first` of the side on, `rows` of them there.
template <class N, bool Left, unsigned Width>
void pack_strip(const pair_panel& p, const side_views<N, Left>& views, bool across, std::size_t first, std::size_t rows,
                typename N::value* to)
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

template <class N, bool Left, std::size_t FirstSlot, unsigned Width>
void pack_side(const pair_panel& p, void* panel)
{
    side_views<N, Left> views(p.slots + FirstSlot, p.origin);
    const bool across = views.across();
    if (across) views.swap();
    auto* to = static_cast<typename N::value*>(panel);
    for (std::size_t i = 0; i < p.count; i += Width, to += Width * p.depth)
        pack_strip<N, Left, Width>(p, views, across, p.first + i, std::min<std::size_t>(Width, p.count - i), to);
}

/// acc[i][j] = acc[i][j] op zip(left[k][i], right[k][j]) for k in order; acc stays in registers.
template <class Zip, class Op, class A, class B, class T>
void tile_in_vectors(const A* left, const B* right, std::size_t depth, T* acc)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    typedef T vector __attribute__((vector_size(register_bytes)));
    typedef T in_memory __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
    constexpr unsigned lanes = register_bytes / sizeof(T), rows = shape::rows, cols = shape::cols;
    static_assert(cols == 2 * lanes);
    vector sum[rows][2];
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i) {
        sum[i][0] = *reinterpret_cast<const in_memory*>(acc + i * cols);
        sum[i][1] = *reinterpret_cast<const in_memory*>(acc + i * cols + lanes);
    }
    for (std::size_t k = 0; k < depth; ++k) {
        const vector y0 = *reinterpret_cast<const in_memory*>(right + k * cols);
        const vector y1 = *reinterpret_cast<const in_memory*>(right + k * cols + lanes);
#pragma GCC unroll 16
        for (unsigned i = 0; i < rows; ++i) {
            const vector x = left[k * rows + i] - vector{};
            sum[i][0] = Op{}(sum[i][0], Zip{}(x, y0));
            sum[i][1] = Op{}(sum[i][1], Zip{}(x, y1));
        }
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i) {
        *reinterpret_cast<in_memory*>(acc + i * cols) = sum[i][0];
        *reinterpret_cast<in_memory*>(acc + i * cols + lanes) = sum[i][1];
    }
}

template <class Zip, class Op, class A, class B, class T>
void tile_by_element(const A* left, const B* right, std::size_t depth, T* acc)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    constexpr unsigned rows = shape::rows, cols = shape::cols;
    std::exception_ptr what;
    T sum[rows][cols];
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i)
#pragma omp simd
        for (unsigned j = 0; j < cols; ++j) sum[i][j] = acc[i * cols + j];
    for (std::size_t k = 0; k < depth; ++k) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < rows; ++i) {
            const A x = left[k * rows + i];
#pragma omp simd
            for (unsigned j = 0; j < cols; ++j)
                sum[i][j] = guarded_value<T>(what, [&] {
                    return static_cast<T>(Op{}(sum[i][j], static_cast<T>(Zip{}(x, right[k * cols + j]))));
                });
        }
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < rows; ++i)
#pragma omp simd
        for (unsigned j = 0; j < cols; ++j) acc[i * cols + j] = sum[i][j];
    rethrow(what);
}

/// See pair_functions::tile. Works in a copy of the tile: what exists of it may be less.
template <class Zip, class Op, class A, class B, class T>
void pair_tile_in_order(const pair_tile& t)
{
    using shape = tile_shape<Zip, Op, A, B, T>;
    constexpr unsigned rows = shape::rows, cols = shape::cols;
    const A* left = static_cast<const A*>(t.left);
    const B* right = static_cast<const B*>(t.right);
    T* const result = static_cast<T*>(t.result);
    std::size_t depth = t.depth;
    alignas(64) T acc[rows * cols];
    std::exception_ptr what;
    for (unsigned i = 0; i < rows; ++i)
        for (unsigned j = 0; j < cols; ++j) {
            T& a = acc[i * cols + j];
            if (t.begun) a = result[std::min<std::size_t>(i, t.rows - 1) * t.ld + std::min<std::size_t>(j, t.cols - 1)];
            else if (t.start) a = *static_cast<const T*>(t.start);
            else a = guarded_value<T>(what, [&] { return static_cast<T>(Zip{}(left[i], right[j])); });
        }
    rethrow(what);
    if (!t.begun && !t.start) {
        left += rows;
        right += cols;
        --depth;
    }
    if constexpr (shape::vectors) tile_in_vectors<Zip, Op, A, B, T>(left, right, depth, acc);
    else tile_by_element<Zip, Op, A, B, T>(left, right, depth, acc);
    for (std::size_t i = 0; i < t.rows; ++i)
        for (std::size_t j = 0; j < t.cols; ++j) result[i * t.ld + j] = acc[i * cols + j];
}

template <class LeftTree, class RightTree, class Zip, class Op, class T>
inline constexpr pair_functions pair_functions_of = [] {
    using A = typename LeftTree::value;
    using B = typename RightTree::value;
    using shape = tile_shape<Zip, Op, A, B, T>;
    return pair_functions{shape::rows,
                          shape::cols,
                          sizeof(A),
                          sizeof(B),
                          &pack_side<LeftTree, true, 0, shape::rows>,
                          &pack_side<RightTree, false, leaf_count<LeftTree>::value, shape::cols>,
                          &pair_tile_in_order<Zip, Op, A, B, T>};
}();

template <class LeftTree, class RightTree, class Zip, class Op, class T>
inline constexpr pair_functions checked_pair_functions_of = [] {
    using shape = tile_shape<Zip, Op, typename LeftTree::value, typename RightTree::value, T>;
    constexpr unsigned left = leaf_count<LeftTree>::value;
    pair_functions f = pair_functions_of<LeftTree, RightTree, Zip, Op, T>;
    f.pack_left = in_checked_call<&pack_side<with_checks<LeftTree>, true, 0, shape::rows>>;
    f.pack_right = in_checked_call<&pack_side<with_checks<RightTree, left>, false, left, shape::cols>>;
    return f;
}();

} // namespace skelrt::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
