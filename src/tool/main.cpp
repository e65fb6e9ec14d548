/// The command `skelrt`: what this machine offers to programs with skelrt, and what the environment says.
///
/// Exit codes: 0; 1 when something is wrong that a program would meet, too; CLI11's own for a wrong command line.

#include "src/tool/show.hpp"

#include <skelrt/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>

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
    CLI11_PARSE(app, argc, argv);
    try {
        if (info_command->parsed()) return info(json);
        if (env_command->parsed()) return env();
    } catch (const std::exception& e) {
        fmt::print(stderr, "skelrt: {}\n", e.what());
    }
    return 1;
}
