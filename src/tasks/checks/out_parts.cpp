// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/checks/out_parts.hpp"

#include "src/data/faults/unwritten.hpp"
#include "src/runtime/checks.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// visit(number, part, placed, row's first byte behind the part's first)
template <class Visit>
void for_each_row(const task_record& t, const memory_of_parts& parts, Visit visit)
{
    for (std::size_t k = 0; k < t.parts.size(); ++k) {
        if (!t.parts[k].is_out) continue;
        for (std::size_t row = 0; row < parts[k].rows; ++row)
            visit(k, t.parts[k], row, row * parts[k].ld * t.parts[k].element_size);
    }
}

/// The column at which a row is as it was before; its length: nowhere.
std::size_t first_unwritten(std::span<const std::byte> row, std::size_t element_size)
{
    const std::size_t enough = pattern_elements(element_size), cols = row.size() / element_size;
    std::size_t first = 0, seen = 0; // of those that look like it, one after the other
    for (std::size_t c = 0; c < cols; ++c) {
        if (!is_pattern(row.data(), c * element_size, element_size)) {
            seen = 0;
            continue;
        }
        if (seen++ == 0) first = c;
        if (seen == enough) return first;
    }
    return cols;
}

} // namespace

void host_access::write(const part_memory& to, std::size_t first_byte, std::span<const std::byte> from)
{
    std::memcpy(static_cast<std::byte*>(to.data) + first_byte, from.data(), from.size());
}

void host_access::read(std::span<std::byte> to, const part_memory& from, std::size_t first_byte)
{
    std::memcpy(to.data(), static_cast<const std::byte*>(from.data) + first_byte, to.size());
}

bool checks_out_parts()
{
    static const bool wanted = wanted_checks().has(check::parts);
    return wanted;
}

void fill_out_parts(const task_record& t, const memory_of_parts& parts, part_access& memory)
{
    if (!checks_out_parts()) return;
    std::vector<std::byte> pattern;
    for_each_row(t, parts, [&](std::size_t k, const placed_part& p, std::size_t, std::size_t first_byte) {
        pattern.resize(p.cols * p.element_size);
        fill_with_pattern(pattern);
        memory.write(parts[k], first_byte, pattern);
    });
}

void require_written(const task_record& t, const memory_of_parts& parts, part_access& memory)
{
    if (!checks_out_parts()) return;
    std::vector<std::byte> now;
    for_each_row(t, parts, [&](std::size_t k, const placed_part& p, std::size_t row, std::size_t first_byte) {
        now.resize(p.cols * p.element_size);
        memory.read(now, parts[k], first_byte);
        const std::size_t col = first_unwritten(now, p.element_size);
        if (col < p.cols)
            throw error(fmt::format("its part {} is sk::out, {} x {} elements, and it has not written element ({}, {}) "
                                    "(SKELRT_CHECK=parts); write all elements, or say sk::inout",
                                    k + 1, p.rows, p.cols, row, col));
    });
}

} // namespace skelrt::detail
