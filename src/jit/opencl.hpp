// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CL/cl.h>

#include <string>
#include <string_view>

/// OpenCL C text to programs.
namespace skelrt::detail::opencl
{

/// "CL_OUT_OF_RESOURCES (-5)".
std::string error_name(cl_int code);

/// Throws error when an OpenCL function failed; `function` is its name, `what` the call that the user made.
void check(cl_int code, std::string_view function, std::string_view what);

/// A string property of a device.
std::string device_text(cl_device_id device, cl_device_info property);

/// A number property of a device.
template <class Number>
Number device_number(cl_device_id device, cl_device_info property)
{
    Number value{};
    check(clGetDeviceInfo(device, property, sizeof(value), &value, nullptr), "clGetDeviceInfo", "a device query");
    return value;
}

/// Builds the text for a device, or takes the binary from the cache on disk: some 100 ms and about 1 ms. A binary that
/// the driver refuses is built anew and replaced. Throws function_error with the compiler's log, in which the places
/// are those of the #line directives in the text. The caller owns the program. Thread-safe.
cl_program build_program(cl_context context, cl_device_id device, const std::string& source, const std::string& options,
                         std::string_view what);

/// The program of the cache on disk; null: it has none that works. About a millisecond.
cl_program find_program(cl_context context, cl_device_id device, const std::string& source, const std::string& options);

/// Times since the start of the process that a compiler really ran.
unsigned compiler_runs();

} // namespace skelrt::detail::opencl
