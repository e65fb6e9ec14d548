// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/transposed.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t run_bytes = 256;       ///< of a column of memory in a tile: few of its lines belong to two tiles
constexpr std::size_t tile_bytes = 16 << 10; ///< of an operand's elements: a core's first cache holds two such
constexpr std::size_t most_size = 64;        ///< of an element: larger ones use the most of their lines anyway

bool is_transposed(const recipe& what, const cpu_block& b, std::size_t k) noexcept
{
    const slot_kind kind = what.slots[k].kind;
    const slot_view& v = b.slots[k];
    return (kind == slot_kind::element || kind == slot_kind::column_element) && !is_written(what, k) && v.data &&
           v.ld < v.stride && v.ld > 0 && !goes_back(v.stride) && what.slots[k].size <= most_size;
}

/// Element (r, c) of the tile goes to to[r * cols + c]. Size 0: of `size` bytes.
template <std::size_t Size>
void gather(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v, std::size_t size) noexcept
{
    const std::size_t bytes = Size ? Size : size;
    for (std::size_t c = 0; c < tile.cols; ++c)
        for (std::size_t r = 0; r < tile.rows; ++r)
            std::memcpy(to + (r * tile.cols + c) * bytes, from + (r * v.ld + c * v.stride) * bytes, bytes);
}

#if defined(__SSE2__)
/// Squares of four by four elements of 4 bytes, or two by two of 8, in registers.
template <std::size_t Size>
constexpr std::size_t square = 16 / Size;

inline void transpose_square(std::byte* to, std::size_t to_row, const std::byte* from, std::size_t from_column,
                             std::integral_constant<std::size_t, 4>) noexcept
{
    const auto column = [&](std::size_t k) {
        return _mm_loadu_ps(reinterpret_cast<const float*>(from + k * from_column));
    };
    __m128 a = column(0), b = column(1), c = column(2), d = column(3);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    const auto row = [&](std::size_t k) { return reinterpret_cast<float*>(to + k * to_row); };
    _mm_storeu_ps(row(0), a), _mm_storeu_ps(row(1), b), _mm_storeu_ps(row(2), c), _mm_storeu_ps(row(3), d);
}

inline void transpose_square(std::byte* to, std::size_t to_row, const std::byte* from, std::size_t from_column,
                             std::integral_constant<std::size_t, 8>) noexcept
{
    const __m128d a = _mm_loadu_pd(reinterpret_cast<const double*>(from)),
                  b = _mm_loadu_pd(reinterpret_cast<const double*>(from + from_column));
    _mm_storeu_pd(reinterpret_cast<double*>(to), _mm_unpacklo_pd(a, b));
    _mm_storeu_pd(reinterpret_cast<double*>(to + to_row), _mm_unpackhi_pd(a, b));
}

/// The same of columns without gaps, in squares; what is left of a tile one by one. Columns that come soon are asked
/// for, as they are too far apart for the processor to guess them.
template <std::size_t Size>
void gather_squares(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v) noexcept
{
    constexpr std::size_t n = square<Size>, ahead = 16;
    const std::size_t rows = tile.rows / n * n, cols = tile.cols / n * n, column = v.stride * Size;
    for (std::size_t c = 0; c < cols; c += n) {
        for (std::size_t k = c + ahead; k < std::min(c + ahead + n, tile.cols); ++k)
            for (std::size_t line = 0; line < tile.rows * Size; line += line_bytes)
                _mm_prefetch(reinterpret_cast<const char*>(from + k * column + line), _MM_HINT_T0);
        for (std::size_t r = 0; r < rows; r += n)
            transpose_square(to + (r * tile.cols + c) * Size, tile.cols * Size, from + r * Size + c * column, column,
                             std::integral_constant<std::size_t, Size>{});
    }
    for (std::size_t c = 0; c < tile.cols; ++c)
        for (std::size_t r = c < cols ? rows : 0; r < tile.rows; ++r)
            std::memcpy(to + (r * tile.cols + c) * Size, from + r * Size + c * column, Size);
}
#endif

template <std::size_t Size>
void gather_fast(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v) noexcept
{
#if defined(__SSE2__)
    if (v.ld == 1) return gather_squares<Size>(to, from, tile, v);
#endif
    gather<Size>(to, from, tile, v, Size);
}

void gather(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v, std::size_t size) noexcept
{
    switch (size) {
    case 1:
        return gather<1>(to, from, tile, v, size);
    case 2:
        return gather<2>(to, from, tile, v, size);
    case 4:
        return gather_fast<4>(to, from, tile, v);
    case 8:
        return gather_fast<8>(to, from, tile, v);
    case 16:
        return gather<16>(to, from, tile, v, size);
    default:
        return gather<0>(to, from, tile, v, size);
    }
}

/// A block whose transposed operands are copied, tile by tile.
class tiled_block
{
public:
    tiled_block(const recipe& what, const cpu_block& b)
        : what_(what), b_(b), views_(b.slots, b.slots + what.slots.size())
    {
        std::size_t size = 1;
        for (std::size_t k = 0; k < what.slots.size(); ++k)
            if (is_transposed(what, b, k))
                transposed_.push_back(k), size = std::max<std::size_t>(size, what.slots[k].size);
        rows_ = std::clamp<std::size_t>(run_bytes / size, 1, b.where.rows);
        cols_ = std::clamp<std::size_t>(tile_bytes / (rows_ * size), 1, b.where.cols);
        each_ = (rows_ * cols_ * size + line_bytes - 1) / line_bytes * line_bytes;
        memory_ = std::make_unique_for_overwrite<std::byte[]>(transposed_.size() * each_);
    }

    template <class Body>
    void run(Body body)
    {
        for_each_tile(b_.where, rows_, cols_, [&](const segment& tile) {
            place(tile);
            body(tile_of(b_, tile, views_.data()));
        });
    }

private:
    void place(const segment& tile)
    {
        move_views(what_, b_.slots, tile.row0, tile.col0, views_.data());
        for (std::size_t i = 0; i < transposed_.size(); ++i) {
            slot_view& v = views_[transposed_[i]];
            std::byte* const here = memory_.get() + i * each_;
            gather(here, static_cast<const std::byte*>(v.data), tile, b_.slots[transposed_[i]],
                   what_.slots[transposed_[i]].size);
            v.data = here;
            v.ld = tile.cols;
            v.stride = 1;
        }
    }

    const recipe& what_;
    const cpu_block& b_;
    std::vector<slot_view> views_;
    std::vector<std::size_t> transposed_;
    std::size_t rows_, cols_, each_; ///< of a tile; bytes of an operand's
    std::unique_ptr<std::byte[]> memory_;
};

} // namespace

bool reads_transposed(const recipe& what, const cpu_block& b) noexcept
{
    if (b.where.rows < 2 || b.where.cols < 2) return false;
    for (std::size_t k = 0; k < what.slots.size(); ++k)
        if (is_transposed(what, b, k)) return true;
    return false;
}

void run_in_tiles(const work& w, const cpu_block& b, void (*run)(const work& w, const cpu_block& tile))
{
    tiled_block(w.what, b).run([&](const cpu_block& tile) { run(w, tile); });
}

} // namespace skelrt::detail::cpu
