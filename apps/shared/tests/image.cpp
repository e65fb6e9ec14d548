// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/picture/image.hpp"
#include "apps/shared/program/error.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace apps;

namespace
{

/// A file that is gone at the end of a test.
struct temporary {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("apps_image_" + std::to_string(getpid()) + ".png");
    ~temporary() { std::filesystem::remove(path); }
};

image gradient(std::size_t width, std::size_t height)
{
    image i(width, height);
    for (std::size_t k = 0; k < i.bytes.size(); ++k) i.bytes[k] = static_cast<std::uint8_t>(7 * k);
    return i;
}

} // namespace

TEST_CASE("a PNG file gives back what was written", "[image]")
{
    const temporary file;
    const image written = gradient(7, 5);
    write_png(file.path, written);
    const image read = read_png(file.path);
    CHECK(read.width == 7);
    CHECK(read.height == 5);
    CHECK(read.bytes == written.bytes);
}

TEST_CASE("files that cannot be read or written are named", "[image]")
{
    CHECK_THROWS_WITH(write_png("/nowhere/at/all.png", gradient(2, 2)), Catch::Contains("/nowhere/at/all.png"));
    CHECK_THROWS_AS(read_png("/nowhere/at/all.png"), input_error);
    const temporary file;
    std::ofstream(file.path) << "this is no picture";
    CHECK_THROWS_WITH(read_png(file.path), Catch::Contains("cannot be read as a PNG file"));
}

TEST_CASE("a shrunk picture has the means of blocks, smaller ones at the edges", "[image]")
{
    image i(3, 3);
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 3; ++x) i.at(x, y)[1] = static_cast<std::uint8_t>(10 * x + 100 * (y == 2));
    const image s = shrunk(i, 2);
    REQUIRE(s.width == 2);
    REQUIRE(s.height == 2);
    CHECK(s.at(0, 0)[1] == 5);
    CHECK(s.at(1, 0)[1] == 20);
    CHECK(s.at(1, 1)[1] == 120);
    CHECK(s.at(1, 1)[0] == 0);
}

TEST_CASE("colours become bytes by rounding, and are cut off", "[image]")
{
    CHECK(byte_of(-1) == 0);
    CHECK(byte_of(0.5f) == 128);
    CHECK(byte_of(2) == 255);
}
