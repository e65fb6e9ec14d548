// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace lbm
{

/// The same steps by plain loops, a plane for each direction: what is in flow moves on, then all cells collide.
class reference
{
public:
    explicit reference(const options& o);
    apps::comparison compare(const lattice& end) const;
    double seconds() const { return seconds_; }

private:
    std::size_t cells_, cols_;
    std::vector<float> planes_; ///< [direction * cells_ + cell]
    double seconds_ = 0;
};

} // namespace lbm
