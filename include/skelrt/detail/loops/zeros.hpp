// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace skelrt::detail
{

/// Zeros on the heap, of a type without a constructor; null without memory, and for none. Pages that are not touched
/// cost nothing. Not std::unique_ptr, because <memory> costs every program a tenth of a second of compile time.
template <class T>
class zeros
{
public:
    explicit zeros(std::size_t count) : block_(count > 0 ? std::calloc(count + 1, sizeof(T)) : nullptr) {}
    zeros(const zeros&) = delete;
    zeros& operator=(const zeros&) = delete;
    ~zeros() { std::free(block_); }

    /// At a multiple of its alignment, which the block need not be.
    T* get() const noexcept
    {
        const auto at = reinterpret_cast<std::uintptr_t>(block_) + alignof(T) - 1;
        return reinterpret_cast<T*>(at - at % alignof(T));
    }
    explicit operator bool() const noexcept { return block_ != nullptr; }

private:
    void* block_;
};

} // namespace skelrt::detail
