// SPDX-License-Identifier: BSD-3-Clause
/// The command `skelrt`: what this machine offers to programs with skelrt, what was learnt on it, and what the
/// environment says.
///
/// Exit codes: 0; 1 when something is wrong that a program would meet, too; CLI11's own for a wrong command line.

#include "src/tool/calibrate/calibrate.hpp"
#include "src/tool/check.hpp"
#include "src/tool/doctor/doctor.hpp"
#include "src/tool/doctor/trial.hpp"
#include "src/tool/models.hpp"
#include "src/tool/replay/replay.hpp"
#include "src/tool/show.hpp"
#include "src/tool/trace/trace.hpp"
#include "src/tool/tune/tune.hpp"

#include <skelrt/error.hpp>
#include <skelrt/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace
{

using namespace skelrt;

int info(bool json)
{
    const tool::facts f = tool::find_facts();
    fmt::print("{}", json ? as_json(f) : as_text(f));
    return f.problem.empty() ? 0 : 1;
}

void explain(std::string_view heading, std::span<const detail::variable> all)
{
    fmt::print("{}\n", heading);
    for (const detail::variable& v : all) {
        fmt::print("  {:<24} {}\n", v.name, v.meaning);
        const auto value = detail::env_text(v.name);
        const std::string default_text = v.default_text.empty() ? "not set" : std::string(v.default_text);
        if (value) fmt::print("  {:<24} now: {} (default: {})\n", "", *value, default_text);
        else fmt::print("  {:<24} default: {}\n", "", default_text);
    }
}

int env()
{
    explain("skelrt's own", detail::skelrt_variables());
    explain("\nof StarPU, OpenMP, CUDA and OpenCL, where they matter", detail::other_variables());
    const auto complaints = detail::environment_complaints();
    for (const std::string& complaint : complaints) fmt::print(stderr, "skelrt: {}\n", complaint);
    return complaints.empty() ? 0 : 1;
}

/// Adds `models` and its own commands.
void add_models(CLI::App& app)
{
    auto* models = app.add_subcommand("models", "run times that were learnt on this machine");
    models->require_subcommand(1);
    // Options fill these, and the commands read them, while the program runs.
    static std::string name;
    static std::filesystem::path file;

    models->add_subcommand("list", "codelets, sizes, runs and times")->callback([] { tool::list_models(); });

    auto* plot = models->add_subcommand("plot", "time against size, as a picture");
    plot->add_option("NAME", name, "codelets whose name has this in it; all");
    file = "models.png";
    plot->add_option("-o,--output", file, "the PNG file")->capture_default_str();
    plot->callback([] { tool::plot_models(name, file); });

    auto* export_command =
        models->add_subcommand("export", "writes them to a file, and what calibrate measured to one beside it");
    export_command->add_option("FILE", file, "the file to write")->required();
    export_command->callback([] { tool::export_models(file); });

    auto* import_command =
        models->add_subcommand("import", "adds those of a file, of another machine, too, and what is beside it");
    import_command->add_option("FILE", file, "the file to read")->required();
    import_command->callback([] { tool::import_models(file); });

    auto* forget = models->add_subcommand("forget", "removes what was learnt");
    forget->add_option("NAME", name, "codelets whose name has this in it; all");
    forget->callback([] { tool::forget_models(name); });
}

void add_tune(CLI::App& app)
{
    static tool::tune_request request;
    auto* tune = app.add_subcommand(
        "tune", "finds an execution plan that makes the whole program faster, by running it again and again: skelrt "
                "tune APP [args...]; what does not gain is left out, and where nothing gains the plan is empty");
    tune->add_option("-o,--output", request.plan, "the file for the plan, given in front of APP")
        ->capture_default_str();
    tune->add_option("--budget", request.budget_s, "seconds that it may take, about, given in front of APP")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    tune->prefix_command(); // what follows APP is its own
    tune->callback([tune] {
        request.command = tune->remaining();
        if (request.command.empty()) throw CLI::RequiredError("APP, the program to tune,");
        tool::tune_program(request);
    });
}

void add_replay(CLI::App& app)
{
    static tool::replay_request request;
    auto* replay = app.add_subcommand(
        "replay", "how long a program would take on many ranks: SKELRT_CALLS=FILE APP, then skelrt replay FILE");
    replay->add_option("FILE", request.calls, "the recorded calls")->required();
    replay->add_option("--ranks", request.ranks, "numbers of ranks, a comma list")
        ->delimiter(',')
        ->check(CLI::Range(1u, 1u << 16))
        ->capture_default_str();
    replay->add_option("--network", request.network,
                       "a file about what lies between ranks; what is known of this machine");
    replay->add_option("--device", request.device, "that does all calls; the fastest for each")
        ->check(CLI::IsMember({"cpu", "cuda", "opencl"}));
    replay->add_option("--speed", request.speed, "nodes so many times as fast as the one that was recorded")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    replay->add_flag("--weak", request.grows, "data grows with the ranks: each has as much as what was recorded");
    replay->callback([] { tool::replay_calls(request); });
}

void add_trace(CLI::App& app)
{
    static tool::trace_request request;
    auto* trace = app.add_subcommand(
        "trace", "what a program did, where and when: SKELRT_TRACE=FILE APP, then skelrt trace FILE");
    trace->add_option("FILE", request.files, "what was written, of several ranks one file each")->required();
    trace->add_option("--png", request.picture, "also a picture: the timeline with how busy each row was");
    trace->add_option("-o,--output", request.merged, "also the files of all ranks as one, for Perfetto");
    trace->callback([] { tool::show_trace(request); });
}

/// Returns what the command ends with, once it has run.
const int& add_check(CLI::App& app)
{
    static int status = 0;
    auto* check = app.add_subcommand(
        "check", "runs a program on the cores, and says whether its functions compile for CUDA and OpenCL, with or "
                 "without such devices: skelrt check APP [args...]");
    check->prefix_command(); // what follows APP is its own
    check->callback([check] {
        if (check->remaining().empty()) throw CLI::RequiredError("APP, the program to check,");
        status = tool::check_program(check->remaining());
    });
    return status;
}

/// Returns what the command ends with, once it has run.
const int& add_doctor(CLI::App& app)
{
    static int status = 0;
    static tool::doctor::request wanted;
    static std::string question;
    auto* doctor =
        app.add_subcommand("doctor", "looks at devices, caches, models, links, cores, MPI and the environment, runs a "
                                     "small program on each device, and says what is wrong and the way out");
    doctor->add_flag("--json", wanted.json, "for programs");
    doctor->add_option("--limit", wanted.limit_s, "seconds after which a device or a driver counts as hung")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    doctor->add_option("--answer", question, "how the doctor asks a process of its own")->group("");
    doctor->callback([] {
        if (question.empty()) status = tool::doctor::examine(wanted);
        else tool::doctor::answer_question(question);
    });
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app("What this machine offers to programs with skelrt.", "skelrt");
    app.set_version_flag("--version", fmt::format("skelrt {}", version()));
    app.require_subcommand(1);
    bool json = false;
    auto* info_command = app.add_subcommand("info", "devices, versions, caches, and the environment");
    info_command->add_flag("--json", json, "for programs");
    auto* env_command =
        app.add_subcommand("env", "explains the environment variables; exit code 1 if a SKELRT_ one is unknown");
    bool network = false;
    auto* calibrate =
        app.add_subcommand("calibrate", "measures devices, memory and links, for predictions; some seconds");
    calibrate->add_flag("--network", network,
                        "what lies between ranks instead: mpirun -n 2 skelrt calibrate --network");
    calibrate->callback([&] { network ? tool::calibrate_network() : tool::calibrate(); });
    bool machine_json = false;
    auto* machine = app.add_subcommand("machine", "speeds of devices, memory and links, and where they are known from");
    machine->add_flag("--json", machine_json, "for programs");
    machine->callback([&] { tool::show_machine(machine_json); });
    add_models(app);
    add_replay(app);
    add_trace(app);
    add_tune(app);
    const int& check_status = add_check(app);
    const int& doctor_status = add_doctor(app);
    try {
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& e) {
            return app.exit(e);
        }
        if (info_command->parsed()) return info(json);
        if (env_command->parsed()) return env();
        return std::max(check_status, doctor_status); // of the one that ran
    } catch (const std::exception& e) {
        fmt::print(stderr, "skelrt: {}\n", e.what());
    }
    return 1;
}
