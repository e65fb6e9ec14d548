// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/policies/app_runs.hpp"

#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

/// Every application under every scheduling policy, by processes.
namespace bench
{
namespace
{

namespace fs = std::filesystem;

struct options {
    std::string device = "hybrid", folder, policy, app;
    int most_seconds = 60, stride = 1;
};

fs::path folder_of(const options& o) { return o.folder.empty() ? folder_of_applications() : fs::path(o.folder); }

std::vector<app_run> chosen_apps(const options& o)
{
    std::vector<app_run> apps;
    for (const app_run& a : app_runs())
        if (o.app.empty() || o.app == a.name) apps.push_back(a);
    if (apps.empty()) throw std::runtime_error("no application is called " + o.app);
    for (const app_run& a : apps)
        if (!has_app(a, folder_of(o)))
            throw std::runtime_error(
                fmt::format("{} is not in {}; say where by --apps", a.name, folder_of(o).string()));
    return apps;
}

std::vector<std::string> chosen_policies(const options& o)
{
    std::vector<std::string> policies = all_policies();
    if (o.policy.empty()) return policies;
    if (std::ranges::find(policies, o.policy) == policies.end())
        throw std::runtime_error("no policy is called " + o.policy);
    return {o.policy};
}

void print_head(const std::vector<app_run>& apps)
{
    fmt::print("{:<31}", "");
    for (const app_run& a : apps) fmt::print(" {:>12}", a.name);
    fmt::print("\n");
}

/// A row of seconds; a dash: not in this run.
std::vector<std::string> run_row(report& out, const std::string& policy, std::size_t number,
                                 const std::vector<app_run>& apps, const options& o, const fs::path& scratch)
{
    std::vector<std::string> failed;
    std::string cells;
    for (std::size_t a = 0; a < apps.size(); ++a) {
        if ((a + number) % static_cast<std::size_t>(o.stride) != 0) {
            cells += fmt::format(" {:>12}", "-");
            continue;
        }
        const app_end end = run_app(apps[a], policy, o.device, folder_of(o), scratch, o.most_seconds);
        cells += fmt::format(" {:>12}", end.trouble.empty() ? fmt::format("{:.2f} s", end.seconds) : "failed");
        out.keep_row(apps[a].name, policy, summarize({end.seconds}));
        if (!end.trouble.empty()) failed.push_back(fmt::format("{} under {}: {}", apps[a].name, policy, end.trouble));
    }
    fmt::print("{:<31}{}\n", policy, cells);
    std::fflush(stdout);
    return failed;
}

int policies(report& out, const options& o)
{
    const temporary_folder scratch;
    const std::vector<app_run> apps = chosen_apps(o);
    out.note(fmt::format("small problems of all applications on {}, a process each, every call in several tasks: "
                         "seconds from its start to its end, and whether its results were right",
                         o.device));
    print_head(apps);
    std::vector<std::string> failed;
    std::size_t number = 0;
    for (const std::string& policy : chosen_policies(o))
        for (std::string& what : run_row(out, policy, number++, apps, o, scratch.path()))
            failed.push_back(std::move(what));
    for (const std::string& what : failed) out.warn(what);
    out.figure("apps_policies_failed", static_cast<double>(failed.size()));
    return failed.empty() ? 0 : 1;
}

} // namespace

runner declare_policies(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.one_of("--device", o->device, {"cpu", "cuda", "opencl", "hybrid"}, "of all applications");
    line.without_default("--apps", o->folder, "the folder of the applications, if they are not where they were built");
    line.without_default("--policy", o->policy, "only this one");
    line.without_default("--app", o->app, "only this one");
    line.positive("--most", o->most_seconds, "seconds that an application may take");
    line.positive("--stride", o->stride, "each policy runs one of so many applications, each its own: a quick look");
    return [o](report& out) { return policies(out, *o); };
}

} // namespace bench
