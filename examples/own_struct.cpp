// SPDX-License-Identifier: BSD-3-Clause
/// Step 5 of docs/tutorial.md: elements of your own type, and a helper function, on all devices.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

SKELRT_SHARED(struct ball { float height, speed; };)
SKELRT_SHARED(struct range_of { float least, most; };)
SKELRT_SHARED(inline ball after(ball b, float seconds) {
    b.speed -= 9.81f * seconds;
    b.height += b.speed * seconds;
    if (b.height < 0) {
        b.height = -b.height;
        b.speed = -0.8f * b.speed; // bounces
    }
    return b;
})

int main()
{
    const sk::runtime rt;

    const auto drop = sk::generate(SKELRT_FN((sk::index1 at) {
        ball b;
        b.height = 1.0f + 0.001f * (float)at.i;
        b.speed = 0;
        return b;
    }));
    sk::vector<ball> balls = drop(sk::shape(10'000));

    const auto step = sk::map(SKELRT_FN((ball b, float seconds) { return after(b, seconds); }));
    for (int i = 0; i < 1000; ++i) balls = step(balls, 0.002f);

    const auto both = sk::map(SKELRT_FN((ball b) {
        range_of r;
        r.least = b.height;
        r.most = b.height;
        return r;
    }));
    const auto widest = sk::reduce(SKELRT_FN((range_of a, range_of b) {
        range_of r;
        r.least = fmin(a.least, b.least);
        r.most = fmax(a.most, b.most);
        return r;
    }));
    const range_of heights = widest(both(balls)); // one pass

    sk::vector<float> height, speed;
    sk::tie(height, speed) = step(balls, 0.0f); // members to containers of their own
    std::printf("after 2 s the balls are between %.0f and %.0f m\n", heights.least, heights.most);
    std::printf("%zu heights, %zu speeds\n", height.size(), speed.size());
}
