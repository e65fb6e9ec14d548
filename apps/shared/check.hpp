// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace apps
{

/// What the comparison of a result with its reference found.
struct comparison {
    double tolerance = 0;    ///< largest relative error that passes
    double relative = 0;     ///< largest error over the scale that each value was compared at
    double absolute = 0;     ///< largest error
    std::size_t samples = 0; ///< 0: not checked
    std::string worst{};     ///< where the largest relative error is, and what is there; empty where all is exact

    bool good() const { return relative <= tolerance; }
    /// One value against its reference. A value that is not finite counts as an error of infinity. `scale`: what the
    /// error is small or large against, such as the sum of the magnitudes of a sum's terms. `where` may be any callable
    /// that gives the name of the place; it is called for a new largest error only.
    template <class Where>
    void add(double value, double reference, double scale, const Where& where)
    {
        if (is_worst(value, reference, scale)) describe(value, reference, where());
    }

private:
    bool is_worst(double value, double reference, double scale);
    void describe(double value, double reference, const std::string& where);
};

} // namespace apps
