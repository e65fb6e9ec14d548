// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"
#include "options.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace pagerank
{

/// The same iterations by plain loops in double precision, edge after edge in the order in which they came.
class reference
{
public:
    reference(std::size_t vertices, const edges& all, const options& o);
    apps::comparison compare(const skelrt::vector<float>& ranks) const;
    double seconds() const { return seconds_; }

private:
    std::vector<double> ranks_;
    double seconds_ = 0;
};

} // namespace pagerank
