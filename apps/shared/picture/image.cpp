// SPDX-License-Identifier: BSD-3-Clause
#include "image.hpp"

#include "apps/shared/program/error.hpp"

#include <skelrt/cluster.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

namespace apps
{
namespace
{

constexpr std::size_t most_pixels = std::size_t{1} << 30;

png_image empty_png()
{
    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    return png;
}

/// Frees what libpng holds, and says what went wrong.
[[noreturn]] void fail(const std::filesystem::path& file, const char* what, png_image& png)
{
    const auto text = fmt::format("{}: {}: {}", file.string(), what, png.message);
    png_image_free(&png);
    throw input_error(text);
}

} // namespace

std::uint8_t byte_of(float value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

image read_png(const std::filesystem::path& file)
{
    png_image png = empty_png();
    if (!png_image_begin_read_from_file(&png, file.c_str())) fail(file, "cannot be read as a PNG file", png);
    if (static_cast<std::size_t>(png.width) * png.height > most_pixels) fail(file, "has too many pixels", png);
    png.format = PNG_FORMAT_RGB;
    image result(png.width, png.height);
    const png_color white{255, 255, 255};
    if (!png_image_finish_read(&png, &white, result.bytes.data(), 0, nullptr))
        fail(file, "cannot be read as a PNG file", png);
    return result;
}

void write_png(const std::filesystem::path& file, const image& picture)
{
    if (skelrt::rank() > 0) return;
    png_image png = empty_png();
    png.width = static_cast<png_uint_32>(picture.width);
    png.height = static_cast<png_uint_32>(picture.height);
    png.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&png, file.c_str(), 0, picture.bytes.data(), 0, nullptr))
        fail(file, "cannot be written", png);
}

image halves(const image& left, const image& right)
{
    image result = right;
    const std::size_t middle = result.width / 2, line = std::max<std::size_t>(1, result.width / 512);
    for (std::size_t y = 0; y < result.height; ++y) {
        std::copy_n(left.at(0, y), 3 * middle, result.at(0, y));
        std::fill_n(result.at(middle, y), 3 * std::min(line, result.width - middle), std::uint8_t{255});
    }
    return result;
}

image shrunk(const image& picture, std::size_t factor)
{
    image result((picture.width + factor - 1) / factor, (picture.height + factor - 1) / factor);
    for (std::size_t y = 0; y < result.height; ++y)
        for (std::size_t x = 0; x < result.width; ++x) {
            const std::size_t right = std::min(picture.width, (x + 1) * factor),
                              bottom = std::min(picture.height, (y + 1) * factor);
            std::size_t sum[3] = {}, count = 0;
            for (std::size_t v = y * factor; v < bottom; ++v)
                for (std::size_t u = x * factor; u < right; ++u, ++count)
                    for (std::size_t c = 0; c < 3; ++c) sum[c] += picture.at(u, v)[c];
            for (std::size_t c = 0; c < 3; ++c)
                result.at(x, y)[c] = static_cast<std::uint8_t>((sum[c] + count / 2) / count);
        }
    return result;
}

} // namespace apps
