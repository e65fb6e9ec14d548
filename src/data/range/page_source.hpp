// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace skelrt::detail
{

/// Where a range has its addresses and its memory from: one device, or a test's stand-in. Sizes and addresses are whole
/// pages. Thread-safe.
class page_source
{
public:
    page_source() = default;
    page_source(const page_source&) = delete;
    page_source& operator=(const page_source&) = delete;
    virtual ~page_source() = default;

    virtual std::size_t page_bytes() const noexcept = 0;
    /// 0: no addresses are left.
    virtual std::uintptr_t reserve(std::size_t bytes) noexcept = 0;
    virtual void leave(std::uintptr_t begin, std::size_t bytes) noexcept = 0;
    /// Nothing: no memory is left.
    virtual std::optional<std::uint64_t> create(std::size_t bytes) noexcept = 0;
    virtual void release(std::uint64_t memory, std::size_t bytes) noexcept = 0;
    virtual bool map(std::uintptr_t begin, std::size_t bytes, std::uint64_t memory) noexcept = 0;
    /// Waits for what still uses the memory behind these addresses.
    virtual void unmap(std::uintptr_t begin, std::size_t bytes) noexcept = 0;
};

} // namespace skelrt::detail
