// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// SKELRT_CHECK=devices: the program runs on the cores, and when its runtime ends, a table says of each of its
/// functions whether it compiles for CUDA and for OpenCL. Needs no GPU, no driver and no platform.
namespace skelrt::detail
{

/// What a compiler says of one function.
struct device_verdict {
    enum class state : std::uint8_t { compiles, translates, refused, unknown };
    state is = state::unknown; ///< translates: to OpenCL C, and nobody was there to compile it
    std::string reason;        ///< of a refusal, with the user's file and line
};

struct device_row {
    std::string function; ///< "map (app.cpp:12)"
    device_verdict cuda, opencl;
};

/// What the compilers are, or why there is none: "NVRTC 13.0 for sm_80", "no NVRTC here".
struct device_compilers {
    std::string cuda, opencl;
};

/// No line is longer than `width`; functions that are alike in all that is said share a line. Pure.
std::string as_text(const device_compilers& by, const std::vector<device_row>& rows, std::size_t width = 100);

/// Functions that some device refuses.
std::size_t count_refused(const std::vector<device_row>& rows);

/// Compiles the functions of all expressions that the process has evaluated, prints the table to stderr, and adds a
/// line to the file that `skelrt check` asks for. Some 100 ms for each function.
void print_device_table() noexcept;

} // namespace skelrt::detail
