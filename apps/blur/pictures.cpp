// SPDX-License-Identifier: BSD-3-Clause
#include "pictures.hpp"

#include "apps/shared/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace blur
{
namespace
{

using apps::colour;

constexpr colour white{0.96f, 0.96f, 0.94f}, black{0.08f, 0.09f, 0.11f};

/// Where 0 to 1 is across the shorter side; the middle of the picture is 0.
colour star(float x, float y)
{
    constexpr int rays = 36;
    const float turn = std::atan2(y, x) / (2 * std::numbers::pi_v<float>)+0.5f;
    return static_cast<int>(turn * 2 * rays) % 2 == 0 ? white : black;
}

colour bars(float x)
{
    constexpr colour all[] = {white,
                              {0.90f, 0.82f, 0.16f},
                              {0.13f, 0.72f, 0.78f},
                              {0.20f, 0.66f, 0.28f},
                              {0.76f, 0.22f, 0.60f},
                              {0.84f, 0.19f, 0.18f},
                              {0.15f, 0.28f, 0.72f},
                              black};
    return all[std::clamp(static_cast<int>(x * 8), 0, 7)];
}

/// Squares that become smaller from left to right.
colour squares(float x, float y)
{
    const float edge = std::exp2(std::floor(-4 - 5 * x));
    return (static_cast<int>(std::floor(x / edge)) + static_cast<int>(std::floor(y / edge))) % 2 == 0
               ? colour{0.93f, 0.70f, 0.33f}
               : colour{0.12f, 0.25f, 0.42f};
}

colour card(float u, float v, float aspect)
{
    const float x = (u - 0.5f) * aspect, y = v - 0.5f, away = std::hypot(x, y);
    if (away < 0.36f) return star(x, y);
    if (away < 0.385f) return {0.80f, 0.27f, 0.20f};
    if (v < 0.22f) return bars(u);
    if (v > 0.78f) return squares(u, v);
    return {0.55f + 0.35f * u, 0.60f, 0.90f - 0.35f * u};
}

} // namespace

apps::image test_card(std::size_t width, std::size_t height)
{
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    apps::canvas to(static_cast<int>(width), static_cast<int>(height), white);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            to.mix(static_cast<int>(x), static_cast<int>(y),
                   card((static_cast<float>(x) + 0.5f) / w, (static_cast<float>(y) + 0.5f) / h, w / h), 1);
    for (int k = 0; k < 7; ++k) { // smaller and smaller
        const float size = 0.055f * h * std::exp2(-0.7f * static_cast<float>(k));
        to.text({0.025f * w, h * (0.36f + 0.16f * (1 - std::exp2(-0.7f * static_cast<float>(k)))) * 1.35f - 0.1f * h},
                "skelrt", size, black);
    }
    return to.finished();
}

std::vector<plane> planes_of(const apps::image& picture)
{
    std::vector<plane> planes;
    for (std::size_t c = 0; c < 3; ++c) {
        plane p(picture.height, picture.width, skelrt::uninitialized);
        {
            const auto to = skelrt::host_write(p);
            for (std::size_t i = 0; i < picture.pixels(); ++i)
                to.data()[i] = static_cast<float>(picture.bytes[3 * i + c]) / 255.0f;
        }
        planes.push_back(std::move(p));
    }
    return planes;
}

apps::image image_of(const std::vector<plane>& planes)
{
    apps::image picture(planes.front().cols(), planes.front().rows());
    for (std::size_t c = 0; c < planes.size(); ++c) {
        const auto from = skelrt::host_read(planes[c]);
        for (std::size_t i = 0; i < picture.pixels(); ++i) picture.bytes[3 * i + c] = apps::byte_of(from.data()[i]);
    }
    return picture;
}

apps::image halves(const apps::image& left, const apps::image& right)
{
    apps::image result = right;
    const std::size_t middle = result.width / 2, line = std::max<std::size_t>(1, result.width / 512);
    for (std::size_t y = 0; y < result.height; ++y) {
        std::copy_n(left.at(0, y), 3 * middle, result.at(0, y));
        std::fill_n(result.at(middle, y), 3 * std::min(line, result.width - middle), std::uint8_t{255});
    }
    return result;
}

} // namespace blur
