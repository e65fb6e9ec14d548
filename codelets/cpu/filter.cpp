// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"
#include "codelets/element_memory.hpp"

#include <cstdint>

/// A single pass through memory, as scans do it: a share copies what it keeps to memory of its own, which stays in the
/// cache, waits for the number of elements in front of it, hands on its own, and copies them to where they belong.
namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t piece_bytes = std::size_t{256} << 10; ///< copied at once by who need not wait

std::size_t count_at(const std::byte* where)
{
    std::size_t n;
    std::memcpy(&n, where, sizeof n);
    return n;
}

/// Copies n results, of which `before` are in front, to their segments.
void put(const work& w, std::size_t before, const std::byte* from, std::size_t n)
{
    const std::size_t size = w.what.result_size;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && n > 0; ++s) {
        const std::size_t end = begin + w.segments[s].rows * w.segments[s].cols;
        if (before < end) {
            const std::size_t here = std::min(n, end - before);
            auto* const to = static_cast<std::byte*>(w.slot(s, w.what.slots.size() - 1).data);
            std::memcpy(to + (before - begin) * size, from, here * size);
            before += here;
            from += here * size;
            n -= here;
        }
        begin = end;
    }
}

/// What this thread's shares keep, until they are copied.
std::byte* room(std::size_t bytes)
{
    static thread_local element_memory memory;
    static thread_local std::size_t size = 0;
    if (size < bytes) {
        size = 0;
        memory = {};
        memory = element_memory(bytes);
        size = bytes;
    }
    return memory.data();
}

/// The kept ones of the elements [first, last).
std::size_t select(const work& w, std::size_t first, std::size_t last, std::byte* to)
{
    std::size_t kept = 0;
    for_each_piece(w, first, last,
                   [&](const cpu_block& b) { kept += w.what.cpu.filter(b, to + kept * w.what.result_size); });
    return kept;
}

/// The first share knows that nothing is in front of it.
std::size_t filter_first(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t piece = std::max<std::size_t>(piece_bytes / w.what.result_size, 1);
    std::byte* const memory = room(std::min(piece, last - first) * w.what.result_size);
    std::size_t kept = 0;
    for (std::size_t i = first; i < last; i += piece) {
        const std::size_t n = select(w, i, std::min(i + piece, last), memory);
        put(w, kept, memory, n);
        kept += n;
    }
    return kept;
}

std::size_t count_kept(const work& w, std::size_t first, std::size_t last)
{
    std::size_t kept = 0;
    for_each_piece(w, first, last, [&](const cpu_block& b) { kept += w.what.cpu.count_kept(b); });
    return kept;
}

/// Copies the elements [first, last) to where they belong; `before` kept ones are in front of them, `all` there are.
void put_both(const work& w, std::size_t first, std::size_t last, std::size_t before, std::size_t all)
{
    const std::size_t size = w.what.result_size, piece = std::max<std::size_t>(piece_bytes / size, 1);
    const std::size_t most = std::min(piece, last - first);
    std::byte* const memory = room(2 * most * size);
    std::byte* const others = memory + most * size;
    for (std::size_t i = first; i < last; i += piece) {
        const std::size_t end = std::min(i + piece, last);
        std::size_t kept = 0, left = 0;
        for_each_piece(w, i, end, [&](const cpu_block& b) {
            const std::size_t here = w.what.cpu.partition(b, memory + kept * size, others + left * size);
            kept += here;
            left += b.where.rows * b.where.cols - here;
        });
        put(w, before, memory, kept);
        put(w, all + i - before, others, left);
        before += kept;
    }
}

/// Hands on how many elements are kept up to the share's last one.
void count_share(const work& w, partials& p, std::size_t share, std::size_t counting)
{
    const std::size_t n = element_count(w.segments);
    std::size_t kept = count_kept(w, share_begin(n, share, counting), share_begin(n, share + 1, counting));
    if (share > 0 && !p.wait_for(share - 1)) return;
    if (share > 0) kept += count_at(p.at(share - 1));
    std::memcpy(p.at(share), &kept, sizeof kept);
    p.hand_on(share);
}

/// When all have counted.
void put_share(const work& w, partials& p, std::size_t share, std::size_t counting)
{
    if (!p.wait_for(counting - 1)) return;
    const std::size_t n = element_count(w.segments), before = share > 0 ? count_at(p.at(share - 1)) : 0;
    put_both(w, share_begin(n, share, counting), share_begin(n, share + 1, counting), before,
             count_at(p.at(counting - 1)));
}

} // namespace

void partition(const work& w, partials& p, std::size_t share, std::size_t shares)
{
    const std::size_t counting = counting_shares(shares);
    try {
        if (share < counting) count_share(w, p, share, counting);
        if (shares == 1) put_share(w, p, 0, 1);
        else if (share >= counting) put_share(w, p, share - counting, counting);
    } catch (...) {
        p.give_up();
        throw;
    }
}

void filter(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    try {
        if (share == 0) {
            const std::size_t kept = filter_first(w, first, last);
            std::memcpy(p.at(0), &kept, sizeof kept);
            p.hand_on(0);
            return;
        }
        std::byte* const memory = room((last - first) * w.what.result_size);
        const std::size_t kept = select(w, first, last, memory);
        if (!p.wait_for(share - 1)) return;
        const std::size_t before = count_at(p.at(share - 1)), behind = before + kept;
        std::memcpy(p.at(share), &behind, sizeof behind);
        p.hand_on(share);
        put(w, before, memory, kept);
    } catch (...) {
        p.give_up();
        throw;
    }
}

void finish_filter(const work& w, const std::byte* last)
{
    const std::size_t kept = count_at(last);
    auto* const counts = static_cast<std::uint64_t*>(w.result.data);
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const std::size_t n = w.segments[s].rows * w.segments[s].cols;
        counts[s] = std::min(n, kept - std::min(begin, kept));
        begin += n;
    }
}

} // namespace skelrt::detail::cpu
