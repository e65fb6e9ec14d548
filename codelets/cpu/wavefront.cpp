// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/share_progress.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "codelets/wavefront_edges.hpp"

#include <algorithm>

/// A wavefront as a pipeline: each share is a band of rows and goes from left to right, a tile at a time, as soon as
/// the band above has done the tile above. Threads take bands in their order, so that who is waited for runs.
namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t least_band = 4, most_band = 32; ///< of a band: a core knows the pages of so many rows
constexpr std::size_t bands_per_thread = 16;          ///< so that all threads have work until near the end
constexpr std::size_t tile_elements = 16384;          ///< what handing on costs should be little beside
constexpr std::size_t least_columns = 64, most_columns = 1024;
constexpr std::size_t tiles_across = 32; ///< of a band: the next one should begin early

/// The rows of one band.
class row_band
{
public:
    row_band(const work& w, std::size_t first, std::size_t last, std::size_t columns)
        : w_(w), edges_(w), first_(first), last_(last), columns_(columns)
    {
    }

    std::size_t tiles() const { return (cols() + columns_ - 1) / columns_; }

    void run(std::size_t tile) const
    {
        const std::size_t col = tile * columns_, n = std::min(columns_, cols() - col);
        std::size_t begin = 0;
        for (std::size_t s = 0; s < w_.segments.size() && begin < last_; ++s) {
            const std::size_t from = std::max(first_, begin), to = std::min(last_, begin + w_.segments[s].rows);
            if (from < to)
                with_block(w_, s, from - begin, to - from, col, n, [&](const cpu_block& b) {
                    w_.what.cpu.wavefront(b, edges_.around(s, from, from - begin, col, b.slots));
                });
            begin += w_.segments[s].rows;
        }
    }

private:
    std::size_t cols() const { return w_.segments[0].cols; }

    const work& w_;
    wavefront_edges edges_;
    std::size_t first_, last_, columns_;
};

std::size_t tile_columns(std::size_t rows, std::size_t cols, std::size_t shares)
{
    if (shares == 1) return cols;
    const std::size_t across = std::max(cols / tiles_across, least_columns);
    return std::clamp(tile_elements / rows, least_columns, std::min(across, most_columns));
}

} // namespace

std::size_t wavefront_shares(const work& w, std::size_t wanted) noexcept
{
    const std::size_t rows = row_count(w);
    if (wanted <= 1 || rows == 0) return 1;
    const std::size_t height = std::clamp(rows / (wanted * bands_per_thread), least_band, most_band);
    return (rows + height - 1) / height;
}

void wavefront(const work& w, std::size_t share, std::size_t shares, share_progress& progress)
{
    const std::size_t rows = row_count(w);
    if (rows == 0 || w.segments[0].cols == 0) return;
    const auto bound = [&](std::size_t k) { return rows / shares * k + std::min(k, rows % shares); };
    const std::size_t first = bound(share), last = bound(share + 1);
    if (first == last) return progress.arrive(share, w.segments[0].cols);
    try {
        const row_band mine(w, first, last, tile_columns(last - first, w.segments[0].cols, shares));
        for (std::size_t tile = 0; tile < mine.tiles(); ++tile) {
            if (share > 0 && !progress.wait_for(share - 1, tile + 1)) return;
            mine.run(tile);
            progress.arrive(share, tile + 1);
        }
    } catch (...) {
        progress.give_up();
        throw;
    }
}

} // namespace skelrt::detail::cpu
