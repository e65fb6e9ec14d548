// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/show.hpp"

#include <skelrt/version.hpp>

#include <fmt/format.h>

#include <iterator>

namespace skelrt::tool
{

namespace
{

/// Lines of the form "  name      value", under headings.
class page
{
public:
    void heading(std::string_view text) { fmt::format_to(std::back_inserter(text_), "\n{}\n", text); }
    template <class... Args>
    void line(std::string_view name, fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(text_), "  {:<16} {}\n", name,
                       fmt::format(format, std::forward<Args>(args)...));
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_ = fmt::format("skelrt {}\n", version());
};

void show_devices(page& p, const facts& f)
{
    p.heading("devices that a program gets");
    if (!f.problem.empty()) p.line("none", "{}", f.problem);
    for (const device_info& d : f.devices) {
        if (d.kind == device::cpu) p.line("cpu", "{}, {} core{}", d.name, d.cores, d.cores == 1 ? "" : "s");
        else p.line(fmt::format("{} {}", kind_text(d.kind), d.number), "{}, {}", d.name, bytes_text(d.memory));
    }
}

void show_starpu(page& p, const facts& f)
{
    p.heading("StarPU");
    p.line("version", "{}", f.starpu_version);
    if (!f.policy.empty()) p.line("policy", "{}", f.policy);
    p.line("ours are", "{}", f.own_policies);
    std::string limits;
    for (const auto& [what, most] : f.starpu_limits)
        limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", most, what);
    p.line("built for", "{}", limits);
}

void show_cuda(page& p, const detail::cuda_versions& v)
{
    p.heading("CUDA");
    if (!v.built_in) {
        p.line("none", "skelrt was built without it");
        return;
    }
    p.line("driver", "{}", v.driver.empty() ? "none: libcuda.so.1 of an NVIDIA driver is not there" : v.driver);
    p.line("runtime", "{}", v.runtime.empty() ? "none" : v.runtime);
    p.line("NVRTC", "{}", v.nvrtc.empty() ? "none: " + v.nvrtc_missing : v.nvrtc + ", " + v.nvrtc_file);
}

void show_opencl(page& p, const facts& f)
{
    p.heading("OpenCL");
    if (!f.opencl_built_in) {
        p.line("none", "skelrt was built without it");
        return;
    }
    if (f.opencl.empty()) p.line("none", "the loader finds no platform (/etc/OpenCL/vendors)");
    for (const auto& platform : f.opencl) {
        p.line("platform", "{}, {}", platform.name, platform.version);
        for (const auto& d : platform.devices)
            p.line("  device", "{}, {}{}", d.name, bytes_text(d.memory),
                   d.is_cpu ? ", a CPU: used if SKELRT_OPENCL_ON_CPU=1" : "");
    }
}

void show_blas(page& p, const facts& f)
{
    p.heading("products of matrices");
    for (const auto& [what, library] : f.blas)
        p.line(what, "{}", library.missing.empty() ? library.name : "our own kernels: " + library.missing);
}

void show_caches(page& p, const facts& f)
{
    p.heading("caches");
    for (const cache& c : f.caches) {
        if (c.folder.empty()) p.line(c.what, "none: switched off, or HOME is not set");
        else
            p.line(c.what, "{}, {} file{}, {}", c.folder.string(), c.files, c.files == 1 ? "" : "s",
                   bytes_text(c.bytes));
    }
}

void show_variables(page& p, const facts& f)
{
    p.heading("environment (`skelrt env` explains it)");
    if (f.variables.empty()) p.line("nothing set", "");
    for (const set_variable& v : f.variables) p.line("set", "{}={}", v.which.name, v.value);
    for (const std::string& complaint : f.complaints) p.line("unknown", "{}", complaint);
}

} // namespace

std::string bytes_text(std::uintmax_t bytes)
{
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double size = static_cast<double>(bytes);
    const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (size /= 1024; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
    return fmt::format("{:.1f} {}", size, units[unit]);
}

std::string as_text(const facts& f)
{
    page p;
    show_devices(p, f);
    show_starpu(p, f);
    show_cuda(p, f.cuda);
    show_opencl(p, f);
    show_blas(p, f);
    show_caches(p, f);
    show_variables(p, f);
    return p.take();
}

} // namespace skelrt::tool
