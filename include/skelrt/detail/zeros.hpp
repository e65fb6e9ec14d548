// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdlib>

namespace skelrt::detail
{

/// Zeros on the heap, of a type without a constructor; null without memory, and for none. Pages that are not touched
/// cost nothing. Not std::unique_ptr, because <memory> costs every program a tenth of a second of compile time.
template <class T>
class zeros
{
public:
    explicit zeros(std::size_t count) : data_(count > 0 ? static_cast<T*>(std::calloc(count, sizeof(T))) : nullptr) {}
    zeros(const zeros&) = delete;
    zeros& operator=(const zeros&) = delete;
    ~zeros() { std::free(data_); }

    T* get() const noexcept { return data_; }
    explicit operator bool() const noexcept { return data_ != nullptr; }

private:
    T* data_;
};

} // namespace skelrt::detail
