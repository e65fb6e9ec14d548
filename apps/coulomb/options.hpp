#pragma once

#include "grid.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace coulomb
{

struct options {
    std::filesystem::path input;        ///< empty: the water box in the data folder
    std::array<int, 3> copies{1, 1, 1}; ///< of the periodic box
    extents grid{128, 128, 128};
    std::string device = "all"; ///< cpu, cuda, opencl, hybrid, all
    int repeat = 7;
    bool check = false;
    bool rival = false;
    std::optional<std::size_t> slice; ///< z index; the middle if there is none
    std::filesystem::path picture, csv;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

/// "64" or "64,32,16". Throws input_error, with `name` in front.
extents parse_extents(const std::string& text, const std::string& name, std::size_t largest);

} // namespace coulomb
