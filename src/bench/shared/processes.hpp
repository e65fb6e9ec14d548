// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Benchmarks that measure whole processes.
namespace bench
{

/// The file of this program, for commands that start it again.
std::string own_program();

/// What a command of the shell prints, a line each. Throws std::runtime_error if it cannot be started.
std::vector<std::string> lines_of(const std::string& command);

/// A folder that goes when this does.
class temporary_folder
{
public:
    temporary_folder();
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace bench
