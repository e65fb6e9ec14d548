#include "codelets/cpu/transposed.hpp"

#include "codelets/cpu/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t line_bytes = 64;
constexpr std::size_t run_bytes = 256;       ///< of a column of memory in a tile: few of its lines belong to two tiles
constexpr std::size_t tile_bytes = 16 << 10; ///< of an operand's elements: a core's first cache holds two such
constexpr std::size_t most_size = 64;        ///< of an element: larger ones use the most of their lines anyway

bool is_transposed(const recipe& what, const cpu_block& b, std::size_t k) noexcept
{
    const slot_kind kind = what.slots[k].kind;
    const slot_view& v = b.slots[k];
    return (kind == slot_kind::element || kind == slot_kind::column_element) && !is_written(what, k) && v.data &&
           v.ld < v.stride && v.ld > 0 && what.slots[k].size <= most_size;
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

/// The same of elements of 4 bytes, squares of four by four in registers.
void gather_words(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v) noexcept
{
#if defined(__SSE2__)
    const auto part = [&](segment p) { // of the tile
        std::byte* const there = to + (p.row0 * tile.cols + p.col0) * 4;
        const std::byte* const here = from + (p.row0 * v.ld + p.col0 * v.stride) * 4;
        for (std::size_t c = 0; c < p.cols; ++c)
            for (std::size_t r = 0; r < p.rows; ++r)
                std::memcpy(there + (r * tile.cols + c) * 4, here + (r + c * v.stride) * 4, 4);
    };
    const std::size_t rows = tile.rows / 4 * 4, cols = tile.cols / 4 * 4;
    for (std::size_t c = 0; c < cols; c += 4)
        for (std::size_t r = 0; r < rows; r += 4) {
            const auto column = [&](std::size_t k) {
                return _mm_loadu_ps(reinterpret_cast<const float*>(from + (r + (c + k) * v.stride) * 4));
            };
            __m128 a = column(0), b = column(1), d = column(2), e = column(3);
            _MM_TRANSPOSE4_PS(a, b, d, e);
            const auto row = [&](std::size_t k) {
                return reinterpret_cast<float*>(to + ((r + k) * tile.cols + c) * 4);
            };
            _mm_storeu_ps(row(0), a), _mm_storeu_ps(row(1), b), _mm_storeu_ps(row(2), d), _mm_storeu_ps(row(3), e);
        }
    part({tile.rows - rows, cols, rows, 0});
    part({tile.rows, tile.cols - cols, 0, cols});
#else
    gather<4>(to, from, tile, v, 4);
#endif
}

void gather(std::byte* to, const std::byte* from, const segment& tile, const slot_view& v, std::size_t size) noexcept
{
    switch (size) {
    case 1:
        return gather<1>(to, from, tile, v, size);
    case 2:
        return gather<2>(to, from, tile, v, size);
    case 4:
        return v.ld == 1 ? gather_words(to, from, tile, v) : gather<4>(to, from, tile, v, size);
    case 8:
        return gather<8>(to, from, tile, v, size);
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
        for (std::size_t r = 0; r < b_.where.rows; r += rows_)
            for (std::size_t c = 0; c < b_.where.cols; c += cols_) {
                const segment tile{std::min(rows_, b_.where.rows - r), std::min(cols_, b_.where.cols - c), r, c};
                place(tile);
                body(cpu_block{
                    {tile.rows, tile.cols, b_.where.row0 + r, b_.where.col0 + c}, b_.width, views_.data(), b_.what});
            }
    }

private:
    void place(const segment& tile)
    {
        for (std::size_t k = 0; k < views_.size(); ++k) {
            if (!moves(what_.slots[k].kind) || !b_.slots[k].data) continue;
            const slot_view& v = b_.slots[k];
            views_[k].data =
                static_cast<std::byte*>(v.data) + (tile.row0 * v.ld + tile.col0 * v.stride) * what_.slots[k].size;
        }
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
