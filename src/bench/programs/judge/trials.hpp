// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/programs/user_program.hpp"

#include <filesystem>
#include <functional>
#include <string>

/// Programs as processes.
namespace bench
{

/// One run of a program: a process of its own.
struct trial {
    double seconds = 0; ///< of its rounds
    double result = 0;
};

/// What a process finds, and what it leaves.
struct process_files {
    std::filesystem::path models;  ///< what it has learnt, and learns; "none": nothing
    std::filesystem::path log{};   ///< its decisions and its summary; empty: none
    std::filesystem::path trace{}; ///< empty: none
};

/// A program of one size, which runs as a process of its own on a kind of device (cpu, cuda, opencl) or on several
/// (hybrid, all).
struct judged_program {
    std::string name, size;
    std::function<std::string(const std::string& device)> command;
    /// Of what it has printed. Throws if that tells no time.
    std::function<trial(const std::vector<std::string>& lines)> read;

    /// Throws if the process fails.
    trial run(const std::string& device, const process_files& files) const;
};

/// On a device, in this process; prints what the judged program reads.
int run_here(const user_program& program, std::size_t size, const std::string& device);

judged_program judged(const user_program& program, std::size_t size);

} // namespace bench
