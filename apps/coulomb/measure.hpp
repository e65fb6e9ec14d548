#pragma once

#include "options.hpp"
#include "potential.hpp"
#include "reference.hpp"

#include <string>
#include <vector>

namespace coulomb
{

/// The timed runs of one device.
struct measurement {
    std::string device;          ///< cpu, cuda, opencl, hybrid, or the rival's name
    std::string hardware;        ///< for people
    std::vector<double> seconds; ///< sorted
    comparison check;            ///< no samples: not checked
    double best() const { return seconds.front(); }
    double median() const { return seconds[seconds.size() / 2]; }
};

/// What `wanted` (an option of --device) means on this runtime, in the order in which it runs. Throws input_error if
/// the device is not there.
std::vector<std::string> devices_for(const std::string& wanted, const skelrt::runtime& rt);

/// Computes the field on one device, options::repeat times, and checks it if that was asked for. The atoms and the
/// result stay where the devices want them: what is timed is the call until its result is complete.
measurement measure(const std::string& device, field& f, const molecule& m, const options& o,
                    const skelrt::runtime& rt);

} // namespace coulomb
