#include "src/data/managed.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t least_tile_bytes = std::size_t{1} << 20;
constexpr std::size_t most_tiles =
    32; ///< a handle costs StarPU some microseconds a task; 1/32 is fine enough for any split

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

} // namespace

std::size_t choose_tile_elements(const storage& s, std::size_t wanted) noexcept
{
    // A vector is cut anywhere, a matrix between rows.
    const std::size_t unit = s.whole_rows ? s.cols : 1, units = s.whole_rows ? s.rows : s.count();
    if (wanted > 0) return divide_up(units, std::min(wanted, units)) * unit;
    const std::size_t bytes = s.count() * s.element_size;
    const std::size_t tiles = std::clamp<std::size_t>(bytes / least_tile_bytes, 1, most_tiles);
    std::size_t per_tile = divide_up(units, std::min(tiles, units));
    // Whole pages whatever the element: copies and vector loads start aligned.
    if (!s.whole_rows && tiles > 1) per_tile = divide_up(per_tile, 4096) * 4096;
    return per_tile * unit;
}

} // namespace skelrt::detail
