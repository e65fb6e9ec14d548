// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/streaming.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace skelrt::detail::cpu
{

namespace
{

#if defined(__SSE2__)
constexpr bool can_stream = true;
#else
constexpr bool can_stream = false;
#endif
constexpr std::size_t buffer_bytes = 4 << 10; ///< of all results of a part: more would leave memory idle meanwhile

/// Memory that is read while other memory is written.
struct ahead {
    const std::byte* at;
    std::size_t step; ///< bytes for each line that is written
};

/// Copies `bytes` past the caches.
void stream(std::byte* to, const std::byte* from, std::size_t bytes, std::span<ahead> next)
{
#if defined(__SSE2__)
    const std::size_t head = std::min(bytes, (line_bytes - std::bit_cast<std::uintptr_t>(to)) % line_bytes);
    std::memcpy(to, from, head);
    std::size_t i = head;
    for (; i + line_bytes <= bytes; i += line_bytes) {
        for (ahead& a : next) {
            for (std::size_t k = 0; k < a.step; k += line_bytes)
                _mm_prefetch(reinterpret_cast<const char*>(a.at + k), _MM_HINT_T0);
            a.at += a.step;
        }
        const auto* const line = reinterpret_cast<const __m128i*>(from + i);
        auto* const there = reinterpret_cast<__m128i*>(to + i);
        for (int k = 0; k < 4; ++k) _mm_stream_si128(there + k, _mm_loadu_si128(line + k));
    }
    std::memcpy(to + i, from + i, bytes - i);
#else // nobody comes here
    static_cast<void>(next);
    std::memcpy(to, from, bytes);
#endif
}

/// Later plain stores, such as those that tell others that the results are there, must not overtake the streaming ones.
void finish_streaming() noexcept
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

std::size_t result_bytes(const recipe& what)
{
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < what.slots.size(); ++k)
        if (is_written(what, k)) bytes += what.slots[k].size;
    return bytes;
}

/// One block, part by part.
class streamed_block
{
public:
    streamed_block(const recipe& what, const cpu_block& b)
        : what_(what), b_(b), views_(b.slots, b.slots + what.slots.size())
    {
        const std::size_t most = std::max<std::size_t>(buffer_bytes / result_bytes(what), 1);
        const std::size_t each_row = (b.where.cols + most - 1) / most;
        cols_ = (b.where.cols + each_row - 1) / each_row; // equal parts of a row
        rows_ = std::max<std::size_t>(most / b.where.cols, 1);
    }

    ~streamed_block() { finish_streaming(); } // also when the function throws
    streamed_block(const streamed_block&) = delete;
    streamed_block& operator=(const streamed_block&) = delete;

    void run(const std::function<void(const cpu_block&)>& body)
    {
        for_each_tile(b_.where, rows_, cols_, [&](const segment& part) {
            place(part);
            body(tile_of(b_, part, views_.data()));
            store(part);
        });
    }

private:
    std::byte* at(std::size_t slot, const segment& part) const
    {
        const slot_view& v = b_.slots[slot];
        return static_cast<std::byte*>(v.data) + way(part.row0 * v.ld + part.col0 * v.stride, what_.slots[slot].size);
    }

    /// Operands of the part where they are, its results in the buffer.
    void place(const segment& part)
    {
        std::byte* next = buffer_;
        for (std::size_t k = 0; k < views_.size(); ++k) {
            if (is_written(what_, k)) {
                views_[k].data = next;
                views_[k].ld = part.cols;
                next += part.rows * part.cols * what_.slots[k].size;
                next = buffer_ + (static_cast<std::size_t>(next - buffer_) + line_bytes - 1) / line_bytes * line_bytes;
            } else if (b_.slots[k].data && (moves(what_.slots[k].kind) || sees_hood(what_.slots[k].kind))) {
                views_[k].data = at(k, part);
            }
        }
    }

    void store(const segment& part)
    {
        find_next(part);
        for (std::size_t k = 0; k < views_.size(); ++k) {
            if (!is_written(what_, k)) continue;
            const auto* const from = static_cast<const std::byte*>(views_[k].data);
            const std::size_t row = part.cols * what_.slots[k].size;
            if (b_.slots[k].ld == part.cols) stream(at(k, part), from, part.rows * row, next_);
            else
                for (std::size_t r = 0; r < part.rows; ++r)
                    stream(at(k, {1, part.cols, part.row0 + r, part.col0}), from + r * row, row, next_);
            next_ = {}; // once is enough
        }
    }

    /// What the next part of the row reads, if it is one.
    void find_next(const segment& part)
    {
        ahead_.clear();
        if (part.col0 + part.cols < b_.where.cols && part.rows == 1) {
            const std::size_t written = what_.slots[first_written()].size;
            for (std::size_t k = 0; k < views_.size(); ++k)
                if (is_read_along(k))
                    ahead_.push_back({static_cast<const std::byte*>(views_[k].data) + part.cols * what_.slots[k].size,
                                      line_bytes * what_.slots[k].size / written});
        }
        next_ = ahead_;
    }
    std::size_t first_written() const
    {
        std::size_t k = 0;
        while (!is_written(what_, k)) ++k;
        return k;
    }
    bool is_read_along(std::size_t k) const
    {
        const slot_kind kind = what_.slots[k].kind;
        return b_.slots[k].data && !is_written(what_, k) &&
               (sees_hood(kind) || (kind == slot_kind::element && b_.slots[k].stride == 1));
    }

    const recipe& what_;
    const cpu_block& b_;
    std::vector<slot_view> views_;
    std::vector<ahead> ahead_;
    std::span<ahead> next_;
    std::size_t rows_, cols_; ///< of a part
    alignas(line_bytes) std::byte buffer_[buffer_bytes + few_slots * line_bytes];
};

} // namespace

bool may_stream(const recipe& what, const cpu_block& b) noexcept
{
    constexpr std::size_t most_bytes = 256; // of an element's results
    if (!can_stream || what.slots.size() > few_slots || result_bytes(what) > most_bytes || b.where.cols == 0)
        return false;
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        if (!is_written(what, k)) continue;
        if (!b.slots[k].data || b.slots[k].stride != 1) return false;
        for (std::size_t i = 0; i < what.slots.size(); ++i)
            if (i != k && b.slots[i].data == b.slots[k].data) return false;
    }
    return true;
}

void stream_results(const recipe& what, const cpu_block& b, const std::function<void(const cpu_block&)>& run)
{
    streamed_block(what, b).run(run);
}

void run_streaming(const work& w, const cpu_block& b, void (*run)(const cpu_block&))
{
    if (w.streams && may_stream(w.what, b)) stream_results(w.what, b, run);
    else run(b);
}

} // namespace skelrt::detail::cpu
