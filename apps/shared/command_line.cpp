// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace apps
{
namespace
{

constexpr int most_runs = 1'000'000;

void check_device(const std::string& name)
{
    for (const char* known : {"cpu", "cuda", "opencl", "hybrid", "all"})
        if (name == known) return;
    throw input_error(fmt::format("--device {}: it is one of cpu, cuda, opencl, hybrid, all", name));
}

} // namespace

command_line::command_line(const std::string& name, const std::string& about, const offers& what, common_options& to)
    : option_list(std::make_shared<CLI::App>(about, name)), to_(to)
{
    app().option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    option("--device", to.device, "cpu, cuda, opencl, hybrid (all at once), or all: each that is there, then hybrid");
    option("--repeat", to.repeat, "timed runs per device, after two that are not timed");
    flag("--check", to.check, "compare with an independent reference; exit code 1 if they differ");
    if (what.rival) flag("--rival", to.rival, "also run a hand-written CUDA program of the same algorithm and compare");
    if (!what.picture.empty()) without_default("--picture", to.picture, what.picture);
    without_default("--csv", to.csv, "write the measurements to this CSV file");
    app().footer(
        "Exit codes: 0 all well; 1 the check failed, or a device did; 2 a wrong option, file, size or device.");
}

bool command_line::parse(int argc, const char* const* argv)
{
    try {
        app().parse(argc, argv);
    } catch (const CLI::Success& e) { // --help
        app().exit(e);
        return false;
    } catch (const CLI::ParseError& e) {
        throw input_error(fmt::format("{} ({} --help)", e.what(), app().get_name()));
    }
    check();
    return true;
}

void command_line::check() const
{
    check_device(to_.device);
    if (to_.repeat < 1 || to_.repeat > most_runs) throw input_error("--repeat: at least one run, at most a million");
    check_folder(to_.picture, "--picture");
    check_folder(to_.csv, "--csv");
}

} // namespace apps
