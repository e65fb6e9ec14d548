// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/blocks.hpp>

#include <cstddef>

namespace summa
{

/// How the matrices are cut, in rows and columns of a block: `tile` x `panel` of the left factor, `panel` x `width` of
/// the right one, `tile` x `width` of the result. A task adds one product of blocks to one of the result.
struct cutting {
    std::size_t tile, width, panel;

    static cutting squares(std::size_t tile, std::size_t panel) { return {tile, tile, panel}; }
    /// Each task makes whole rows of the result, and reads all of the right factor.
    static cutting rows(std::size_t tile, std::size_t n) { return {tile, n, n}; }
};

/// C = A B of n x n matrices by tasks on tiles; T: float or double.
template <class T>
class product
{
public:
    /// `on`: kinds of device that may run the tasks. The factors are random numbers from -1 to 1.
    product(std::size_t n, const cutting& c, skelrt::device_set on);

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
