// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "error.hpp"

#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace apps
{

/// The options that every application has.
struct common_options {
    std::string device = "all"; ///< cpu, cuda, opencl, hybrid, all
    int repeat = 7;
    int untimed =
        2; ///< runs before: kernels are built, data comes to the devices, models see a first and a second time
    bool check = false;
    bool rival = false;
    std::filesystem::path picture, csv;
};

/// Throws input_error, with the name of the option in front, unless low <= value <= high.
template <class T>
void check_range(const std::string& option, T value, T low, T high)
{
    if (!(low <= value && value <= high)) throw input_error(fmt::format("{} {}: {} to {}", option, value, low, high));
}

/// Throws input_error, with the name of the option in front, unless the folder in which `file` lies exists.
void check_folder(const std::filesystem::path& file, const std::string& option);

} // namespace apps
