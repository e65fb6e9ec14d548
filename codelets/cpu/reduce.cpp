#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"

namespace skelrt::detail::cpu
{

/// A share is folded in runs, for the longer a running sum of floats is the more it loses.
void reduce(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    constexpr std::size_t run = std::size_t{1} << 17; // elements; beginning one costs as much as some tens of them
    for (std::size_t from = first; from < last; from += std::min(run, last - from))
        for_each_piece(w, from, from + std::min(run, last - from), [&](const cpu_block& b) {
            w.what.cpu.fold(b, p.at(share), p.started(share));
            p.start(share);
        });
}

void reduce_rows(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t size = w.what.result_size;
    std::vector<std::byte> row_value(size);
    std::size_t begin = 0; // number of the segment's first row in the result
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        for (std::size_t r = from; r < to; ++r) {
            std::byte* const out = static_cast<std::byte*>(w.result.data) + r * size;
            if (!w.start) {
                with_block(w, s, r - begin, 1, 0, g.cols, [&](const cpu_block& b) { w.what.cpu.fold(b, out, false); });
                continue;
            }
            std::memcpy(out, w.start, size);
            if (g.cols == 0) continue;
            with_block(w, s, r - begin, 1, 0, g.cols,
                       [&](const cpu_block& b) { w.what.cpu.fold(b, row_value.data(), false); });
            w.what.cpu.combine(out, row_value.data(), 1);
        }
        begin += g.rows;
    }
}

void reduce_columns(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        if (from < to) {
            with_block(w, s, from - begin, to - from, 0, g.cols,
                       [&](const cpu_block& b) { w.what.cpu.fold_columns(b, p.at(share), p.started(share)); });
            p.start(share);
        }
        begin += g.rows;
    }
}

} // namespace skelrt::detail::cpu
