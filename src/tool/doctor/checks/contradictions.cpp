// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/variables.hpp"

#include <fmt/format.h>

#include <string_view>

namespace skelrt::tool::doctor
{

namespace
{

constexpr const char* about = "environment";

bool is(const variables& set, std::string_view name, std::string_view value) { return value_of(set, name) == value; }
bool has(const variables& set, std::string_view name) { return !value_of(set, name).empty(); }

std::string text(const variables& set, std::string_view name)
{
    return fmt::format("{}={}", name, value_of(set, name));
}

/// A kind of GPU, and the variable for how many.
struct gpu_kind {
    std::string_view kind, count;
};
constexpr gpu_kind gpus[] = {{"cuda", "STARPU_NCUDA"}, {"opencl", "STARPU_NOPENCL"}};

void check_cores(findings& to, const variables& set)
{
    for (const std::string_view count : {"STARPU_NCPU", "STARPU_NCPUS"})
        if (is(set, count, "0"))
            to.push_back(wrong(about,
                               fmt::format("{}=0{}: every program needs one core, also beside GPUs", count,
                                           has(set, "SKELRT_DEVICES") ? " with " + text(set, "SKELRT_DEVICES") : ""),
                               fmt::format("{}=1, or unset it; SKELRT_DEVICES=cuda keeps calls off the cores", count)));
    if (has(set, "STARPU_NCPU") && has(set, "STARPU_NCPUS") && !is(set, "STARPU_NCPU", value_of(set, "STARPU_NCPUS")))
        to.push_back(warn(about, fmt::format("{} wins over {}", text(set, "STARPU_NCPU"), text(set, "STARPU_NCPUS")),
                          "unset STARPU_NCPUS, the old name"));
    if (has(set, "STARPU_WORKERS_CPUID") && has(set, "STARPU_WORKERS_COREID"))
        to.push_back(warn(about, "STARPU_WORKERS_CPUID wins over STARPU_WORKERS_COREID", "unset one of them"));
}

void check_gpus(findings& to, const variables& set)
{
    for (const auto& [kind, count] : gpus) {
        const bool named = has(set, "SKELRT_DEVICES") && allows(set, kind);
        if (named && is(set, count, "0"))
            to.push_back(wrong(
                about, fmt::format("{} asks for {}, and {}=0 leaves none", text(set, "SKELRT_DEVICES"), kind, count),
                fmt::format("unset {}, or take {} out of SKELRT_DEVICES", count, kind)));
        if (!allows(set, kind) && has(set, count) && !is(set, count, "0"))
            to.push_back(warn(
                about,
                fmt::format("{} has no effect: {} leaves {} out", text(set, count), text(set, "SKELRT_DEVICES"), kind),
                fmt::format("unset {}, or add {} to SKELRT_DEVICES", count, kind)));
    }
    if (is(set, "SKELRT_OPENCL_ON_CPU", "1") && !allows(set, "opencl"))
        to.push_back(
            warn(about,
                 fmt::format("SKELRT_OPENCL_ON_CPU=1 has no effect: {} leaves opencl out", text(set, "SKELRT_DEVICES")),
                 "add opencl to SKELRT_DEVICES, or unset SKELRT_OPENCL_ON_CPU"));
}

void check_placement(findings& to, const variables& set)
{
    const std::string policy = value_of(set, "STARPU_SCHED");
    if (has(set, "SKELRT_STATIC_DEVICE") && policy != "static-device")
        to.push_back(warn(about,
                          text(set, "SKELRT_STATIC_DEVICE") + " has no effect without STARPU_SCHED=static-device",
                          "set STARPU_SCHED=static-device, or unset SKELRT_STATIC_DEVICE"));
    else if (has(set, "SKELRT_STATIC_DEVICE") && !allows(set, value_of(set, "SKELRT_STATIC_DEVICE")))
        to.push_back(warn(
            about,
            fmt::format("{}, but {} leaves it out", text(set, "SKELRT_STATIC_DEVICE"), text(set, "SKELRT_DEVICES")),
            "make them agree"));
    if (!policy.empty() && policy != "skelrt" && has(set, "SKELRT_PLAN"))
        to.push_back(warn(
            about, fmt::format("{} has no effect: STARPU_SCHED={} wins over plans", text(set, "SKELRT_PLAN"), policy),
            "unset one of them"));
}

/// A base of folders that one library takes and another does not.
void check_home(findings& to, const variables& set)
{
    const std::string base = value_of(set, "XDG_CACHE_HOME");
    if (!base.empty() && base[0] != '/')
        to.push_back(
            warn(about, fmt::format("XDG_CACHE_HOME={} does not begin with /: StarPU takes it, skelrt does not", base),
                 "give the whole path"));
}

struct costly {
    std::string_view name, value; ///< "*": any
    std::string_view effect;
};
constexpr costly slower[] = {
    {"SKELRT_CHECK", "*", "programs are checked while they run, which takes time"},
    {"SKELRT_SEQUENTIAL", "1", "items of farms run one after the other"},
    {"SKELRT_FUSION", "0", "nested calls run one after the other"},
    {"SKELRT_BATCH", "1", "each small call is a task of its own"},
    {"SKELRT_GRAPHS", "0", "each kernel of a batch is launched by itself"},
    {"SKELRT_BUILDS", "first", "calls wait until kernels are built"},
    {"SKELRT_EPISODES", "0", "what calls between two waits took is not learnt from"},
    {"SKELRT_CLUSTER_CHECK", "2", "ranks wait for each other at each call"},
    {"SKELRT_LOG", "debug", "each decision is written down"},
    {"SKELRT_LOG", "trace", "each task is written down"},
    {"SKELRT_CHECK_CUDA", "*", "every kernel is also compiled for that architecture"},
    {"STARPU_FXT_TRACE", "1", "StarPU writes a trace"},
    {"STARPU_DISABLE_ASYNCHRONOUS_COPY", "1", "copies wait for each other"},
    {"STARPU_DISABLE_PINNING", "1", "copies to GPUs are slower"},
    {"STARPU_LIMIT_MAX_SUBMITTED_TASKS", "*", "programs wait when so many tasks are under way"},
};

void check_costs(findings& to, const variables& set)
{
    for (const costly& c : slower) {
        const std::string value = value_of(set, c.name);
        if (value.empty() || (c.value != "*" && value != c.value)) continue;
        to.push_back(warn(about, fmt::format("{}={}: {}", c.name, value, c.effect),
                          fmt::format("unset {} where speed counts", c.name)));
    }
    for (const auto& [name, command] : {std::pair{"SKELRT_TRIAL", "tune"}, std::pair{"SKELRT_CHECK_REPORT", "check"}})
        if (has(set, name))
            to.push_back(warn(
                about,
                fmt::format("{}, which `skelrt {}` sets for the programs that it starts", text(set, name), command),
                fmt::format("unset {}", name)));
}

} // namespace

findings check_contradictions(const variables& set)
{
    findings all;
    check_cores(all, set);
    check_gpus(all, set);
    check_placement(all, set);
    check_home(all, set);
    check_costs(all, set);
    return all;
}

} // namespace skelrt::tool::doctor
