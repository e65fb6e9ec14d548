// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>

namespace osem
{
namespace
{

struct voxel_part {
    std::size_t voxel;
    double length;
};

/// The voxels that a line crosses.
void cross(const event& e, int size, std::vector<double>& crossings, std::vector<voxel_part>& parts)
{
    const double a[] = {e.a[0], e.a[1], e.a[2]}, d[] = {e.b[0] - a[0], e.b[1] - a[1], e.b[2] - a[2]};
    crossings.clear();
    parts.clear();
    for (int k = 0; k < 3; ++k)
        for (int plane = 0; plane <= size && d[k] != 0; ++plane)
            if (const double t = (plane - a[k]) / d[k]; t > 0 && t < 1) crossings.push_back(t);
    std::ranges::sort(crossings);
    const double length = std::hypot(d[0], d[1], d[2]);
    for (std::size_t i = 1; i < crossings.size(); ++i) {
        const double middle = (crossings[i - 1] + crossings[i]) / 2;
        std::size_t voxel = 0;
        bool inside = true;
        for (int k = 2; k >= 0; --k) {
            const double at = std::floor(a[k] + middle * d[k]);
            inside = inside && at >= 0 && at < size;
            voxel = voxel * static_cast<std::size_t>(size) + static_cast<std::size_t>(std::max(at, 0.0));
        }
        if (inside) parts.push_back({voxel, (crossings[i] - crossings[i - 1]) * length});
    }
}

/// Adds what the voxels along the lines of some events should be multiplied by.
void add_changes(std::vector<double>& change, const event* first, std::size_t count, const std::vector<double>& image,
                 int size)
{
    std::vector<double> crossings;
    std::vector<voxel_part> parts;
    for (std::size_t i = 0; i < count; ++i) {
        cross(first[i], size, crossings, parts);
        double sum = 0;
        for (const auto& p : parts) sum += p.length * image[p.voxel];
        if (sum > 0)
            for (const auto& p : parts) change[p.voxel] += p.length / sum;
    }
}

} // namespace

plain_reconstruction::plain_reconstruction(const events& calibration, int size)
    : size_(size), sensitivity_(voxels(size), 0.0)
{
    const auto even = skelrt::host_read(calibration);
    add_changes(sensitivity_, even.data(), even.size(), std::vector<double>(voxels(size), 1.0), size);
}

std::vector<double> plain_reconstruction::run(const events& seen, std::size_t subsets, std::size_t iterations) const
{
    const auto all = skelrt::host_read(seen);
    const std::size_t count = all.size() / subsets;
    std::vector<double> image(voxels(size_), 1.0);
    for (std::size_t i = 0; i < iterations * subsets; ++i) {
        std::vector<double> change(image.size(), 0.0);
        add_changes(change, all.data() + i % subsets * count, count, image, size_);
        for (std::size_t v = 0; v < image.size(); ++v)
            image[v] = sensitivity_[v] > 0 ? image[v] * change[v] / sensitivity_[v] : 0;
    }
    return image;
}

} // namespace osem
