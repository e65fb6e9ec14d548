// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <exception>

/// What plugin.cpp gives to plugins.cpp: data that its calls have made, and an error that names one of them.
struct plugin_work {
    skelrt::vector<int> made;
    int sum = 0;
    std::exception_ptr error;
};

using plugin_function = void(plugin_work&, const skelrt::vector<int>&);
