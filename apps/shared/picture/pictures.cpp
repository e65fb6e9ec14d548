// SPDX-License-Identifier: BSD-3-Clause
#include "pictures.hpp"

#include "apps/shared/program/error.hpp"
#include "canvas.hpp"

#include <skelrt/host.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace apps
{
namespace
{

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

image test_card(std::size_t width, std::size_t height)
{
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    canvas to(static_cast<int>(width), static_cast<int>(height), white);
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

image scene(std::size_t width, std::size_t height, std::size_t number)
{
    constexpr colour sky{0.55f, 0.70f, 0.86f}, red{0.80f, 0.27f, 0.20f}, dark{0.12f, 0.16f, 0.25f};
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float time = static_cast<float>(number) / 25; // seconds
    canvas to(static_cast<int>(width), static_cast<int>(height), sky);
    to.rectangle({0, 0.8f * h}, {w, h}, {0.35f, 0.55f, 0.30f});
    for (int k = 0; k < 7; ++k) {
        const float turn = time * (1 + 0.3f * static_cast<float>(k)) + static_cast<float>(k);
        const float size = 0.03f * h * static_cast<float>(k + 1) / 2;
        to.disc({w * (0.5f + 0.4f * std::cos(turn)), h * (0.45f + 0.3f * std::sin(2 * turn))}, size,
                k % 2 == 0 ? red : dark);
    }
    to.line({0.1f * w, 0.75f * h}, {w * (0.5f + 0.4f * std::sin(time)), 0.2f * h}, 0.02f * h, dark);
    to.text({w * (0.9f - 0.25f * time), 0.93f * h}, "skelrt", 0.08f * h, {0.95f, 0.95f, 0.9f});
    return to.finished();
}

std::vector<std::filesystem::path> png_files_in(const std::filesystem::path& folder)
{
    if (!std::filesystem::is_directory(folder))
        throw input_error(fmt::format("there is no folder {}", folder.string()));
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".png") all.push_back(entry.path());
    if (all.empty()) throw input_error(fmt::format("{}: no PNG file is in it", folder.string()));
    std::ranges::sort(all);
    return all;
}

skelrt::matrix<float> grey_of(const image& picture)
{
    skelrt::matrix<float> grey(picture.height, picture.width, skelrt::uninitialized);
    const auto to = skelrt::host_write(grey);
    for (std::size_t i = 0; i < picture.pixels(); ++i) {
        const std::uint8_t* const p = &picture.bytes[3 * i];
        to.data()[i] = static_cast<float>((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
    }
    return grey;
}

std::vector<skelrt::matrix<float>> planes_of(const image& picture)
{
    std::vector<skelrt::matrix<float>> planes;
    for (std::size_t c = 0; c < 3; ++c) {
        const auto to = skelrt::host_write(planes.emplace_back(picture.height, picture.width, skelrt::uninitialized));
        for (std::size_t i = 0; i < picture.pixels(); ++i)
            to.data()[i] = static_cast<float>(picture.bytes[3 * i + c]) / 255.0f;
    }
    return planes;
}

image image_of(const std::vector<skelrt::matrix<float>>& planes)
{
    image picture(planes.front().cols(), planes.front().rows());
    for (std::size_t c = 0; c < planes.size(); ++c) {
        const auto from = skelrt::host_read(planes[c]);
        for (std::size_t i = 0; i < picture.pixels(); ++i) picture.bytes[3 * i + c] = byte_of(from.data()[i]);
    }
    return picture;
}

image white_where(const skelrt::matrix<int>& values, int value)
{
    image picture(values.cols(), values.rows());
    const auto from = skelrt::host_read(values);
    for (std::size_t i = 0; i < picture.pixels(); ++i)
        std::fill_n(&picture.bytes[3 * i], 3, static_cast<std::uint8_t>(from.data()[i] == value ? 255 : 0));
    return picture;
}

} // namespace apps
