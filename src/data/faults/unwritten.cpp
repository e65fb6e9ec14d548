// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/unwritten.hpp"

#include "src/data/memory/host_storage.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace skelrt::detail
{

namespace
{

constexpr std::uint32_t pattern = 0xFFF4C35A;
constexpr std::size_t word = sizeof pattern;

/// Not through `data`, which tasks may have elsewhere: only while the data is acquired.
bool is_unwritten(const storage& s, std::size_t i) { return is_pattern(s.data, i * s.element_size, s.element_size); }

/// Its data on the host, for a scope.
class read_access
{
public:
    explicit read_access(storage& s) : storage_(s), acquired_(acquire(s, access::read)) {}
    read_access(const read_access&) = delete;
    read_access& operator=(const read_access&) = delete;
    ~read_access() { release(storage_, access::read, acquired_); }

private:
    storage& storage_;
    managed_state* acquired_;
};

} // namespace

std::size_t pattern_elements(std::size_t element_size) noexcept
{
    constexpr std::size_t bytes = 16; // that nothing else makes; of an element of less than a word chance may
    return element_size < word ? (bytes + element_size - 1) / element_size : 1;
}

void fill_with_pattern(std::span<std::byte> bytes) noexcept
{
    for (std::size_t b = 0; b < bytes.size(); b += word)
        std::memcpy(bytes.data() + b, &pattern, std::min(word, bytes.size() - b));
}

bool is_pattern(const std::byte* filled, std::size_t first, std::size_t count) noexcept
{
    for (std::size_t b = first; b < first + count; ++b)
        if (filled[b] != static_cast<std::byte>(pattern >> 8 * (b % word))) return false;
    return true;
}

void mark_unwritten(storage& s)
{
    if (s.count() < pattern_elements(s.element_size)) return;
    fill_with_pattern({s.data, s.count() * s.element_size});
    host_part(s).may_be_unwritten = true;
}

void mark_written(storage& s) noexcept { host_part(s).may_be_unwritten = false; }

std::optional<std::size_t> find_unwritten(storage& s, const element_block& of)
{
    if (!host_part(s).may_be_unwritten) return {};
    const read_access here(s);
    const std::size_t enough = pattern_elements(s.element_size);
    std::size_t first = 0, seen = 0; // of those that look like it, one after the other
    for (std::size_t r = 0; r < of.rows; ++r)
        for (std::size_t c = 0; c < of.cols; ++c) {
            const std::size_t i = of.offset + r * of.ld + c * of.stride;
            if (i >= s.count() || !is_unwritten(s, i)) {
                seen = 0;
                continue;
            }
            if (seen++ == 0) first = i;
            if (seen == enough) return first;
        }
    if (of.rows * of.cols == s.count()) mark_written(s); // nothing of it has to be looked at again
    return {};
}

bool is_all_unwritten(storage& s)
{
    if (!host_part(s).may_be_unwritten || s.count() == 0) return false;
    const read_access here(s);
    for (std::size_t i = 0; i < s.count(); ++i)
        if (!is_unwritten(s, i)) return false;
    return true;
}

} // namespace skelrt::detail
