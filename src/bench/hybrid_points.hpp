#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bench
{

/// One piece of work in all ways that there are to run it, in seconds.
struct hybrid_point {
    std::string work;
    std::size_t elements = 0, bytes = 0;
    int steps = 1;
    bool from_host = true; ///< data in the host's memory before and after; else on the GPU
    bool bound_by_transfers = false;
    double automatic = 0;
    std::map<std::string, double> single;   ///< each kind of device alone
    double one_gpu = 0;                     ///< where there are several: the first alone; 0: not measured
    bool searched = false;                  ///< for the best split
    std::map<double, double> splits;        ///< by the GPUs' share, each by itself; those without hope are left out
    std::map<double, double> finalists;     ///< the best of these, in turns with automatic placement
    double beside_finalists = 0;            ///< what that took then
    std::map<std::string, double> policies; ///< StarPU's own, one task per tile

    std::string name() const;
    double best_single() const;
    /// The better single device or, in turns with automatic placement, the best split: its time over automatic's.
    double best_split_over_automatic() const;
    double best_split() const;
    double of_best_single() const { return automatic / best_single(); }
    /// Speed-up over what the sum of the devices' rates allows.
    double efficiency() const;
};

/// Ratios over many points. All are 0 where no point counts.
struct hybrid_ratios {
    double worst_vs_best_single = 0;
    double median_transfer_bound = 0; ///< of single steps on data that is larger than the processor's caches
    double median_cached = 0;         ///< the same for less data
    double worst_vs_best_split = 0, mean_vs_best_split = 0;
    double vs_dmdas = 0, vs_dmdas_host = 0; ///< geometric means
    double efficiency = 0;
    /// The same with each device's rate for its share alone: no share makes the start of a call shorter. 0: too few sizes.
    double efficiency_of_shares = 0;
};

hybrid_ratios ratios_of(const std::vector<hybrid_point>& points, std::size_t cache_bytes);

} // namespace bench
