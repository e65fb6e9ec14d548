// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <array>
#include <vector>

namespace blur
{

// The weights as the devices see them, from the middle outwards: a uniform value, which a GPU has in constant memory
// and a CPU in registers. Numbers of their own rather than an array: gcc makes vectors of loops that copy the former.
// clang-format off
SKELRT_SHARED(
    struct gauss { float w0, w1, w2, w3, w4, w5, w6, w7, w8, w9; };
)
// clang-format on

// For both programs.
inline constexpr int radius = 9;

/// All 19 weights, from one end to the other.
using weights = std::array<float, 2 * radius + 1>;

/// The weights of a Gaussian with this standard deviation in pixels, scaled so that their sum is one.
weights weights_of(double sigma);

using plane = skelrt::matrix<float>;

// What else is asked.
/// How the 19 x 19 neighbourhood is summed up: along rows and then down columns, or all at once.
enum class form { separable, dense };

// The computation.
/// The red, green and blue of a picture on their way through a filter. The planes that filterings go through stay, so
/// that no run allocates anything.
class filter
{
public:
    /// The source, 0 to 1 per pixel.
    filter(std::vector<plane> source, const weights& w, form how, int times);

    /// Filters the source `times` times, asynchronously, on the devices that this thread may use; each filtering takes
    /// the result of the one before.
    void run();
    void wait() const;
    // What else is asked.
    /// Waits until all planes are in the host's memory, and nowhere else.
    void bring_home();
    // The computation.
    /// After run().
    const std::vector<plane>& result() const { return times_ % 2 == 1 ? first_ : second_; }

private:
    void apply(plane& to, plane& between, const plane& from) const;

    std::vector<plane> source_, first_, second_, between_;
    gauss gauss_;
    skelrt::vector<float> down_;
    form form_;
    int times_;
};

} // namespace blur
