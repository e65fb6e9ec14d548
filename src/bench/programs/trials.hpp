// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/programs/user_program.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bench
{

/// One run of a program: a process of its own.
struct trial {
    double seconds = 0; ///< of its rounds
    double result = 0;
};

/// On one kind of device (cpu, cuda, opencl) or on several (hybrid, all), in this process; prints what trial_of()
/// reads.
int run_here(const user_program& program, std::size_t size, const std::string& device);

/// Runs a program in a process that has learnt what is in `models`, and leaves there what it learns. `log`: a file for
/// its decisions and its summary; empty: none. Throws if the process fails.
trial trial_of(const user_program& program, std::size_t size, const std::string& device,
               const std::filesystem::path& models, const std::filesystem::path& log = {});

} // namespace bench
