// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/facts.hpp"

#include "codelets/blas/libraries.hpp"
#include "src/jit/cache.hpp"
#include "src/runtime/policy.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <starpu.h>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;

std::string starpu_version()
{
    int major = 0, minor = 0, release = 0;
    starpu_get_version(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

void find_devices(facts& f)
{
    try {
        const runtime rt;
        f.devices = rt.devices();
        f.policy = starpu_sched_get_sched_policy()->policy_name;
    } catch (const error& e) {
        f.problem = e.what();
    }
}

/// Where StarPU keeps its measurements of the machine: its own order of preference.
fs::path starpu_folder()
{
    for (const char* base : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"})
        if (const auto folder = detail::env_text(base)) return fs::path(*folder) / ".starpu";
    return {};
}

} // namespace

cache contents_of(std::string what, fs::path folder)
{
    cache c{std::move(what), std::move(folder)};
    std::error_code failed; // folders come and go
    for (fs::recursive_directory_iterator i(c.folder, fs::directory_options::skip_permission_denied, failed), end;
         !failed && i != end; i.increment(failed)) {
        std::error_code gone;
        if (!i->is_regular_file(gone)) continue;
        const auto bytes = i->file_size(gone);
        if (gone) continue;
        ++c.files;
        c.bytes += bytes;
    }
    return c;
}

std::vector<set_variable> set_ones(std::span<const detail::variable> all)
{
    std::vector<set_variable> found;
    for (const detail::variable& v : all)
        if (auto value = detail::env_text(v.name)) found.push_back({v, std::move(*value)});
    return found;
}

facts find_facts()
{
    facts f;
    f.variables = set_ones(detail::skelrt_variables());
    for (set_variable& v : set_ones(detail::other_variables())) f.variables.push_back(std::move(v));
    find_devices(f); // sets some for StarPU, which are not the user's
    f.starpu_version = starpu_version();
    f.own_policies = detail::own_policies();
    f.starpu_limits = {{"CPU cores", STARPU_MAXCPUS},
                       {"CUDA devices", STARPU_MAXCUDADEVS},
                       {"OpenCL devices", STARPU_MAXOPENCLDEVS},
                       {"memory nodes", STARPU_MAXNODES},
                       {"buffers per task", STARPU_NMAXBUFS}};
    f.cuda = detail::find_cuda_versions();
    f.opencl_built_in = detail::opencl_built_in();
    f.opencl = detail::find_opencl_platforms();
    if (f.problem.empty()) f.blas = detail::blas::find_libraries();
    f.caches = {contents_of("kernels", detail::cache_folder()), contents_of("StarPU", starpu_folder())};
    f.complaints = detail::environment_complaints();
    return f;
}

} // namespace skelrt::tool
