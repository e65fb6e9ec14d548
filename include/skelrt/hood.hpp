// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/index_checks.hpp"

#include <cstddef>

/// Parameters of a stencil's user function: the elements around the position, read-only, by distance from it. How far a
/// function may reach is said by sk::stencil; memory beyond is not readable. Checked as sk::vec is: then the element
/// itself takes the place of one that is out of reach.
namespace skelrt
{

/// Around an element of a vector, or of one row or column of a matrix: u(-1) is its left (upper) neighbour.
template <class T>
class hood1
{
public:
    using value_type = T;
    hood1(const T* at, std::ptrdiff_t step) : at_(at), step_(step) {}
    hood1(const hood1& u, detail::checked_operand checked) : at_(u.at_), step_(u.step_), checked_(checked) {}
    const T& operator()(std::ptrdiff_t element) const
    {
        if (checked_ && !detail::reaches(checked_, element)) return *at_;
        return at_[element * step_];
    }
    const T& operator[](std::ptrdiff_t element) const { return (*this)(element); }

private:
    const T* at_;
    std::ptrdiff_t step_;
    detail::checked_operand checked_;
};

/// Around an element of a matrix: u(-1, 0) lies above it, u(0, 1) to its right.
template <class T>
class hood2
{
public:
    using value_type = T;
    hood2(const T* at, std::ptrdiff_t ld) : at_(at), ld_(ld) {}
    hood2(const hood2& u, detail::checked_operand checked) : at_(u.at_), ld_(u.ld_), checked_(checked) {}
    const T& operator()(std::ptrdiff_t row, std::ptrdiff_t col) const
    {
        if (checked_ && !detail::reaches(checked_, row, col)) return *at_;
        return at_[row * ld_ + col];
    }

private:
    const T* at_;
    std::ptrdiff_t ld_;
    detail::checked_operand checked_;
};

/// Around an element of a tensor of rank 3: u(-1, 0, 0) lies one plane before it.
template <class T>
class hood3
{
public:
    using value_type = T;
    hood3(const T* at, std::ptrdiff_t plane, std::ptrdiff_t ld) : at_(at), plane_(plane), ld_(ld) {}
    hood3(const hood3& u, detail::checked_operand checked) : at_(u.at_), plane_(u.plane_), ld_(u.ld_), checked_(checked)
    {
    }
    const T& operator()(std::ptrdiff_t plane, std::ptrdiff_t row, std::ptrdiff_t col) const
    {
        if (checked_ && !detail::reaches(checked_, plane, row, col)) return *at_;
        return at_[plane * plane_ + row * ld_ + col];
    }

private:
    const T* at_;
    std::ptrdiff_t plane_, ld_;
    detail::checked_operand checked_;
};

} // namespace skelrt
