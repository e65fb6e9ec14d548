// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <span>

namespace bench
{

/// What the works below are done on: as much for the whole program as `lines` says.
class loggp_data
{
public:
    /// Vectors of so many floats, and a matrix of so many rows.
    struct size {
        std::size_t length, rows, cols;
    };
    /// Makes no calls.
    explicit loggp_data(const size& s);

    skelrt::vector<float> x, y, few;
    skelrt::vector<unsigned> index, bins;
    skelrt::matrix<float> m, n, across;
};

/// One call of a skeleton, and the wait for its result.
struct loggp_work {
    const char* name;
    void (*run)(loggp_data& d);
};
std::span<const loggp_work> loggp_works();

} // namespace bench
