// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/devices.hpp"

#include "src/model/files/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace skelrt::tool::doctor
{

namespace
{

/// StarPU asks all drivers that it finds, whatever devices are wanted: one that fails has to be hidden.
std::string how_to_hide(const std::string& kind)
{
    return kind == "cuda" ? "CUDA_VISIBLE_DEVICES=-1 hides the GPUs from CUDA"
                          : "OCL_ICD_VENDORS=/nowhere hides all OpenCL drivers";
}

std::string summary(const std::vector<device_info>& devices)
{
    std::string text;
    for (const device_info& d : devices) {
        text += text.empty() ? "" : ", ";
        if (d.kind == device::cpu) text += fmt::format("cpu ({} core{})", d.cores, d.cores == 1 ? "" : "s");
        else text += fmt::format("{} {}", detail::kind_text(d.kind), d.number);
    }
    return text;
}

/// "13.0" -> 13.
int major_of(const std::string& version) { return std::atoi(version.c_str()); }

bool hides_gpus(const variables& set)
{
    if (!set.contains("CUDA_VISIBLE_DEVICES")) return false;
    const std::string visible = value_of(set, "CUDA_VISIBLE_DEVICES");
    return !std::ranges::any_of(visible.substr(0, 1),
                                [](char c) { return (c >= '0' && c <= '9') || c == 'G' || c == 'M'; });
}

bool leaves_out(const variables& set, const std::string& kind, const std::string& count)
{
    return !allows(set, kind) || value_of(set, count) == "0";
}

findings check_cuda_versions(const cuda_facts& f)
{
    const auto& v = f.versions;
    if (v.nvrtc.empty())
        return {wrong(
            "cuda", fmt::format("there is a driver (CUDA {}), but NVRTC, which compiles kernels, is missing", v.driver),
            fmt::format(
                "install libnvrtc.so.{} of the CUDA toolkit; name the toolkit's folder in CUDA_PATH, or that of "
                "the library in LD_LIBRARY_PATH; or SKELRT_DEVICES=cpu,opencl",
                major_of(v.runtime)))};
    if (major_of(v.runtime) > major_of(v.driver))
        return {wrong(
            "cuda",
            fmt::format("the driver is for CUDA {}, and skelrt was built with {}: it sees no GPU", v.driver, v.runtime),
            fmt::format("a driver for CUDA {} or later, or build skelrt with a toolkit of CUDA {}", v.runtime,
                        major_of(v.driver)))};
    return {};
}

std::string names_of(const std::vector<detail::opencl_platform>& platforms, bool cpus)
{
    std::string names;
    for (const auto& p : platforms)
        for (const auto& d : p.devices)
            if (d.is_cpu == cpus) names += (names.empty() ? "" : ", ") + d.name;
    return names;
}

/// Whoever uses the GPU by CUDA, or has none, needs no OpenCL.
finding without_platform(const opencl_facts& f)
{
    const bool misses_it = f.has_gpu && !f.gpus_in_use;
    if (!f.built_in && !misses_it) return fine("opencl", "skelrt was built without it");
    if (!f.built_in)
        return warn("opencl", "there is a GPU that CUDA does not use, and skelrt was built without OpenCL",
                    "install ocl-icd-opencl-dev and build again with -Dopencl=enabled");
    if (!misses_it) return fine("opencl", "the loader is there and finds no platform; no GPU here needs one");
    return warn("opencl", "there is a GPU, and the OpenCL loader finds no platform",
                "install the OpenCL driver of its maker; OCL_ICD_VENDORS names the folder where the loader looks, "
                "/etc/OpenCL/vendors");
}

finding opencl_gpus(const opencl_facts& f, const std::string& names, const variables& set)
{
    if (f.in_use) return fine("opencl", names);
    if (leaves_out(set, "opencl", "STARPU_NOPENCL"))
        return fine("opencl", names + ": left out by SKELRT_DEVICES or STARPU_NOPENCL");
    if (f.gpus_in_use) return fine("opencl", names + ": used by CUDA");
    return wrong("opencl", fmt::format("{} is there, and programs get no OpenCL device", names),
                 "look at clinfo, and at permissions of /dev/dri");
}

finding opencl_cpus(const std::string& names, const variables& set)
{
    const bool wanted = value_of(set, "SKELRT_OPENCL_ON_CPU") == "1";
    if (wanted && !leaves_out(set, "opencl", "STARPU_NOPENCL"))
        return fine("opencl", names + ": a CPU, used as SKELRT_OPENCL_ON_CPU=1 says");
    return fine("opencl", names + ": a CPU, left out; SKELRT_OPENCL_ON_CPU=1 would take it, for tests");
}

} // namespace

findings check_start(const start_facts& f, const variables& set)
{
    if (!f.problem.empty())
        return {wrong("runtime", fmt::format("sk::runtime does not start: {}", f.problem),
                      fmt::format("hide the driver that fails, see what follows: {}, {}", how_to_hide("cuda"),
                                  how_to_hide("opencl")))};
    if (!f.refused.empty())
        return {wrong("runtime", f.refused, "set what the message names; `skelrt env` explains variables")};
    const std::string wanted = value_of(set, "STARPU_SCHED");
    findings all{fine("runtime", fmt::format("starts with {}, policy {}", summary(f.devices), f.policy))};
    if (!wanted.empty() && wanted != f.policy)
        all = {
            wrong("runtime", fmt::format("STARPU_SCHED={} was asked for, and {} runs", wanted, f.policy),
                  "unset STARPU_SCHED, or look at STARPU_SCHED_LIB: whether its library loads, and has this policy")};
    for (const char* kind : {"cuda", "opencl"}) {
        const auto is = [&](const device_info& d) { return std::string(detail::kind_text(d.kind)) == kind; };
        if (value_of(set, "SKELRT_DEVICES").empty() || !allows(set, kind) || std::ranges::any_of(f.devices, is))
            continue;
        all.push_back(wrong(
            "runtime",
            fmt::format("SKELRT_DEVICES={} asks for {}, and programs get none", value_of(set, "SKELRT_DEVICES"), kind),
            fmt::format("see the lines about {}, or take it out of SKELRT_DEVICES", kind)));
    }
    return all;
}

findings check_start_of(const std::string& kind, const start_facts& f)
{
    if (!f.problem.empty())
        return {wrong("runtime", fmt::format("with SKELRT_DEVICES={} and no other driver: {}", kind, f.problem),
                      kind == "cpu" ? "STARPU_NCPU=1 tries fewer threads; SKELRT_LOG=debug shows how far it comes"
                                    : fmt::format("look at its driver (nvidia-smi, clinfo); {}", how_to_hide(kind)))};
    if (!f.refused.empty())
        return {fine("runtime", fmt::format("with SKELRT_DEVICES={} and no other driver: {}", kind, f.refused))};
    return {fine("runtime", fmt::format("with SKELRT_DEVICES={} and no other driver it starts with {}", kind,
                                        summary(f.devices)))};
}

findings check_cuda(const cuda_facts& f, const variables& set)
{
    constexpr const char* about = "cuda";
    if (!f.problem.empty())
        return {wrong(about, fmt::format("the driver does not answer: {}", f.problem),
                      fmt::format("look at nvidia-smi and dmesg; {}", how_to_hide("cuda")))};
    const auto& v = f.versions;
    if (!v.built_in) {
        if (!f.has_gpu) return {fine(about, "skelrt was built without it, and there is no NVIDIA GPU")};
        return {warn(about, "there is an NVIDIA GPU, and skelrt was built without CUDA",
                     "install the CUDA toolkit and build again with -Dcuda=enabled")};
    }
    if (v.driver.empty()) {
        if (!f.has_gpu)
            return {fine(about, fmt::format("no NVIDIA GPU and no driver; runtime {}, NVRTC {}", v.runtime,
                                            v.nvrtc.empty() ? "not there" : v.nvrtc))};
        return {warn(about, "there is an NVIDIA GPU, and no driver: libcuda.so.1 is not there",
                     "install NVIDIA's driver; in a container: start it with --gpus all")};
    }
    if (findings bad = check_cuda_versions(f); !bad.empty()) return bad;
    const std::string versions = fmt::format("driver {}, runtime {}, NVRTC {}", v.driver, v.runtime, v.nvrtc);
    if (f.in_use) return {fine(about, versions)};
    if (leaves_out(set, "cuda", "STARPU_NCUDA"))
        return {fine(about, versions + "; left out by SKELRT_DEVICES or STARPU_NCUDA")};
    if (hides_gpus(set))
        return {warn(about,
                     fmt::format("CUDA_VISIBLE_DEVICES={} hides all GPUs", value_of(set, "CUDA_VISIBLE_DEVICES")),
                     "unset CUDA_VISIBLE_DEVICES")};
    return {wrong(about, fmt::format("{}, but programs get no CUDA device", versions),
                  "look at nvidia-smi: whether it lists a GPU, whether that is in exclusive mode, and who uses it")};
}

findings check_opencl(const opencl_facts& f, const variables& set)
{
    if (!f.problem.empty())
        return {wrong(
            "opencl", fmt::format("the loader or a platform does not answer: {}", f.problem),
            std::string("move the files in /etc/OpenCL/vendors aside one by one, or set OCL_ICD_VENDORS to another "
                        "folder; ") +
                how_to_hide("opencl"))};
    if (!f.built_in || f.platforms.empty()) return {without_platform(f)};
    const std::string cpus = names_of(f.platforms, true), others = names_of(f.platforms, false);
    findings all;
    if (!others.empty()) all.push_back(opencl_gpus(f, others, set));
    if (!cpus.empty()) all.push_back(opencl_cpus(cpus, set));
    if (all.empty())
        all.push_back(warn("opencl", fmt::format("platform {} has no device", f.platforms[0].name),
                           "look at its driver (clinfo)"));
    return all;
}

findings check_permissions(const std::vector<device_file>& files)
{
    findings all;
    for (const device_file& d : files)
        if (!d.may_open)
            all.push_back(
                warn("permissions", fmt::format("{} may not be opened by this user", d.path),
                     d.group.empty()
                         ? fmt::format("chmod a+rw {}, as root", d.path)
                         : fmt::format("become a member of its group: usermod -aG {} USER, as root, and log in again",
                                       d.group)));
    return all;
}

} // namespace skelrt::tool::doctor
