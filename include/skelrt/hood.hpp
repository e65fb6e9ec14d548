#pragma once

#include <cstddef>

/// Parameters of a stencil's user function: the elements around the position, read-only, by distance from it. How far a
/// function may reach is said by sk::stencil; memory beyond is not readable.
namespace skelrt
{

/// Around an element of a vector, or of one row or column of a matrix: u(-1) is its left (upper) neighbour.
template <class T>
class hood1
{
public:
    using value_type = T;
    hood1(const T* at, std::ptrdiff_t step) : at_(at), step_(step) {}
    const T& operator()(std::ptrdiff_t element) const { return at_[element * step_]; }
    const T& operator[](std::ptrdiff_t element) const { return at_[element * step_]; }

private:
    const T* at_;
    std::ptrdiff_t step_;
};

/// Around an element of a matrix: u(-1, 0) lies above it, u(0, 1) to its right.
template <class T>
class hood2
{
public:
    using value_type = T;
    hood2(const T* at, std::ptrdiff_t ld) : at_(at), ld_(ld) {}
    const T& operator()(std::ptrdiff_t row, std::ptrdiff_t col) const { return at_[row * ld_ + col]; }

private:
    const T* at_;
    std::ptrdiff_t ld_;
};

/// Around an element of a tensor of rank 3: u(-1, 0, 0) lies one plane before it.
template <class T>
class hood3
{
public:
    using value_type = T;
    hood3(const T* at, std::ptrdiff_t plane, std::ptrdiff_t ld) : at_(at), plane_(plane), ld_(ld) {}
    const T& operator()(std::ptrdiff_t plane, std::ptrdiff_t row, std::ptrdiff_t col) const
    {
        return at_[plane * plane_ + row * ld_ + col];
    }

private:
    const T* at_;
    std::ptrdiff_t plane_, ld_;
};

} // namespace skelrt
