// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <array>
#include <cstddef>

namespace kmeans
{

namespace sk = skelrt;

/// Points in D dimensions on their way into clusters by Lloyd's iterations. Nothing in one waits for the host.
template <int D>
class clustering
{
public:
    using point = std::array<float, D>;

    explicit clustering(const sk::vector<point>& points) : points_(points) {}

    /// The first centres: points in equal distances through the list.
    void begin(std::size_t clusters)
    {
        centres_.resize(clusters);
        sk::copy(points_.range(0, clusters, points_.size() / clusters), centres_);
        sums_.resize(clusters * (D + 1));
    }

    void iterate(std::size_t n)
    {
        // The coordinates of a cluster's points, and how many they are.
        const auto add_up = sk::for_each(SKELRT_FN((point p, int k, sk::accumulator<double> sums) {
            for (int d = 0; d < D; ++d) sums.add(k * (D + 1) + d, (double)p[d]);
            sums.add(k * (D + 1) + D, 1.0);
        }));
        const auto mean = sk::map(SKELRT_FN((sk::index1 at, point old, sk::vec<double> sums) {
            int first = (int)at.i * (D + 1);
            if (sums[first + D] == 0.0) return old; // nobody is near
            point next;
            for (int d = 0; d < D; ++d) next[d] = (float)(sums[first + d] / sums[first + D]);
            return next;
        }));
        for (std::size_t i = 0; i < n; ++i) {
            sk::fill(sums_, 0.0);
            add_up(points_, nearest()(points_, centres_), sums_); // one kernel
            centres_ = mean(centres_, sums_);
        }
    }

    /// The number of each point's cluster.
    sk::vector<int> labels() const { return nearest()(points_, centres_); }

    // What else is asked.
    /// The sum of the squares of all distances to the nearest centre. Waits for the value.
    double inertia() const
    {
        const auto square = sk::map(SKELRT_FN((point p, int k, sk::vec<point> centres) {
            float far = 0;
            for (int d = 0; d < D; ++d) far += (p[d] - centres[k][d]) * (p[d] - centres[k][d]);
            return (double)far;
        }));
        return sk::reduce(sk::plus, 0.0)(square(points_, nearest()(points_, centres_), centres_));
    }
    const sk::vector<point>& points() const { return points_; }
    const sk::vector<point>& centres() const { return centres_; }

    // The computation.
private:
    static auto nearest()
    {
        return sk::map(SKELRT_FN((point p, sk::vec<point> centres) {
            int best = 0;
            float least = 3e38f;
            for (int k = 0; k < (int)centres.size(); ++k) {
                float far = 0;
                for (int d = 0; d < D; ++d) far += (p[d] - centres[k][d]) * (p[d] - centres[k][d]);
                best = far < least ? k : best;
                least = far < least ? far : least;
            }
            return best;
        }));
    }

    sk::vector<point> points_, centres_;
    sk::vector<double> sums_;
};

// The problem.
/// Points around 16 places, each coordinate with the same spread.
template <int D>
sk::vector<std::array<float, D>> sixteen_heaps(std::size_t n)
{
    const auto scatter = sk::map(SKELRT_FN((sk::random r) {
        int heap = (int)(r.bits() % 16u);
        std::array<float, D> p;
        for (int d = 0; d < D; ++d) p[d] = (float)((heap * (7 + 6 * d) + 3 * d) % 16) + 0.7f * r.normal();
        return p;
    }));
    return scatter(sk::shape(n), sk::random_seed{1957});
}

} // namespace kmeans
