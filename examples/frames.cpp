// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: frames of a film go through a pipeline: one is read while others are computed, in order.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <optional>
#include <string>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;
    const auto blur = sk::stencil(
        SKELRT_FN((sk::hood2<float> u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + 4 * u(0, 0)) / 8; }),
        sk::border::nearest());
    const auto sum = sk::reduce(sk::plus, 0.0f);

    int next = 0;
    const auto read = [&]() -> std::optional<sk::matrix<float>> {
        if (next == 6) return std::nullopt; // the film ends
        return sk::matrix<float>(60, 80, static_cast<float>(++next));
    };
    const auto soften = [&](sk::matrix<float> frame) {
        frame = blur.iterate(10, frame);
        return frame;
    };
    std::string seen;
    const auto write = [&](const sk::matrix<float>& frame) {
        seen += ' ' + std::to_string(static_cast<int>(float(sum(frame)) / (60 * 80) + 0.5f));
    };

    auto film = sk::pipeline(sk::source(read), sk::parallel("soften", soften, 3), sk::in_order(write));
    const std::size_t frames = film.window(4)(); // at most four are under way
    std::printf("%zu frames, mean greys:%s\n", frames, seen.c_str());
}
