// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace nbody
{

/// The same bodies, moved by plain loops in double precision. Three numbers a body: x, y, z.
class plain_cluster
{
public:
    /// From where `start` is now.
    plain_cluster(const cluster& start, double softening);
    void steps(std::size_t n, double dt);
    const std::vector<double>& positions() const { return positions_; }

private:
    void find_pulls();

    std::vector<double> positions_, speeds_, pulls_, mass_;
    double soft2_;
};

} // namespace nbody
