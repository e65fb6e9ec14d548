// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"
#include "src/program/strand.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace skelrt::detail
{

enum class data_use : std::uint8_t {
    reads,
    writes,
    commutes, ///< writes, in any order with others that do
};

/// Who used a container lately, and whether that is ordered. Thread-safe; knows nothing of containers.
class use_history
{
public:
    struct use {
        rectangle part;
        data_use how;
        moment when;
        std::string by; ///< "map (main.cpp:12)"
    };
    /// One that conflicts with this one, and is not ordered with it. None: this one is remembered, and so many others.
    std::optional<use> add(const use& u);
    static constexpr std::size_t most = 64;

private:
    std::mutex guard_;
    std::vector<use> lately_; ///< the oldest first
};

} // namespace skelrt::detail
