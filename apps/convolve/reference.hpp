// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace convolve
{

/// Some rows of the result by plain loops in double precision: at most about 10^8 products, evenly over the picture.
class reference
{
public:
    reference(const picture& from, const picture& weights, int width);
    apps::comparison compare(const picture& result) const;

private:
    std::size_t stride_;
    std::vector<double> values_; ///< of rows 0, stride_, 2 stride_ ...
};

} // namespace convolve
