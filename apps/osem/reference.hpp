// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"
#include "options.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace osem
{

/// The same in double precision by plain loops: Siddon's own way, which sorts where a line crosses planes.
class reference
{
public:
    reference(const events& seen, const events& calibration, const options& o);
    apps::comparison compare(const image& result) const;
    double seconds() const { return seconds_; }

private:
    std::vector<double> image_;
    double seconds_ = 0;
};

} // namespace osem
