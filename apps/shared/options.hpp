#pragma once

#include "error.hpp"

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace apps
{

/// The options that every application has.
struct common_options {
    std::string device = "all"; ///< cpu, cuda, opencl, hybrid, all
    int repeat = 7;
    bool check = false;
    bool rival = false;
    std::filesystem::path picture, csv;
};

/// What an application offers beyond --device, --repeat, --check and --csv.
struct offers {
    bool rival = false;
    std::string picture; ///< what --picture shows, "write the slice to this PNG file"; empty: there is no picture
};

/// The command line of an application: the common options, and those that it adds to app(). Where an option is given
/// twice, the last one counts, so that a script's options can stand in front of its user's.
class command_line
{
public:
    /// `to` is filled by parse() and must live until then.
    command_line(const std::string& name, const std::string& about, const offers& what, common_options& to);

    CLI::App& app() { return app_; }
    /// False when all was said (--help). Throws input_error for options that are unknown or wrong.
    bool parse(int argc, const char* const* argv);

private:
    void check() const;

    CLI::App app_;
    common_options& to_;
};

/// Throws input_error, with the name of the option in front, unless low <= value <= high.
template <class T>
void check_range(const char* option, T value, T low, T high)
{
    if (!(low <= value && value <= high)) throw input_error(fmt::format("{} {}: {} to {}", option, value, low, high));
}

/// Throws input_error, with the name of the option in front, unless the folder in which `file` lies exists.
void check_folder(const std::filesystem::path& file, const std::string& option);

} // namespace apps
