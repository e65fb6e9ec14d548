// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Time of a codelet against the number of elements, from its last runs. Pure: no clock, no lock, no file.
namespace skelrt::detail
{

/// a + b * elements, microseconds.
struct line {
    double fixed_us = 0, element_us = 0;
    double at(std::size_t elements) const { return fixed_us + element_us * static_cast<double>(elements); }
};

/// One measured run.
struct run {
    double elements;
    double us;
    std::int64_t when; ///< microseconds since 1970: tells runs apart, and which are newer
    friend bool operator==(const run&, const run&) = default;
};

/// The last runs of each order of size (sizes that share their highest bit). A few are kept of each: their median
/// follows drift, and no outlier moves it.
class curve
{
public:
    static constexpr std::size_t kept_runs = 7;

    /// `us` and `elements` above 0. A run that is already there is not added again; one that is older than all kept,
    /// neither.
    void add(const run& r);
    /// The run is right and what contradicts it is not: the others of its order, shorter ones of more elements, longer
    /// ones of fewer.
    void correct(const run& r);

    /// Whether runs tell of so many elements: a few take no longer than a look at the clock.
    bool tells_of(std::size_t elements) const noexcept;

    bool empty() const noexcept { return buckets_.empty(); }
    /// All kept runs, by order of size and then by age, oldest first.
    std::vector<run> runs() const;
    /// When the newest run was; 0 if there is none.
    std::int64_t newest() const noexcept;

    /// What the runs say, one point an order of size: the run of median speed. Times never fall with the size: of
    /// points that contradict each other the one with more runs is believed.
    struct point {
        double elements, us;
        std::size_t runs;
    };
    const std::vector<point>& points() const;

    /// How many kept runs are of the order of that size.
    std::size_t runs_like(std::size_t elements) const noexcept;

    /// The line to use near that size: through the points on both sides of it; beyond the known sizes through the
    /// nearest point, with the slope that the last ones have. Never falls, never negative. `start_us`: what of a run
    /// does not grow with the size, if a single point cannot tell. Not for empty curves.
    line near(std::size_t elements, double start_us) const;

private:
    struct bucket {
        int order; ///< highest bit of the sizes
        std::vector<run> runs;
    };
    std::vector<bucket> buckets_; ///< by order
    mutable std::vector<point> points_;
    mutable bool fitted_ = true;
};

} // namespace skelrt::detail
