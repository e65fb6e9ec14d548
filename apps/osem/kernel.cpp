// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <skelrt/algorithms.hpp>

#include <cmath>

namespace osem
{

// The way of a line through the voxels: R. Siddon, Medical Physics 12(2), 1985, from voxel to voxel as J. Amanatides
// and A. Woo have it. t goes from 0 at one end of the line to 1 at the other.
// clang-format off
SKELRT_SHARED(
    struct path { // along each axis: the voxel, the way to the next one, at which t that begins, and t between them
        int voxel[3], way[3];
        float next[3], step[3], t, end, length;
        int size;
    };
    inline float rise(event e, int k) // never 0
    {
        float d = e.b[k] - e.a[k];
        return std::fabs(d) < 1e-6f ? 1e-6f : d;
    }
    inline path path_of(event e, int size)
    {
        path p;
        p.size = size;
        p.t = 0.0f;
        p.end = 1.0f;
        float square = 0.0f;
        for (int k = 0; k < 3; ++k) {
            float d = rise(e, k), t0 = -e.a[k] / d, t1 = ((float)size - e.a[k]) / d;
            square += d * d;
            p.t = std::fmax(p.t, std::fmin(t0, t1));
            p.end = std::fmin(p.end, std::fmax(t0, t1));
        }
        p.length = std::sqrt(square);
        for (int k = 0; k < 3; ++k) {
            float d = rise(e, k);
            int voxel = (int)(e.a[k] + p.t * d);
            p.voxel[k] = voxel < 0 ? 0 : voxel >= size ? size - 1 : voxel;
            p.way[k] = d > 0.0f ? 1 : -1;
            p.next[k] = ((float)(d > 0.0f ? p.voxel[k] + 1 : p.voxel[k]) - e.a[k]) / d;
            p.step[k] = std::fabs(1.0f / d);
        }
        return p;
    }
    inline int voxel_of(path p) { return (p.voxel[2] * p.size + p.voxel[1]) * p.size + p.voxel[0]; }
    inline float leaves_at(path p) { return std::fmin(std::fmin(p.next[0], p.next[1]), std::fmin(p.next[2], p.end)); }
    inline float length_in(path p) { return p.length * std::fmax(leaves_at(p) - p.t, 0.0f); }
    inline path advanced(path p)
    {
        p.t = leaves_at(p);
        for (int k = 0; k < 3; ++k)
            if (p.next[k] <= p.t) {
                p.voxel[k] += p.way[k];
                p.next[k] += p.step[k];
                if (p.voxel[k] < 0 || p.voxel[k] >= p.size) p.end = -1.0f;
            }
        return p;
    }

// The problem.
    // The cylinder of detectors around the image, seen from a place in some direction to both sides.
    inline event on_cylinder(float x, float y, float z, float turn, float up, float size)
    {
        float flat = std::sqrt(1.0f - up * up), dx = flat * std::cos(turn), dy = flat * std::sin(turn);
        float mx = x - 0.5f * size, my = y - 0.5f * size, along = mx * dx + my * dy, slow = flat * flat;
        float root = std::sqrt(along * along - slow * (mx * mx + my * my - 0.5625f * size * size));
        float t0 = (-along - root) / slow, t1 = (-along + root) / slow;
        return event{{x + t0 * dx, y + t0 * dy, z + t0 * up}, {x + t1 * dx, y + t1 * dy, z + t1 * up}};
    }
    inline bool in_sphere(float x, float y, float z, float mx, float my, float radius)
    {
        return (x - mx) * (x - mx) + (y - my) * (y - my) + (z - 0.5f) * (z - 0.5f) < radius * radius;
    }
    inline float activity(float x, float y, float z) // of the phantom, 0 to 1; places are parts of the edge
    {
        if (in_sphere(x, y, z, 0.35f, 0.62f, 0.10f) || in_sphere(x, y, z, 0.64f, 0.60f, 0.07f) ||
            in_sphere(x, y, z, 0.50f, 0.32f, 0.05f) || in_sphere(x, y, z, 0.66f, 0.40f, 0.035f)) return 1.0f;
        return (x - 0.5f) * (x - 0.5f) + (y - 0.5f) * (y - 0.5f) < 0.16f ? 0.1f : 0.0f;
    }
)
// clang-format on

namespace
{

namespace sk = skelrt;

// Places at random until one decays there and the detectors, which end where the image does, see it.
const auto decay = sk::map(SKELRT_FN((sk::random r, int size, int even) {
    float edge = (float)size;
    event e;
    for (int tries = 0; tries < 10000; ++tries) {
        float x = r.uniform(), y = r.uniform(), z = r.uniform(), part = r.uniform();
        float turn = 6.2831853f * r.uniform(), up = 1.998f * r.uniform() - 0.999f;
        e = on_cylinder(edge * x, edge * y, edge * z, turn, up, edge);
        bool seen = e.a[2] >= 0.0f && e.a[2] <= edge && e.b[2] >= 0.0f && e.b[2] <= edge;
        if (seen && (even == 1 || part < activity(x, y, z))) break;
    }
    return e;
}));

// The computation.
// What the image would have shown along the line, and then what each of its voxels should be multiplied by.
const auto compare = sk::for_each(SKELRT_FN((event e, sk::vec<float> image, int size, sk::accumulator<float> change) {
    float sum = 0.0f;
    for (path p = path_of(e, size); p.t < p.end; p = advanced(p)) sum += length_in(p) * image[voxel_of(p)];
    if (sum > 0.0f)
        for (path p = path_of(e, size); p.t < p.end; p = advanced(p)) change.add(voxel_of(p), length_in(p) / sum);
}));

const auto update = sk::map(SKELRT_FN((float value, float change, float sensitivity) {
    return sensitivity > 0.0f ? value * change / sensitivity : 0.0f;
}));

} // namespace

// The problem.
events phantom(std::size_t count, int size) { return decay(sk::shape(count), sk::random_seed{1985}, size, 0); }
events flood(std::size_t count, int size) { return decay(sk::shape(count), sk::random_seed{1985, 1}, size, 1); }

// The computation.
reconstruction::reconstruction(const events& seen, const events& calibration, int size, std::size_t subsets)
    : seen_(seen), size_(size), subsets_(subsets), image_(voxels(size), 1.0f), change_(voxels(size), 0.0f),
      sensitivity_(voxels(size), 0.0f)
{
    compare(calibration, image_, size_, sensitivity_);
}

void reconstruction::run(std::size_t iterations)
{
    const std::size_t count = seen_.size() / subsets_;
    sk::fill(image_, 1.0f);
    for (std::size_t i = 0; i < iterations * subsets_; ++i) {
        sk::fill(change_, 0.0f);
        compare(seen_.range(i % subsets_ * count, count), image_, size_, change_);
        image_ = update(image_, change_, sensitivity_);
    }
}

} // namespace osem
