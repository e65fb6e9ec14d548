// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace skelrt::detail
{

/// So aligned is memory for elements and running values, whatever their type: what vector instructions of any processor
/// want, and the most that an element type may ask for (detail::most_align).
constexpr std::size_t element_align = 128;

constexpr std::size_t rounded_to_elements(std::size_t bytes)
{
    return (bytes + element_align - 1) / element_align * element_align;
}

/// Uninitialised memory for elements of a type that only the user's program knows.
class element_memory
{
public:
    element_memory() = default;
    explicit element_memory(std::size_t bytes)
        : data_(bytes > 0 ? static_cast<std::byte*>(::operator new (bytes, std::align_val_t{element_align})) : nullptr)
    {
    }
    element_memory(element_memory&& o) noexcept : data_(std::exchange(o.data_, nullptr)) {}
    element_memory& operator=(element_memory o) noexcept
    {
        std::swap(data_, o.data_);
        return *this;
    }
    ~element_memory() { ::operator delete (data_, std::align_val_t{element_align}); }

    std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_ = nullptr;
};

/// The same for a few values within a function: in place if they are small.
class value_room
{
public:
    explicit value_room(std::size_t bytes) : many_(bytes > sizeof few_ ? bytes : 0) {}
    value_room(const value_room&) = delete;
    value_room& operator=(const value_room&) = delete;

    std::byte* data() noexcept { return many_.data() ? many_.data() : few_; }
    const std::byte* data() const noexcept { return many_.data() ? many_.data() : few_; }

private:
    alignas(element_align) std::byte few_[256];
    element_memory many_;
};

} // namespace skelrt::detail
