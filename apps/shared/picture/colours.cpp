// SPDX-License-Identifier: BSD-3-Clause
#include "colours.hpp"

#include <algorithm>
#include <span>

namespace apps
{
namespace
{

colour between(std::span<const colour> stops, float value)
{
    const std::size_t last = stops.size() - 1;
    const float t = std::clamp(value, 0.0f, 1.0f) * static_cast<float>(last);
    const std::size_t i = std::min(static_cast<std::size_t>(t), last - 1);
    const float w = t - static_cast<float>(i);
    const colour &a = stops[i], &b = stops[i + 1];
    return {a.r + w * (b.r - a.r), a.g + w * (b.g - a.g), a.b + w * (b.b - a.b)};
}

} // namespace

colour blue_to_red(float value)
{
    static constexpr colour stops[] = {{0.07f, 0.18f, 0.42f}, {0.16f, 0.40f, 0.68f}, {0.43f, 0.65f, 0.83f},
                                       {0.75f, 0.86f, 0.93f}, {0.97f, 0.97f, 0.96f}, {0.98f, 0.84f, 0.75f},
                                       {0.92f, 0.59f, 0.47f}, {0.76f, 0.26f, 0.25f}, {0.46f, 0.05f, 0.14f}};
    return between(stops, value);
}

colour dark_to_light(float value)
{
    static constexpr colour stops[] = {{0.00f, 0.00f, 0.02f}, {0.12f, 0.05f, 0.28f}, {0.30f, 0.06f, 0.43f},
                                       {0.50f, 0.12f, 0.42f}, {0.70f, 0.19f, 0.35f}, {0.87f, 0.32f, 0.23f},
                                       {0.97f, 0.51f, 0.10f}, {0.99f, 0.74f, 0.20f}, {0.97f, 0.96f, 0.68f}};
    return between(stops, value);
}

} // namespace apps
