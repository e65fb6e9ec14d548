// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/sort.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/element_memory.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace skelrt::detail::cpu
{

namespace
{

constexpr std::align_val_t line{element_align};

/// The results' memory if items may lie there: host memory of all tiles is one array. Null if not.
std::byte* results_as_items(const work& w)
{
    const slot_view& to = w.slot(0, w.what.slots.size() - 1);
    return w.what.cpu.sort->plain && to.stride == 1 ? static_cast<std::byte*>(to.data) : nullptr;
}

} // namespace

void sorting::free_aligned::operator()(std::byte* p) const noexcept { ::operator delete(p, line); }

sorting::memory sorting::allocate(std::size_t bytes) const
{
    return memory(static_cast<std::byte*>(::operator new(bytes, line)));
}

sorting::sorting(const work& w, std::size_t shares) : work_(w), typed_(*w.what.cpu.sort), size_(typed_.item_size)
{
    const std::size_t n = element_count(w.segments);
    shares = std::clamp<std::size_t>(shares, 1, std::max<std::size_t>(n, 1));
    for (std::size_t k = 0; k <= shares; ++k) bounds_.push_back(n / shares * k + std::min(k, n % shares));
    merges_ = static_cast<std::size_t>(std::bit_width(shares - 1));
    // Begins in that buffer from which the last merge comes to the results.
    const std::size_t last = merges_ % 2;
    std::byte* const results = results_as_items(w);
    store_ = results == nullptr;
    for (std::size_t b = 0; b < 2; ++b) {
        const bool needed = merges_ > 0 || b == last;
        if (results && b == last) buffers_[b] = results;
        else buffers_[b] = needed ? (own_[b] = allocate(n * size_)).get() : nullptr;
    }
}

void sorting::run(std::size_t round, std::size_t share)
{
    if (round == 0) sort_run(share);
    else if (round <= merges_) merge_runs(round, share);
    else store_items(share);
}

void sorting::sort_run(std::size_t share)
{
    const std::size_t first = bounds_[share], last = bounds_[share + 1];
    std::byte* to = item(0, first);
    for_each_piece(work_, first, last, [&](const cpu_block& b) {
        typed_.load(b, to);
        to += b.where.cols * size_;
    });
    typed_.sort(item(0, first), last - first);
}

void sorting::merge_runs(std::size_t round, std::size_t share)
{
    const std::size_t from = (round - 1) % 2, to = round % 2;
    const std::size_t step = std::size_t{1} << (round - 1); // shares in a run so far
    const auto bound = [&](std::size_t k) { return bounds_[std::min(k, shares())]; };
    const std::size_t begin = bounds_[share], end = bounds_[share + 1];
    for (std::size_t k = share / (2 * step) * (2 * step); bound(k) < end; k += 2 * step) {
        const std::size_t left = bound(k), middle = bound(k + step), right = bound(k + 2 * step);
        const std::size_t first = std::max(begin, left), last = std::min(end, right);
        if (first >= last) continue;
        typed_.merge({item(from, left), middle - left, item(from, middle), right - middle, first - left, last - left,
                      item(to, first)});
    }
}

void sorting::store_items(std::size_t share)
{
    const std::byte* from = item(merges_ % 2, bounds_[share]);
    for_each_piece(work_, bounds_[share], bounds_[share + 1], [&](const cpu_block& b) {
        typed_.store(b, from);
        from += b.where.cols * size_;
    });
}

void sort_alone(const work& w)
{
    sorting s(w, 1);
    for (std::size_t round = 0; round < s.rounds(); ++round) s.run(round, 0);
}

} // namespace skelrt::detail::cpu
