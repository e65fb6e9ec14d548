// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/algorithms/rivals.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace bench
{

/// Somebody who does one of these works. What comes out of a launch is the same each time, but for what is added to.
template <class T>
class kernel_entrant
{
public:
    virtual ~kernel_entrant() = default;
    /// What is added to is as at the beginning from now on.
    virtual void begin_anew() {}
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    virtual std::vector<T> result() = 0;
};

// A picture of n x n pixels and `width` x `width` weights around each; pixels beyond the edge are like those at the
// edge. All sums are exact in a float, in whatever order.

constexpr float pixel_value(std::size_t i) { return static_cast<float>(mixed(i) % 8); }
constexpr float weight_value(std::size_t i) { return static_cast<float>(mixed(i) % 16); }
constexpr int least_width = 3, most_width = 27;

/// A loop that is vectorised over the columns, the picture in a frame of what lies beyond its edge.
std::unique_ptr<kernel_entrant<float>> make_openmp_convolution(std::size_t n, int width, rival_team& team);
/// Tiles in shared memory, weights in constant memory, a kernel for each width: the fastest of several shapes. Of these
/// only the one made last may run. Null without nvcc.
std::unique_ptr<kernel_entrant<float>> make_cuda_convolution(std::size_t n, int width);

// b += transpose(a), and then a += 1, of n x n doubles: PRK's transpose. The result is b.

constexpr double added_value(std::size_t i) { return static_cast<double>(mixed(i) % 1024); }

/// A loop over squares of b, a row of them for each thread, and one over a.
std::unique_ptr<kernel_entrant<double>> make_openmp_transposed_sum(std::size_t n, rival_team& team);
/// Squares by way of shared memory, and a kernel that increments. Null without nvcc.
std::unique_ptr<kernel_entrant<double>> make_cuda_transposed_sum(std::size_t n);

// Steps of lattice Boltzmann (D2Q9, BGK) past a cylinder, in n x n cells, from the wind on, as in application lbm.

constexpr int lattice_steps = 10; ///< of a launch
constexpr int directions = 9;
struct channel {
    float x, y, radius, speed, rate; ///< of the cylinder; speed of the wind; 1 / relaxation time
};
constexpr channel channel_of(std::size_t n)
{
    constexpr float speed = 0.1f, reynolds = 150;
    const auto edge = static_cast<float>(n);
    const float radius = edge / 9, viscosity = speed * 2 * radius / reynolds;
    return {edge / 5, edge / 2, radius, speed, 1 / (3 * viscosity + 0.5f)};
}

/// A plane for each direction, one vectorised pass a step. The result is direction by direction.
std::unique_ptr<kernel_entrant<float>> make_openmp_lattice(std::size_t n, rival_team& team);

// Positron emission tomography: list-mode OSEM, as application osem has it.

/// Where the two photons of a decay were seen, in voxels from a corner of the image.
struct seen_decay {
    float a[3], b[3];
};
struct tomography {
    std::vector<seen_decay> seen, calibration;
    int size;            ///< voxels along an edge of the image
    std::size_t subsets; ///< of what was seen; a launch begins with an even image and goes through all of them
};

/// A thread for each decay, which adds to voxels by atomics. Null without nvcc.
std::unique_ptr<kernel_entrant<float>> make_cuda_osem(const tomography& problem);

} // namespace bench
