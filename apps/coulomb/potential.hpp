// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "grid.hpp"

#include <skelrt/skelrt.hpp>

#include <vector>

namespace coulomb
{

/// The potential at the points of a grid.
struct field {
    grid where;
    skelrt::matrix<run8> values;

    explicit field(const grid& g) : where(g), values(g.rows(), g.runs(), skelrt::uninitialized) {}
};

/// The atoms as devices see them.
skelrt::vector<point_charge> charges_of(const molecule& m);

/// Computes the potential of all charges at all points, asynchronously, on the devices that this thread may use.
void compute(field& f, const skelrt::vector<point_charge>& charges);

/// The values on the host, x fastest, without what sticks out. Waits for them.
std::vector<float> values_of(const field& f);

} // namespace coulomb
