// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/timing.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// Whole programs as users write them, which nobody tuned: data is set up, rounds follow each other without a wait, and
/// the result is looked at once.
namespace bench
{

/// From the first round to the last one's result.
class stopwatch
{
public:
    void begin() { begun_ = now(); }
    void end() { seconds_ = now() - begun_; }
    double seconds() const { return seconds_; }

private:
    double begun_ = 0, seconds_ = 0;
};

struct user_program {
    std::string_view name;
    std::string_view what;            ///< for people
    std::array<std::size_t, 3> sizes; ///< what they count is the program's own matter
    /// Computes, and returns a number that is the same on all devices, but for rounding.
    double (*run)(std::size_t size, stopwatch& rounds);
};

/// Each in a file of its own.
std::span<const user_program> stream_programs();
std::span<const user_program> image_programs();
std::span<const user_program> grid_programs();
std::span<const user_program> linear_programs();
std::span<const user_program> particle_programs();
std::span<const user_program> graph_programs();
std::span<const user_program> table_programs();
std::span<const user_program> farm_programs();

std::vector<user_program> all_user_programs();

} // namespace bench
