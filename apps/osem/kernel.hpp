// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace osem
{

// For both programs.
// What the devices see: where the two photons of a decay were seen, in voxels from a corner of the image.
SKELRT_SHARED(struct event { float a[3], b[3]; };)

/// Voxels of a cube, x fastest.
using image = skelrt::vector<float>;
using events = skelrt::vector<event>;
inline std::size_t voxels(int size) { return static_cast<std::size_t>(size) * size * size; }

/// Decays of a phantom, a faint cylinder with four bright spheres, that a ring around the image saw.
events phantom(std::size_t count, int size);
/// Decays everywhere in the image: what tells where the ring sees how much.
events flood(std::size_t count, int size);

// The computation.
/// List-mode ordered-subset expectation maximization.
class reconstruction
{
public:
    reconstruction(const events& seen, const events& calibration, int size, std::size_t subsets);
    /// From an even image, through all subsets so many times. Asynchronous.
    void run(std::size_t iterations);
    const image& result() const { return image_; }

private:
    events seen_;
    int size_;
    std::size_t subsets_;
    image image_, change_, sensitivity_;
};

} // namespace osem
