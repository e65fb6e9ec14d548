// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

/// What skelrt-simulate plays.
namespace simulate
{

struct graph {
    std::string name;
    void (*play)(const std::string& name); ///< and prints how long it took: timed.hpp
};

/// Calls by themselves, and repeated.
std::span<const graph> loops();
/// What the applications compute, at sizes that were measured on a node with a GPU.
std::span<const graph> applications();

} // namespace simulate
