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

} // namespace

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
