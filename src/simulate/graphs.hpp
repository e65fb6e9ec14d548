// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

/// What skelrt-simulate plays.
namespace simulate
{

/// How much smaller than the sizes that were measured: each side of a matrix is halved so many times.
struct scale {
    unsigned halvings = 0;
    std::size_t side(std::size_t measured) const { return measured >> halvings; }
    std::size_t elements(std::size_t measured) const { return measured >> 2 * halvings; } ///< of a vector
};

struct graph {
    std::string name;
    void (*play)(const std::string& name, scale of); ///< and prints how long it took: timed.hpp
};

/// Calls by themselves, and repeated.
std::span<const graph> loops();
/// What the applications compute, at sizes that were measured on a node with a GPU.
std::span<const graph> applications();

} // namespace simulate
