// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Runs of the program that `skelrt tune` is about.
namespace skelrt::tool
{

/// A folder for files of the runs; gone afterwards.
class scratch_folder
{
public:
    scratch_folder();
    ~scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    std::filesystem::path file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/// What one run is told. An empty file: its variable is not set.
struct program_run {
    std::filesystem::path plan;   ///< SKELRT_PLAN
    std::filesystem::path survey; ///< SKELRT_TRIAL
    std::filesystem::path said;   ///< for its stderr; what it prints otherwise goes nowhere
    double limit_s;               ///< then it and what it started are killed; infinity: never
};

struct run_ending {
    bool stopped = false; ///< by the limit
    int status = 0;       ///< exit code; 128 + the signal that ended it
    double seconds = 0;   ///< of the whole process
};

/// Throws error if no process can be started. A program that cannot be started ends with 127.
run_ending run_program(const std::vector<std::string>& command, const program_run& how);

/// As a shell takes it for one word.
std::string quoted_for_shell(const std::string& word);

} // namespace skelrt::tool
