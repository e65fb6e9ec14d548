#pragma once

#include <skelrt/blocks.hpp>

#include <cstddef>

namespace summa
{

/// How the matrices are cut: into squares, each of the result made by one task after the other, a tile of the sum at a
/// time; or into blocks of whole rows, each made by one task that reads all of the right factor.
enum class shape { squares, rows };

/// C = A B of n x n matrices by tasks on tiles; T: float or double.
template <class T>
class product
{
public:
    /// `on`: kinds of device that may run the tasks. The factors are random numbers from -1 to 1.
    product(std::size_t n, std::size_t tile, shape s, skelrt::device_set on);

    /// Makes all tasks.
    void start();
    /// Until they have ended.
    void wait() const;

    const skelrt::matrix<T>& left() const { return a_; }
    const skelrt::matrix<T>& right() const { return b_; }
    const skelrt::matrix<T>& result() const { return c_; }

private:
    skelrt::matrix<T> a_, b_, c_;
    skelrt::blocks<T> left_, right_, to_;
    skelrt::device_set on_;
};

} // namespace summa
