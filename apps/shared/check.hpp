// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
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
    /// One of which only right or wrong can be said: `absolute` counts the wrong ones, `relative` is their share.
    /// `what` tells of the first.
    template <class What>
    void count(bool right, const What& what)
    {
        ++samples;
        if (!right && worst.empty()) worst = what();
        absolute += right ? 0 : 1;
        relative = absolute / static_cast<double>(samples);
    }

private:
    bool is_worst(double value, double reference, double scale);
    void describe(double value, double reference, const std::string& where);
};

/// Each value of a range against its reference, all at one scale; place(i) gives the name of the place of value i.
template <class Values, class References, class Place>
comparison compare(double tolerance, const Values& values, const References& references, double scale,
                   const Place& place)
{
    comparison result{tolerance};
    std::size_t i = 0;
    for (const auto& value : values) {
        result.add(static_cast<double>(value), static_cast<double>(references[i]), scale, [&] { return place(i); });
        ++i;
    }
    return result;
}

/// Names of places: "voxel 7", and "row 1, column 2" in rows of so many.
std::function<std::string(std::size_t)> numbered(const std::string& what);
std::function<std::string(std::size_t)> row_and_column(std::size_t columns);

/// The largest magnitude of some values.
template <class Values>
double largest_of(const Values& values)
{
    double largest = 0;
    for (const auto& v : values) largest = std::max(largest, std::abs(static_cast<double>(v)));
    return largest;
}

} // namespace apps
