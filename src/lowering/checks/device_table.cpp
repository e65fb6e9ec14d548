// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/device_table.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/check.hpp"
#endif
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#endif
#include "src/jit/versions.hpp"
#include "src/lowering/registry.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>
#include <tuple>

namespace skelrt::detail
{

namespace
{

using state = device_verdict::state;

constexpr std::size_t column = 12; ///< of a verdict

const char* word(const device_verdict& v)
{
    switch (v.is) {
    case state::compiles:
        return "yes";
    case state::translates:
        return "translates";
    case state::refused:
        return "no";
    case state::unknown:
        break;
    }
    return "-";
}

std::string shortened(const std::string& text, std::size_t most)
{
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

/// The lines of `text`, broken at blanks where they are too long, `indent` blanks in front of each.
void wrap(std::string& to, std::string_view text, std::size_t indent, std::size_t width)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!line.empty()) {
            std::size_t n = std::min(line.size(), width - indent);
            if (n < line.size())
                if (const std::size_t blank = line.rfind(' ', n); blank != line.npos && blank > 0) n = blank;
            to.append(indent, ' ').append(line.substr(0, n)) += '\n';
            line.remove_prefix(n);
            while (line.starts_with(' ')) line.remove_prefix(1);
        }
    }
}

void add_reason(std::string& to, const char* kind, const device_verdict& v, std::size_t width)
{
    if (v.is != state::refused) return;
    constexpr std::size_t indent = 6;
    wrap(to, fmt::format("{}: {}", kind, v.reason), indent, width);
}

auto key_of_row(const device_row& r)
{
    return std::tie(r.function, r.cuda.is, r.cuda.reason, r.opencl.is, r.opencl.reason);
}

device_verdict refused_by(const std::exception& e) { return {state::refused, e.what()}; }

#if SKELRT_HAVE_CUDA
std::string architecture() { return env_text("SKELRT_CHECK_CUDA").value_or("sm_80"); }

/// Empty: not there.
const std::string& nvrtc_version()
{
    static const std::string version = find_cuda_versions().nvrtc;
    return version;
}
#endif

device_verdict ask_cuda(const recipe& r)
{
#if SKELRT_HAVE_CUDA
    if (nvrtc_version().empty()) return {};
    try {
        cuda::check(r, architecture());
        return {state::compiles, {}};
    } catch (const std::exception& e) {
        return refused_by(e);
    }
#else
    static_cast<void>(r);
    return {};
#endif
}

device_verdict ask_opencl(const recipe& r)
{
#if SKELRT_HAVE_OPENCL
    try {
        return {opencl::check(r) ? state::compiles : state::translates, {}};
    } catch (const std::exception& e) {
        return refused_by(e);
    }
#else
    static_cast<void>(r);
    return {};
#endif
}

device_compilers compilers_here()
{
    device_compilers by{"no NVRTC here", "this skelrt was built without OpenCL"};
#if SKELRT_HAVE_CUDA
    if (!nvrtc_version().empty()) by.cuda = fmt::format("NVRTC {} for {}", nvrtc_version(), architecture());
#endif
#if SKELRT_HAVE_OPENCL
    const std::string device = opencl::device_for_checks();
    by.opencl = device.empty() ? "no platform here, so translated only" : device;
#endif
    return by;
}

/// For `skelrt check`: a line for each runtime that ended, of this process or others.
void report(std::size_t functions, std::size_t refused)
{
    const auto file = env_text("SKELRT_CHECK_REPORT");
    if (!file) return;
    std::FILE* const f = std::fopen(file->c_str(), "a");
    if (!f) return log_warning("{} cannot be written", *file);
    std::fprintf(f, "%zu %zu\n", functions, refused);
    std::fclose(f);
}

} // namespace

std::size_t count_refused(const std::vector<device_row>& rows)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        rows, [](const device_row& r) { return r.cuda.is == state::refused || r.opencl.is == state::refused; }));
}

std::string as_text(const device_compilers& by, const std::vector<device_row>& rows, std::size_t width)
{
    std::string text = "skelrt: the program's functions on other devices\n";
    wrap(text, "CUDA: " + by.cuda, 2, width);
    wrap(text, "OpenCL: " + by.opencl, 2, width);
    if (rows.empty()) return text + "  no skeleton was called\n";
    const std::size_t most = width - 2 - 2 * column;
    std::size_t names = std::string_view("function").size();
    for (const device_row& r : rows) names = std::max(names, std::min(r.function.size(), most - 2));
    text += fmt::format("  {:<{}}  {:<{}}{}\n", "function", names, "CUDA", column, "OpenCL");
    std::vector<const device_row*> said;
    for (const device_row& r : rows) {
        const auto same = [&](const device_row* s) { return key_of_row(*s) == key_of_row(r); };
        if (std::ranges::any_of(said, same)) continue;
        said.push_back(&r);
        text += fmt::format("  {:<{}}  {:<{}}{}\n", shortened(r.function, names), names, word(r.cuda), column,
                            word(r.opencl));
        add_reason(text, "CUDA", r.cuda, width);
        add_reason(text, "OpenCL", r.opencl, width);
    }
    return text;
}

void print_device_table() noexcept
{
    try {
        const device_compilers by = compilers_here();
        std::vector<device_row> rows;
        for (const recipe* r : registered_recipes()) rows.push_back({r->name, ask_cuda(*r), ask_opencl(*r)});
        fmt::print(stderr, "{}", as_text(by, rows));
        report(rows.size(), count_refused(rows));
    } catch (const std::exception& e) {
        log_error("SKELRT_CHECK=devices: {}", e.what());
    }
}

} // namespace skelrt::detail
