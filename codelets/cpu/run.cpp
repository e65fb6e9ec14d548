// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/accumulated.hpp"
#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pairs/pair_choice.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/sparse/row_blocks.hpp"

#include "src/runtime/cores/give_way.hpp"

#include <algorithm>
#include <cstring>

namespace skelrt::detail::cpu
{

namespace
{

/// Bytes of operands and result in a share of a scan or a filter: a few of them fit in a core's second-level cache.
constexpr std::size_t cache_bytes = std::size_t{256} << 10;
/// A core's prefetchers run so far ahead of what it changes, and would take lines away from another one.
constexpr std::size_t ahead_bytes = 4096;
constexpr std::size_t line_columns = 16; ///< columns of a share, at least: threads should not share lines

bool by_rows(const work& w) noexcept
{
    return w.what.kind == skeleton::reduce_rows || w.what.kind == skeleton::reduce_columns ||
           w.what.kind == skeleton::scan_rows;
}

bool keeps_partials(const work& w) noexcept
{
    return w.what.kind == skeleton::reduce || w.what.kind == skeleton::reduce_columns ||
           w.what.kind == skeleton::scan || w.what.kind == skeleton::filter ||
           (w.what.kind == skeleton::accumulate && !all_share_elements(w));
}

/// What shares divide among themselves: elements, rows, or columns.
std::size_t count_of(const work& w) noexcept
{
    if (w.what.kind == skeleton::scan_columns) return w.segments.empty() ? 0 : w.segments[0].cols;
    return by_rows(w) ? row_count(w) : element_count(w.segments);
}

std::size_t values_per_partial(const work& w) noexcept
{
    if (w.what.kind == skeleton::accumulate) return accumulated_values(w.what, w.slots);
    return w.what.kind == skeleton::reduce_columns && !w.segments.empty() ? w.segments[0].cols : 1;
}

} // namespace

std::size_t element_count(std::span<const segment> segments) noexcept
{
    std::size_t n = 0;
    for (const segment& s : segments) n += s.rows * s.cols;
    return n;
}

partials::partials(const work& w, std::size_t shares) : sums_(w.what, 1)
{
    if (w.red_black()) rows_ = std::make_unique<row_exchange>(w, shares);
    if (w.what.kind == skeleton::wavefront) bands_ = std::make_unique<share_progress>(shares);
    if (!keeps_partials(w)) return;
    const std::size_t size = w.what.kind == skeleton::filter ? sizeof(std::size_t) : w.what.result_size;
    const std::size_t gap = w.what.kind == skeleton::accumulate ? ahead_bytes : 0;
    lines_each_ = (values_per_partial(w) * size + gap + sizeof(line) - 1) / sizeof(line);
    if (w.what.kind == skeleton::accumulate) first_ = static_cast<std::byte*>(w.result.data);
    lines_ = std::make_unique_for_overwrite<line[]>((first_ ? shares - 1 : shares) * lines_each_);
    started_.assign(shares, 0);
}

std::size_t bytes_to_begin_with(const work& w)
{
    if (!has_one_copy(w.what.rule) || changes_elements(w)) return 0;
    const std::size_t elements = w.slot(0, w.what.slots.size() - 1).cols;
    return elements * w.what.result_size + writer_bytes_of(w.what, elements);
}

void begin_with(const work& w, std::size_t first, std::size_t last)
{
    if (first == last) return;
    const slot_view& from = w.slot(0, w.what.slots.size() - 1);
    const std::size_t elements = from.cols * w.what.result_size, copied = std::clamp(elements, first, last);
    auto* const to = static_cast<std::byte*>(w.result.data);
    std::memcpy(to + first, static_cast<const std::byte*>(from.data) + first, copied - first);
    std::memset(to + copied, 0, last - copied);
}

void run_share(const work& w, partials& p, std::size_t share, std::size_t shares, std::size_t partial)
{
    const std::size_t n = count_of(w);
    const std::size_t first = share_begin(n, share, shares), last = share_begin(n, share + 1, shares);
    switch (w.what.kind) {
    case skeleton::all_pairs:
        all_pairs(w, share, shares, goes_to_blas(w));
        break;
    case skeleton::map:
        if (const auto sum = row_sum_of(w.what))
            map(w, sparse::share_begin(w, *sum, share, shares), sparse::share_begin(w, *sum, share + 1, shares));
        else map(w, first, last);
        break;
    case skeleton::reduce:
    case skeleton::accumulate: // the fold adds, rather than combines
        reduce(w, first, last, p, partial);
        break;
    case skeleton::reduce_rows:
        reduce_rows(w, first, last, goes_to_blas(w));
        break;
    case skeleton::reduce_columns:
        reduce_columns(w, first, last, p, partial, goes_to_blas(w));
        break;
    case skeleton::scan:
        scan(w, first, last, p, share);
        break;
    case skeleton::filter:
        if (w.what.keeps_others) partition(w, p, share, shares);
        else filter(w, first, last, p, share);
        break;
    case skeleton::scan_rows:
        scan_rows(w, first, last);
        break;
    case skeleton::scan_columns:
        scan_columns(w, first, last);
        break;
    case skeleton::sort:
        break; // in rounds: sort.hpp
    case skeleton::wavefront:
        wavefront(w, share, shares, *p.bands());
        break;
    case skeleton::stencil:
        if (w.red_black()) red_black(w, share, shares, *p.rows());
        else if (w.steps > 1) stencil_steps(w, share, shares);
        else stencil(w, share, shares);
        break;
    }
}

void partials::hand_on(std::size_t share) noexcept { handed_on_.store(share + 1, std::memory_order_release); }

bool partials::wait_for(std::size_t share) const noexcept
{
    return wait_awake([&] { return handed_on_.load(std::memory_order_acquire) > share; },
                      [&] { return given_up_.load(std::memory_order_relaxed); });
}

void partials::give_up() noexcept { given_up_.store(true, std::memory_order_relaxed); }

std::size_t share_count(const work& w, std::size_t wanted) noexcept
{
    const std::size_t n = count_of(w);
    if ((w.what.kind == skeleton::scan || w.what.kind == skeleton::filter) && wanted > 1)
        return std::max(wanted, n * w.what.bytes_per_element / cache_bytes) * (w.what.keeps_others ? 2 : 1);
    if (w.red_black()) return red_black_shares(w, wanted);
    if (w.what.kind == skeleton::wavefront) return wavefront_shares(w, wanted);
    if (w.what.kind == skeleton::scan_columns) return std::clamp<std::size_t>(n / line_columns, 1, wanted);
    return wanted;
}

namespace
{

/// Elements of a copy that begin in its bytes from first to last: visit(part, number of the first, how many).
template <class Visit>
void for_elements(const work& w, std::size_t first, std::size_t last, Visit visit)
{
    for_each_accumulated(
        w.what, [&](std::size_t slot) { return w.slot(0, slot).cols; },
        [&](const accumulated_part& part) {
            const std::size_t size = w.what.slots[part.slot].size;
            const auto element_at = [&](std::size_t byte) {
                return std::min(byte > part.offset ? (byte - part.offset + size - 1) / size : 0, part.count);
            };
            const std::size_t begin = element_at(first), end = element_at(last);
            if (begin < end) visit(part, begin, end - begin);
        });
}

} // namespace

std::size_t bytes_of_copy(const work& w)
{
    return w.what.kind == skeleton::accumulate ? values_per_partial(w) * w.what.result_size : 0;
}

/// The first copy that was begun holds what becomes of all.
void finish_some(const work& w, partials& p, std::size_t shares, std::size_t first, std::size_t last)
{
    auto* const to = static_cast<std::byte*>(w.result.data);
    bool started = false;
    for (std::size_t k = 0; k < shares; ++k) {
        if (!p.started(k)) continue;
        for_elements(w, first, last, [&](const accumulated_part& part, std::size_t begin, std::size_t count) {
            const std::size_t size = w.what.slots[part.slot].size, way = part.offset + begin * size;
            if (started) w.what.cpu.join(part.which, to + way, p.at(k) + way, count);
            else if (p.at(k) != to) std::memcpy(to + way, p.at(k) + way, count * size);
        });
        started = true;
    }
}

bool finish(const work& w, partials& p, std::size_t shares)
{
    if (w.what.kind == skeleton::scan) {
        if (w.carry.data) std::memcpy(w.carry.data, p.at(shares - 1), w.what.result_size);
        return true;
    }
    if (w.what.kind == skeleton::filter) {
        finish_filter(w, p.at((w.what.keeps_others ? counting_shares(shares) : shares) - 1));
        return true;
    }
    if (!keeps_partials(w)) return true;
    if (w.what.kind == skeleton::accumulate) {
        finish_some(w, p, shares, 0, bytes_of_copy(w));
        return true;
    }
    const std::size_t values = values_per_partial(w), size = w.what.result_size;
    bool started = w.start != nullptr;
    for (std::size_t i = 0; started && i < values; ++i)
        std::memcpy(static_cast<std::byte*>(w.result.data) + i * size, w.start, size);
    for (std::size_t k = 0; k < shares; ++k) {
        if (!p.started(k)) continue;
        if (started) w.what.cpu.combine(w.result.data, p.at(k), values);
        else std::memcpy(w.result.data, p.at(k), values * size);
        started = true;
    }
    return started;
}

} // namespace skelrt::detail::cpu
