// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"

#include <cstddef>
#include <memory>

namespace skelrt::detail
{

/// Memory that the calling thread gave back before, or new. Throws std::bad_alloc.
SKELRT_API void* take_recycled(std::size_t bytes);
SKELRT_API void give_recycled(void* memory, std::size_t bytes) noexcept;

/// For objects that live as long as a task: many go at a time, when the program comes by, and as many come after. The C
/// library keeps a few of a size for its thread, and merges and cuts the others again.
template <class T>
struct recycling {
    using value_type = T;
    recycling() = default;
    template <class U>
    recycling(const recycling<U>&) noexcept
    {
    }
    T* allocate(std::size_t n)
    {
        if constexpr (is_usual) return static_cast<T*>(take_recycled(n * sizeof(T)));
        else return std::allocator<T>().allocate(n);
    }
    void deallocate(T* at, std::size_t n) noexcept
    {
        if constexpr (is_usual) give_recycled(at, n * sizeof(T));
        else std::allocator<T>().deallocate(at, n);
    }
    friend bool operator==(const recycling&, const recycling&) noexcept { return true; }

private:
    static constexpr bool is_usual = alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
};

} // namespace skelrt::detail
