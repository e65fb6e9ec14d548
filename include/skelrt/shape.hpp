// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/call.hpp"

namespace skelrt
{

/// The index space of a call that has no container to take it from: sum(f(sk::shape(1000))).
class shape
{
public:
    explicit shape(std::size_t n) : all_{1, 1, n} {}
    shape(std::size_t rows, std::size_t cols) : all_{2, rows, cols} {}
    shape(std::size_t planes, std::size_t rows, std::size_t cols) : all_{3, planes, rows * cols, {rows, cols}} {}
    shape(std::size_t cubes, std::size_t planes, std::size_t rows, std::size_t cols)
        : all_{4, cubes, planes * rows * cols, {planes, rows, cols}}
    {
    }
    std::size_t rows() const noexcept { return all_.rows; }
    std::size_t cols() const noexcept { return all_.cols; }
    bool matrix() const noexcept { return all_.rank >= 2; }
    const detail::extent& extent() const noexcept { return all_; }

private:
    detail::extent all_;
};

} // namespace skelrt
