// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "api.hpp"

#include <cstddef>

/// Checks of the indices that user functions make: SKELRT_CHECK=bounds. What an index asks for that is not there is
/// written down for the calling thread, which goes on with another element; once the function has returned for the
/// position, the call
/// fails: see loops/checked.hpp.
namespace skelrt::detail
{

/// Says in a parameter which operand of its call it is, and that its indices are to be checked.
class checked_operand
{
public:
    constexpr checked_operand() = default;
    constexpr explicit checked_operand(unsigned slot) noexcept : number_(slot + 1) {}
    constexpr explicit operator bool() const noexcept { return number_ != 0; }
    constexpr unsigned slot() const noexcept { return number_ - 1; }

private:
    unsigned number_ = 0; ///< 0: not checked
};

/// Whether there is such an element.
SKELRT_API bool holds(checked_operand which, std::size_t i, std::size_t size);
SKELRT_API bool holds(checked_operand which, std::size_t row, std::size_t col, std::size_t rows, std::size_t cols);
/// Whether there is such an element, and this is the first that writes it; their writer bits begin at `end`.
SKELRT_API bool writes_first(checked_operand which, std::size_t i, std::size_t size, void* end);
/// Whether the hoods of the call in progress reach that far.
SKELRT_API bool reaches(checked_operand which, std::ptrdiff_t element);
SKELRT_API bool reaches(checked_operand which, std::ptrdiff_t row, std::ptrdiff_t col);
SKELRT_API bool reaches(checked_operand which, std::ptrdiff_t plane, std::ptrdiff_t row, std::ptrdiff_t col);

/// Whether SKELRT_CHECK asks for it.
SKELRT_API bool checks_bounds();

/// Room behind so many elements for a bit each that says whether somebody has written it: words of 32 bits.
constexpr std::size_t writer_bytes(std::size_t elements)
{
    constexpr std::size_t word = 4;
    return (elements / 32 + 2) * word; // one more, because the first begins at a multiple of its size
}

/// Host views: throws bounds_error.
[[noreturn]] SKELRT_API void throw_outside_of_view(std::size_t i, std::size_t size);
[[noreturn]] SKELRT_API void throw_outside_of_view(std::size_t row, std::size_t col, std::size_t rows,
                                                   std::size_t cols);
[[noreturn]] SKELRT_API void throw_outside_of_view(int axis, std::size_t i, std::size_t extent);
/// Throws error: the elements of a row are so far apart.
[[noreturn]] SKELRT_API void throw_no_span(std::size_t stride);

/// Takes the place of an element that is not there.
template <class T>
const T& element_instead(const T* data, std::size_t size)
{
    alignas(T) static const std::byte zeros[sizeof(T)]{};
    return size > 0 ? *data : *reinterpret_cast<const T*>(zeros);
}

} // namespace skelrt::detail
