// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/ask.hpp"

#include "src/cluster/start/open_peers.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/tool/doctor/child.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include <unistd.h>

namespace skelrt::tool::doctor
{

namespace
{

namespace fs = std::filesystem;
using json = nlohmann::json;

device kind_named(const std::string& name)
{
    for (const device d : {device::cuda, device::opencl})
        if (name == detail::kind_text(d)) return d;
    return device::cpu;
}

std::vector<device_info> devices_in(const json& all)
{
    std::vector<device_info> devices;
    for (const json& d : all)
        devices.push_back({kind_named(d.at("kind")), d.at("number"), d.at("name"), d.at("cores"), d.at("memory")});
    return devices;
}

std::vector<detail::opencl_platform> platforms_in(const json& all)
{
    std::vector<detail::opencl_platform> platforms;
    for (const json& p : all) {
        detail::opencl_platform platform{p.at("name"), "", {}};
        for (const json& d : p.at("devices")) platform.devices.push_back({d.at("name"), "", d.at("cpu"), 0});
        platforms.push_back(std::move(platform));
    }
    return platforms;
}

/// The first folder in PATH that has such a program; empty: none has.
std::string in_path(const std::string& program)
{
    std::istringstream folders(detail::env_text("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path file = fs::path(folder) / program;
        std::error_code none;
        if (fs::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0) return file.string();
    }
    return {};
}

/// The small programs are about a device: what else may be set is looked at elsewhere.
changes for_trials()
{
    return {{"SKELRT_CHECK", "functions"}, {"SKELRT_MODELS", "none"},   {"SKELRT_PLAN", ""}, {"SKELRT_TRIAL", ""},
            {"SKELRT_CALLS", ""},          {"SKELRT_CHECK_REPORT", ""}, {"STARPU_SCHED", ""}};
}

changes only(const std::string& kind)
{
    changes c{{"SKELRT_DEVICES", kind}};
    if (kind != "cuda") c.emplace_back("CUDA_VISIBLE_DEVICES", "-1");
    if (kind != "opencl") c.emplace_back("OCL_ICD_VENDORS", "/nowhere");
    return c;
}

} // namespace

struct questions::reply {
    std::string problem;
    json said = json::object();
    std::string refused() const { return said.value("refused", ""); }
};

questions::questions(double limit_s, const variables& unreadable) : limit_s_(limit_s)
{
    std::error_code none;
    self_ = fs::read_symlink("/proc/self/exe", none).string();
    if (none) throw error(fmt::format("/proc/self/exe, this program's file, cannot be read: {}", none.message()));
    for (const auto& [name, says] : unreadable) hidden_.push_back(name);
}

questions::reply questions::ask(const std::string& question, double limit_s, const changes& more) const
{
    child c{{self_, "doctor", "--answer", question}, {}, limit_s};
    for (const std::string& name : hidden_) c.environment[name] = std::nullopt;
    c.environment["SKELRT_CLUSTER"] = "off"; // what a launcher says is about this process
    for (const auto& [name, value] : more) {
        if (value.empty()) c.environment[name] = std::nullopt;
        else c.environment[name] = value;
    }
    const ending e = run(c);
    reply r{problem_of(e, limit_s)};
    if (!r.problem.empty()) return r;
    r.said = json::parse(e.answer, nullptr, false);
    if (!r.said.is_object()) return {"it ended without an answer"};
    return r;
}

start_facts questions::start(bool known, const std::string& alone) const
{
    constexpr double longer = 5; // every link, both ways, from every core's memory
    const reply r = ask("start", known ? limit_s_ : longer * limit_s_, alone.empty() ? changes{} : only(alone));
    start_facts f;
    f.problem = r.problem;
    f.refused = r.refused();
    if (!f.problem.empty() || !f.refused.empty()) return f;
    f.devices = devices_in(r.said.at("devices"));
    f.policy = r.said.at("policy");
    f.workers = r.said.at("workers").get<std::vector<int>>();
    f.known = detail::machine_from_json(r.said.at("known"));
    return f;
}

cuda_facts questions::cuda() const
{
    const reply r = ask("cuda", limit_s_);
    cuda_facts f;
    f.problem = r.problem + r.refused();
    if (f.problem.empty())
        f.versions = {r.said.at("built_in"), r.said.at("driver"), r.said.at("runtime"), r.said.at("nvrtc")};
    return f;
}

opencl_facts questions::opencl() const
{
    const reply r = ask("opencl", limit_s_);
    opencl_facts f;
    f.problem = r.problem + r.refused();
    if (!f.problem.empty()) return f;
    f.built_in = r.said.at("built_in");
    f.platforms = platforms_in(r.said.at("platforms"));
    return f;
}

trial questions::try_device(const device_info& d, bool alone) const
{
    trial t;
    t.device = d.kind == device::cpu ? "cpu" : fmt::format("{} {}", detail::kind_text(d.kind), d.number);
    t.name = d.name;
    changes c = for_trials();
    if (alone)
        for (auto& change : only(detail::kind_text(d.kind))) c.push_back(std::move(change));
    const reply r = ask(t.device, limit_s_, c);
    t.problem = r.problem;
    t.refused = r.refused();
    t.differs = r.said.value("differs", "");
    t.first_call_ms = r.said.value("first_call_ms", 0.0);
    t.memory = r.said.value("memory", 0.0);
    t.to = r.said.value("to", 0.0);
    t.from = r.said.value("from", 0.0);
    t.not_measured = r.said.value("not_measured", "");
    return t;
}

rank_facts questions::ranks() const
{
    const reply r = ask("mpi", limit_s_);
    rank_facts f;
    f.problem = r.problem + r.refused();
    f.library = detail::peers_library();
    f.not_loaded = r.said.value("not_loaded", "");
    f.its = r.said.value("its", "");
    f.ours = r.said.value("ours", "");
    f.mpi = r.said.value("mpi", "");
    f.asked_for =
        detail::env_text("SKELRT_CLUSTER").value_or("") == "mpi" || detail::env_text("SKELRT_CLUSTER_LIBRARY");
    f.launcher = in_path("mpirun");
    if (f.launcher.empty()) return f;
    const ending e = run({{f.launcher, "--version"}, {}, limit_s_});
    f.launcher_is = e.said;
    return f;
}

} // namespace skelrt::tool::doctor
