// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bench
{

/// One sample of a way to run a point.
struct sample {
    int round; ///< those of one round follow each other
    double seconds;
};
using samples = std::vector<sample>;

std::vector<double> seconds_of(const samples& all);
double median_of(const samples& all);
/// The median of a's time over b's in the rounds that both were in. A machine's speed drifts, by tens of percent within
/// seconds where others share its memory: the ratio of two medians would tell which of both had more samples in a good
/// time.
double time_over(const samples& a, const samples& b);

/// One piece of work in all ways that there are to run it, in seconds.
struct hybrid_point {
    std::string work;
    std::size_t elements = 0, bytes = 0;
    int steps = 1;
    bool from_host = true; ///< data in the host's memory before and after; else on the GPU
    bool bound_by_transfers = false;
    samples automatic;                      ///< in turns with single devices, in one pass or several
    std::map<std::string, samples> single;  ///< each kind of device alone
    std::map<int, samples> each_gpu;        ///< where there are several: each alone, by its number
    bool searched = false;                  ///< for the best split
    std::map<double, double> splits;        ///< by the GPUs' share, each by itself; those without hope are left out
    std::map<double, samples> finalists;    ///< the best of these, in turns with automatic placement
    samples beside_finalists;               ///< what that took then
    std::map<std::string, double> policies; ///< StarPU's own, one task per tile

    std::string name() const;
    double time() const { return median_of(automatic); }
    double single_time(const std::string& device) const { return median_of(single.at(device)); }
    double best_single() const;
    double best_split() const;
    /// Automatic placement's time over that of each single device: the largest.
    double of_best_single() const;
    /// The better single device or, in turns with automatic placement, the best split: its time over automatic's.
    double best_split_over_automatic() const;
    /// Speed-up over what the sum of the devices' rates allows.
    double efficiency() const;
};

/// Ratios over many points. All are 0 where no point counts.
struct hybrid_ratios {
    double worst_vs_best_single = 0, median_vs_best_single = 0;
    double median_transfer_bound = 0; ///< of single steps on data that is larger than the processor's caches
    double median_cached = 0;         ///< the same for less data
    double worst_vs_best_split = 0, mean_vs_best_split = 0;
    double vs_dmdas = 0, vs_dmdas_host = 0; ///< geometric means
    double efficiency = 0;
    /// The same with each device's rate for its share alone: no share makes the start of a call shorter. 0: too few
    /// sizes.
    double efficiency_of_shares = 0;
};

hybrid_ratios ratios_of(const std::vector<hybrid_point>& points, std::size_t cache_bytes);

} // namespace bench
