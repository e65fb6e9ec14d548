#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail::cpu
{

namespace
{

/// What comes in front of the first position, or null.
const void* front_of(const work& w) { return w.carried_in ? w.carry.data : w.start; }

/// Of the elements [first, last), the first that is not one that others scan.
std::size_t first_own(const work& w, std::size_t first, std::size_t last)
{
    return std::clamp(element_count(w.segments.first(w.front)), first, last);
}

/// Scans the elements [first, last) behind `running`. Returns whether there is a running value afterwards.
bool scan_elements(const work& w, std::size_t first, std::size_t last, void* running, bool started)
{
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        w.what.cpu.scan(b, running, started);
        started = true;
    });
    return started;
}

/// The elements [first, last), of which those before `mine` are others': their results are nobody's here.
bool sum_and_scan(const work& w, std::size_t first, std::size_t mine, std::size_t last, void* running, bool started)
{
    for_each_piece(w, first, mine, [&](const cpu_block& b) {
        w.what.cpu.fold(b, running, started);
        started = true;
    });
    return scan_elements(w, mine, last, running, started);
}

/// A share scans its elements as if nothing came before, hands on its running value behind that of the share before it, and
/// then puts the latter in front of all its results, which are still in the cache.
void scan_behind(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    const std::size_t mine = first_own(w, first, last);
    const bool any = sum_and_scan(w, first, mine, last, p.at(share), false);
    if (!p.wait_for(share - 1)) return;
    std::vector<std::byte> front(w.what.result_size), own(w.what.result_size);
    std::memcpy(front.data(), p.at(share - 1), front.size());
    std::memcpy(own.data(), p.at(share), own.size());
    std::memcpy(p.at(share), front.data(), front.size());
    if (any) w.what.cpu.combine(p.at(share), own.data(), 1);
    p.hand_on(share);
    bool first_missing = w.what.exclusive && mine == first;
    for_each_piece(w, mine, last, [&](const cpu_block& b) {
        w.what.cpu.put_in_front(b, front.data(), first_missing);
        first_missing = false;
    });
}

} // namespace

void scan(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    try {
        if (share > 0) {
            scan_behind(w, first, last, p, share);
            return;
        }
        const void* const front = front_of(w);
        if (front) std::memcpy(p.at(0), front, w.what.result_size);
        sum_and_scan(w, first, first_own(w, first, last), last, p.at(0), front != nullptr);
        p.hand_on(0);
    } catch (...) {
        p.give_up();
        throw;
    }
}

void scan_rows(const work& w, std::size_t first, std::size_t last)
{
    std::vector<std::byte> running(w.what.result_size);
    std::size_t begin = 0; // number of the segment's first row among all
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        for (std::size_t r = from; r < to; ++r) {
            if (w.start) std::memcpy(running.data(), w.start, running.size());
            with_block(w, s, r - begin, 1, 0, g.cols,
                       [&](const cpu_block& b) { w.what.cpu.scan(b, running.data(), w.start != nullptr); });
        }
        begin += g.rows;
    }
}

void scan_columns(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t size = w.what.result_size, n = last - first;
    if (n == 0) return;
    std::vector<std::byte> own(w.carry.data ? 0 : n * size);
    std::byte* const running = w.carry.data ? static_cast<std::byte*>(w.carry.data) + first * size : own.data();
    bool started = w.carried_in || w.start;
    for (std::size_t i = 0; !w.carried_in && w.start && i < n; ++i) std::memcpy(running + i * size, w.start, size);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0) continue;
        with_block(w, s, 0, w.segments[s].rows, first, n,
                   [&](const cpu_block& b) { w.what.cpu.scan_columns(b, running, started); });
        started = true;
    }
}

} // namespace skelrt::detail::cpu
