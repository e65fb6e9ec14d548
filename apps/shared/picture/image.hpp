// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace apps
{

/// A picture of 8-bit sRGB pixels, row by row from the top: r, g, b, r, g, b, ...
struct image {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> bytes;

    image() = default;
    image(std::size_t width, std::size_t height) : width(width), height(height), bytes(width * height * 3) {}
    std::size_t pixels() const { return width * height; }
    std::uint8_t* at(std::size_t x, std::size_t y) { return &bytes[(y * width + x) * 3]; }
    const std::uint8_t* at(std::size_t x, std::size_t y) const { return &bytes[(y * width + x) * 3]; }
};

/// 0 to 1 becomes 0 to 255, rounded; what lies outside is cut off.
std::uint8_t byte_of(float value);

/// Any PNG file; grey becomes three equal colours, transparency lies on white. Throws input_error with the file's name.
image read_png(const std::filesystem::path& file);

/// Throws input_error with the file's name if it cannot be written. Of several ranks the first writes it.
void write_png(const std::filesystem::path& file, const image& picture);

/// The left half of one picture and the right half of another of the same size, with a line between them.
image halves(const image& left, const image& right);

/// The mean of blocks of `factor` x `factor` pixels; blocks at the right and lower edge may be smaller.
image shrunk(const image& picture, std::size_t factor);

} // namespace apps
