// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "error.hpp"
#include "program.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace apps
{
namespace
{

constexpr int most_runs = 1'000'000;

} // namespace

command_line::command_line(const std::string& name, const std::string& about, const offers& what, common_options& to)
    : option_list(std::make_shared<CLI::App>(about, name)), name_(name), to_(to)
{
    app().option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    choice("--device", to.device, {"cpu", "cuda", "opencl", "hybrid", "all"},
           "cpu, cuda, opencl, hybrid (all at once), or all: each that is there, then hybrid");
    option("--repeat", to.repeat, "timed runs per device");
    option("--untimed", to.untimed, "runs before them that are not timed");
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
    check_common();
    for (const auto& rule : checks_) rule();
    return true;
}

void command_line::choice(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                          const std::string& help)
{
    option(name, to, help);
    check([name, &to, choices] {
        if (std::ranges::find(choices, to) == choices.end())
            throw input_error(fmt::format("{} {}: it is one of {}", name, to, fmt::join(choices, ", ")));
    });
}

void command_line::check_common() const
{
    if (to_.repeat < 1 || to_.repeat > most_runs) throw input_error("--repeat: at least one run, at most a million");
    if (to_.untimed < 0 || to_.untimed > most_runs) throw input_error("--untimed: no run, or at most a million");
    check_folder(to_.picture, "--picture");
    check_folder(to_.csv, "--csv");
}

int run_program(command_line& line, int argc, const char* const* argv, const std::function<int()>& body)
{
    return run_program(line.name(), [&] { return line.parse(argc, argv) ? body() : static_cast<int>(all_well); });
}

} // namespace apps
