// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: nearest neighbours: of each of many points, and the five nearest of one.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstdio>

namespace sk = skelrt;

SKELRT_SHARED(struct point { float x, y; };)
SKELRT_SHARED(inline float squared_distance(point a, point b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
})

int main()
{
    const sk::runtime rt;

    const auto anywhere = sk::map(SKELRT_FN((sk::random r) {
        point p;
        p.x = r.uniform();
        p.y = r.uniform();
        return p;
    }));
    const sk::vector<point> shops = anywhere(sk::shape(2000), sk::random_seed{1});
    const sk::vector<point> homes = anywhere(sk::shape(5000), sk::random_seed{2});

    // All pairs, reduced row by row: the 5000 x 2000 distances are never stored.
    const auto apart = SKELRT_FN((point home, point shop) { return squared_distance(home, shop); });
    const auto nearest = sk::map_pairs_reduce(apart, sk::minimum, 4.0f);
    const sk::vector<float> squares = nearest(homes, shops);
    const float mean = sk::reduce(sk::plus, 0.0f)(sk::sqrt(squares)) / 5000;
    std::printf("the way to the nearest shop is %.3f on average\n", mean);

    // One point's neighbours: their numbers, sorted by their distance.
    const point middle{0.5f, 0.5f};
    sk::vector<float> way = sk::map(apart)(middle, shops);
    sk::vector<int> number = sk::iota(shops.size(), 0);
    sk::sort_by_key(way, number);
    const auto first = sk::host_read(way);
    std::printf("from the middle the fifth shop is %s\n", std::sqrt(first[4]) < 0.1 ? "near" : "far");
}
