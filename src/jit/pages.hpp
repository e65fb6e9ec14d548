// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// Memory of CUDA devices in pages: addresses are reserved apart from the memory that is mapped behind them. By the
/// driver, which is asked at run time; none of it waits for kernels, so who unmaps has to. Thread-safe.
namespace skelrt::detail
{

/// What sizes and addresses are multiples of; 0: the device, or its driver, knows no pages.
std::size_t page_bytes(int device) noexcept;

/// 0: no addresses are left.
std::uintptr_t reserve_addresses(std::size_t bytes) noexcept;
void free_addresses(std::uintptr_t begin, std::size_t bytes) noexcept;

/// Memory of the device; nothing: it has no more.
std::optional<std::uint64_t> create_pages(int device, std::size_t bytes) noexcept;
void release_pages(std::uint64_t memory) noexcept;

/// Puts the memory behind addresses, for these devices. False: the driver refuses, and nothing is mapped.
bool map_pages(std::uintptr_t begin, std::size_t bytes, std::uint64_t memory, std::span<const int> devices) noexcept;
void unmap_pages(std::uintptr_t begin, std::size_t bytes) noexcept;

/// Whether kernels and copies of one device reach the memory of the other.
bool reaches(int device, int other) noexcept;

} // namespace skelrt::detail
