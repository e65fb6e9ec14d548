// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"
#include "codelets/element_memory.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail::cpu
{

namespace
{

/// What comes in front of the first position, or null.
const void* front_of(const work& w) { return w.carried_in ? w.carry.data : w.start; }

/// What a chain of blocks goes on from: see cpu_functions::scan.
class scan_chain
{
public:
    explicit scan_chain(const work& w) : work_(w), state_(w.what.cpu.scan_state) { begin_behind(nullptr); }

    /// A new chain; null: nothing is in front of it.
    void begin_behind(const void* value)
    {
        std::memset(state_.data(), 0, work_.what.cpu.scan_state);
        if (value) std::memcpy(state_.data(), value, work_.what.result_size);
        started_ = value != nullptr;
    }
    void scan(const cpu_block& b)
    {
        work_.what.cpu.scan(b, state_.data(), started_);
        started_ = true;
    }
    bool started() const noexcept { return started_; }
    const std::byte* value() const noexcept { return state_.data(); }

private:
    const work& work_;
    value_room state_;
    bool started_ = false;
};

/// Of the elements [first, last), the first that is not one that others scan.
std::size_t first_own(const work& w, std::size_t first, std::size_t last)
{
    return std::clamp(element_count(w.segments.first(w.front)), first, last);
}

/// Adds the elements [first, last) to `running`. Returns whether there is a running value afterwards.
bool sum_elements(const work& w, std::size_t first, std::size_t last, void* running, bool started)
{
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        w.what.cpu.fold(b, running, started);
        started = true;
    });
    return started;
}

/// Scans the elements [first, last), of which those before `mine` are others': their results are nobody's here.
/// `running` begins with what is in front, if there is something, and is the last running value afterwards. Returns
/// whether there is one.
bool sum_and_scan(const work& w, std::size_t first, std::size_t mine, std::size_t last, std::byte* running,
                  bool started)
{
    scan_chain chain(w);
    if (sum_elements(w, first, mine, running, started)) chain.begin_behind(running);
    for_each_piece(w, mine, last, [&](const cpu_block& b) { chain.scan(b); });
    if (chain.started()) std::memcpy(running, chain.value(), w.what.result_size);
    return chain.started();
}

bool may_stream_results(const work& w, std::size_t first, std::size_t last)
{
    bool may = w.streams;
    for_each_piece(w, first, last, [&](const cpu_block& b) { may = may && may_stream(w.what, b); });
    return may;
}

void add_sum(const work& w, partials& p, std::size_t share)
{
    p.sums().add([&](void* to) { std::memcpy(to, p.at(share), w.what.result_size); });
}

/// Puts the share's sum, if there is one, behind the running value of the share before it, and hands that on.
bool hand_on_sum(const work& w, partials& p, std::size_t share, bool any, std::byte* front)
{
    if (!p.wait_for(share - 1)) return false;
    std::memcpy(front, p.at(share - 1), w.what.result_size);
    if (any) add_sum(w, p, share);
    p.sums().put(p.at(share), false);
    p.hand_on(share);
    return true;
}

/// A share sums its elements, hands on its running value behind that of the share before it, and then scans them behind
/// the latter, while they are still in the cache: each result is written once, past the caches where they may be.
void sum_then_scan(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    const std::size_t mine = first_own(w, first, last), size = w.what.result_size;
    value_room others(size), running(size);
    const bool any_others = sum_elements(w, first, mine, others.data(), false);
    std::memcpy(p.at(share), others.data(), size);
    const bool any = sum_elements(w, mine, last, p.at(share), any_others);
    if (!hand_on_sum(w, p, share, any, running.data())) return;
    if (any_others) w.what.cpu.combine(running.data(), others.data(), 1);
    scan_chain chain(w);
    chain.begin_behind(running.data());
    const bool streams = may_stream_results(w, mine, last);
    for_each_piece(w, mine, last, [&](const cpu_block& b) {
        if (streams) stream_results(w.what, b, [&](const cpu_block& part) { chain.scan(part); });
        else chain.scan(b);
    });
}

/// A share scans its elements as if nothing came before, hands on its running value behind that of the share before it,
/// and then puts the latter in front of all its results, which are still in the cache.
void scan_behind(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    const std::size_t mine = first_own(w, first, last);
    const bool any = sum_and_scan(w, first, mine, last, p.at(share), false);
    value_room front(w.what.result_size);
    if (!hand_on_sum(w, p, share, any, front.data())) return;
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
            // Parts of running values take nothing in front afterwards.
            const bool sums_first = !w.what.cpu.put_in_front || may_stream_results(w, first_own(w, first, last), last);
            if (sums_first) sum_then_scan(w, first, last, p, share);
            else scan_behind(w, first, last, p, share);
            return;
        }
        const void* const front = front_of(w);
        if (front) std::memcpy(p.at(0), front, w.what.result_size);
        if (sum_and_scan(w, first, first_own(w, first, last), last, p.at(0), front != nullptr)) add_sum(w, p, 0);
        p.hand_on(0);
    } catch (...) {
        p.give_up();
        throw;
    }
}

void scan_rows(const work& w, std::size_t first, std::size_t last)
{
    scan_chain chain(w);
    std::size_t begin = 0; // number of the segment's first row among all
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        for (std::size_t r = from; r < to; ++r) {
            chain.begin_behind(w.start);
            with_block(w, s, r - begin, 1, 0, g.cols, [&](const cpu_block& b) { chain.scan(b); });
        }
        begin += g.rows;
    }
}

void scan_columns(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t size = w.what.result_size, n = last - first;
    if (n == 0) return;
    const element_memory own(w.carry.data ? 0 : n * size);
    std::byte* const running = w.carry.data ? static_cast<std::byte*>(w.carry.data) + first * size : own.data();
    bool started = w.carried_in || w.start;
    for (std::size_t i = 0; !w.carried_in && w.start && i < n; ++i) std::memcpy(running + i * size, w.start, size);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0) continue;
        with_block(w, s, 0, w.segments[s].rows, first, n, [&](const cpu_block& b) {
            for_each_columns(b, [&](const cpu_block& some, std::size_t column) {
                w.what.cpu.scan_columns(some, running + column * size, started);
            });
        });
        started = true;
    }
}

} // namespace skelrt::detail::cpu
