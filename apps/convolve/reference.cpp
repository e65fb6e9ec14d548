// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace convolve
{

reference::reference(const picture& from, const picture& weights, int width)
    : stride_(from.size() * weights.size() / 100'000'000 + 1)
{
    const auto u = skelrt::host_read(from), w = skelrt::host_read(weights);
    const int rows = static_cast<int>(from.rows()), cols = static_cast<int>(from.cols()), reach = width / 2;
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    for (int r = 0; r < rows; r += static_cast<int>(stride_))
        for (int c = 0; c < cols; ++c) {
            double sum = 0;
            for (int i = 0; i < width; ++i)
                for (int j = 0; j < width; ++j)
                    sum += static_cast<double>(w(at(i), at(j))) *
                           static_cast<double>(u(at(std::clamp(r + i - reach, 0, rows - 1)),
                                                 at(std::clamp(c + j - reach, 0, cols - 1))));
            values_.push_back(sum);
        }
}

apps::comparison reference::compare(const picture& result) const
{
    apps::comparison found{1e-5};
    const auto got = skelrt::host_read(result);
    const std::size_t cols = result.cols();
    for (std::size_t i = 0; i < values_.size(); ++i)
        found.add(static_cast<double>(got(i / cols * stride_, i % cols)), values_[i], 1.0,
                  [&] { return fmt::format("row {}, column {}", i / cols * stride_, i % cols); });
    return found;
}

} // namespace convolve
