// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace skelrt::detail
{

/// Cleared objects, to be used again; at most so many. Thread-safe.
template <class T, std::size_t Most>
class spare_objects
{
public:
    /// Null: there is none.
    T* take() noexcept
    {
        const std::lock_guard lock(guard_);
        return count_ > 0 ? all_[--count_] : nullptr;
    }
    /// False: there are enough.
    bool give(T* object) noexcept
    {
        const std::lock_guard lock(guard_);
        if (count_ == Most) return false;
        all_[count_++] = object;
        return true;
    }

private:
    std::mutex guard_;
    std::array<T*, Most> all_{};
    std::size_t count_ = 0;
};

} // namespace skelrt::detail
