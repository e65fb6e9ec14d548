// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace skelrt::detail
{

/// So many values as its maker says, in place if they are few: calls of some microseconds on all cores feel each
/// allocation. They are as their type's declaration makes them: numbers may be anything.
template <class T, std::size_t Few>
class small_array
{
    static_assert(std::is_trivially_destructible_v<T>);

public:
    explicit small_array(std::size_t n) : many_(n > Few ? n : 0), values_(make(n), n) {}
    small_array(const small_array&) = delete;
    small_array& operator=(const small_array&) = delete;

    T& operator[](std::size_t k) { return values_[k]; }
    const T& operator[](std::size_t k) const { return values_[k]; }
    T* data() { return values_.data(); }
    const T* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }

private:
    T* make(std::size_t n)
    {
        if (!many_.empty()) return many_.data();
        T* const first = reinterpret_cast<T*>(few_);
        std::uninitialized_default_construct_n(first, n);
        return first;
    }

    alignas(T) std::byte few_[Few * sizeof(T)];
    std::vector<T> many_;
    std::span<T> values_;
};

constexpr std::size_t few_slots = 16; ///< more slots than this cost allocations

} // namespace skelrt::detail
