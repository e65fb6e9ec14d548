// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/storage.hpp>

#include <cstddef>
#include <optional>
#include <span>

/// SKELRT_CHECK=unwritten: memory that nobody has written yet holds a pattern, which who reads looks for. As floating
/// point it is no number. Elements of less than four bytes may be the pattern by chance: they are found where a call
/// reads 16 bytes of them, one after the other, that all are.
namespace skelrt::detail
{

/// The elements that a call reads of a container, as in struct operand.
struct element_block {
    std::size_t offset, rows, cols, ld, stride;
};

/// So many elements one after the other tell, all being the pattern.
std::size_t pattern_elements(std::size_t element_size) noexcept;
void fill_with_pattern(std::span<std::byte> bytes) noexcept;
/// Whether these bytes of those that were filled still hold it.
bool is_pattern(const std::byte* filled, std::size_t first, std::size_t count) noexcept;

/// A container that was just made.
void mark_unwritten(storage& s);
/// Every element is about to be written.
void mark_written(storage& s) noexcept;

/// The number in the container of the first element that nobody has written; none: all are written, or nothing tells.
/// Waits for who writes.
std::optional<std::size_t> find_unwritten(storage& s, const element_block& of);
/// Whether nobody has written any element of a container that has some.
bool is_all_unwritten(storage& s);

} // namespace skelrt::detail
