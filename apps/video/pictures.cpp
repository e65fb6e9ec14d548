// SPDX-License-Identifier: BSD-3-Clause
#include "pictures.hpp"

#include "apps/shared/canvas.hpp"
#include "apps/shared/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace video
{

apps::image scene(std::size_t width, std::size_t height, std::size_t number)
{
    constexpr apps::colour sky{0.55f, 0.70f, 0.86f}, red{0.80f, 0.27f, 0.20f}, dark{0.12f, 0.16f, 0.25f};
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float time = static_cast<float>(number) / 25; // seconds
    apps::canvas to(static_cast<int>(width), static_cast<int>(height), sky);
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

std::vector<std::filesystem::path> frames_in(const std::filesystem::path& folder)
{
    if (!std::filesystem::is_directory(folder))
        throw apps::input_error(fmt::format("--input: there is no folder {}", folder.string()));
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".png") all.push_back(entry.path());
    if (all.empty()) throw apps::input_error(fmt::format("--input {}: no PNG file is in it", folder.string()));
    std::ranges::sort(all);
    return all;
}

std::vector<float> grey_values(const apps::image& picture)
{
    std::vector<float> values(picture.pixels());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint8_t* const p = &picture.bytes[3 * i];
        values[i] = static_cast<float>((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
    }
    return values;
}

grey grey_of(const apps::image& picture)
{
    grey g(picture.height, picture.width, skelrt::uninitialized);
    const auto values = grey_values(picture);
    std::ranges::copy(values, skelrt::host_write(g).data());
    return g;
}

apps::image image_of(const marks& edges)
{
    apps::image picture(edges.cols(), edges.rows());
    const auto from = skelrt::host_read(edges);
    for (std::size_t i = 0; i < picture.pixels(); ++i)
        std::fill_n(&picture.bytes[3 * i], 3, static_cast<std::uint8_t>(from.data()[i] == 2 ? 255 : 0));
    return picture;
}

std::size_t pixels_on_edges(const apps::image& picture)
{
    return static_cast<std::size_t>(std::ranges::count(picture.bytes, 255)) / 3;
}

} // namespace video
