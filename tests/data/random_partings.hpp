// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"

#include <cstddef>
#include <random>

namespace test
{

/// Numbers of ranks, and ways to deal a container out to them.
class random_partings
{
public:
    explicit random_partings(unsigned seed) : source_(seed) {}

    std::size_t number(std::size_t least, std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>(least, most)(source_);
    }
    /// Few, but for one in ten.
    unsigned ranks() { return static_cast<unsigned>(number(0, 9) == 0 ? number(1, 64) : number(1, 9)); }
    std::size_t extent(std::size_t usual, std::size_t most)
    {
        return number(0, 9) == 0 ? number(0, most) : number(0, usual);
    }
    skelrt::detail::axis_split axis(std::size_t extent, unsigned parts)
    {
        return {extent, parts, number(0, 2) == 0 ? number(1, 9) : 0};
    }
    /// Any grid, any blocks.
    skelrt::detail::parting over(std::size_t rows, std::size_t cols, unsigned ranks)
    {
        unsigned across = static_cast<unsigned>(number(1, ranks));
        while (ranks % across != 0) --across;
        return {axis(rows, ranks / across), axis(cols, across)};
    }

private:
    std::mt19937 source_;
};

} // namespace test
