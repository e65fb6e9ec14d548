// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <utility>
#include <vector>

namespace canny
{

apps::plain_grid<int> plain_canny(const video::grey& picture, const video::thresholds& t)
{
    auto marks = video::plain_marked(picture, t);
    std::vector<std::pair<int, int>> edges; // to be looked around
    for (int r = 0; r < marks.rows; ++r)
        for (int c = 0; c < marks.cols; ++c)
            if (marks.at(r, c) == 2) edges.emplace_back(r, c);
    while (!edges.empty()) {
        const auto [r, c] = edges.back();
        edges.pop_back();
        for (int i = r - 1; i <= r + 1; ++i)
            for (int j = c - 1; j <= c + 1; ++j)
                if (marks.or_zero(i, j) == 1) marks.at(i, j) = 2, edges.emplace_back(i, j);
    }
    return marks;
}

} // namespace canny
