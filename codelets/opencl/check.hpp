// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>

/// Whether OpenCL can do a call, on machines where nothing uses it.
namespace skelrt::detail::opencl
{

/// The device whose compiler check() asks, with its platform: a GPU if there is one; empty: there is no device.
std::string device_for_checks();

/// Translates the functions, and compiles all kernels of the recipe where there is a device: returns whether there is
/// one. Throws function_error with the user's file and line if OpenCL cannot do it.
bool check(const recipe& what);

} // namespace skelrt::detail::opencl
