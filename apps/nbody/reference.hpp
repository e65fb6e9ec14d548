// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"
#include "options.hpp"

#include "apps/shared/check.hpp"

namespace nbody
{

/// The same steps by plain loops in double precision, and the energy before and after them. Made once, then compared with
/// each device.
class reference
{
public:
    /// From where `start` is now.
    reference(const cluster& start, const options& o);
    /// Positions relative to the distances between the clusters, and the drift of the energy, which must stay small.
    apps::comparison compare(const cluster& end, double drift) const;
    double seconds() const { return seconds_; }

private:
    std::vector<double> positions_; ///< x, y, z a body
    double seconds_ = 0;
};

} // namespace nbody
