// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Benchmarks that measure whole processes.
namespace bench
{

/// The file of this program, for commands that start it again.
std::string own_program();

/// Where a build has the applications, seen from this program.
std::filesystem::path folder_of_applications();
/// An application's program: of those that are all in one folder, or one a folder there. Empty: it is not there.
std::filesystem::path application_in(const std::filesystem::path& folder, std::string_view name);

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
