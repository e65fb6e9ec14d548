// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace blur
{

/// Largest error that passes; pixels are 0 to 1.
inline constexpr double tolerance = 1e-5;

/// Filters in double precision, by plain loops. One for a run of the program: `result` is computed once, then compared
/// with what each device made.
class reference
{
public:
    reference(const std::vector<plane>& source, const weights& w, int times);
    apps::comparison compare(const std::vector<plane>& values) const;

private:
    std::size_t rows_, cols_;
    std::vector<std::vector<double>> expected_;
};

} // namespace blur
