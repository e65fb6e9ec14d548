// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/cluster.hpp>
#include <skelrt/distribution.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

/// What tests of containers that are dealt out share: ways to deal them out, and what is wrong.
namespace test
{

inline int failures = 0;

/// The first few are told.
inline void expect(bool right, const std::string& what)
{
    if (right || ++failures > 20) return;
    std::fprintf(stderr, "rank %d of %d: %s\n", skelrt::rank(), skelrt::ranks(), what.c_str());
}

struct named {
    std::string name;
    skelrt::distribution how;
};

inline std::vector<named> all_distributions()
{
    const auto p = static_cast<std::size_t>(skelrt::ranks());
    using d = skelrt::distribution;
    return {{"rows", d::rows()},
            {"grid", d::grid()},
            {"columns", d::grid(1, p)},
            {"cyclic", d::grid().cyclic(2, 3)},
            {"cyclic rows", d::rows().cyclic(1, 1)},
            {"cyclic columns", d::grid(1, p).cyclic(4, 1)},
            {"copy", d::copy()},
            {"large blocks", d::grid().cyclic(1000, 1000)}};
}

/// For vectors and tensors: grids of one row, or column.
inline std::vector<named> line_distributions()
{
    using d = skelrt::distribution;
    return {{"lines", d::rows()},
            {"chosen", d::grid()},
            {"in turn", d::grid().cyclic(3, 3)},
            {"one in turn", d::grid().cyclic(1, 1)},
            {"copy", d::copy()}};
}

} // namespace test
