// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

#include <vector>

namespace blackscholes
{

/// The same formula by a plain loop in double precision, with the error function of <cmath>.
class reference
{
public:
    explicit reference(const skelrt::vector<contract>& contracts);
    /// Prices relative to the spot, and how far puts and calls are from parity.
    apps::comparison compare(const skelrt::vector<float>& calls, const skelrt::vector<float>& puts,
                             double parity) const;
    double seconds() const { return seconds_; }

private:
    struct pair {
        double call, put, spot;
    };
    std::vector<pair> right_;
    double seconds_ = 0;
};

} // namespace blackscholes
