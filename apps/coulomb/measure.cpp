#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

namespace sk = skelrt;

/// Kernels are built, data comes to the devices, the models see a first and a second time.
constexpr int untimed = 2;

struct kind {
    const char* name;
    sk::device device;
};
constexpr kind kinds[] = {{"cpu", sk::device::cpu}, {"cuda", sk::device::cuda}, {"opencl", sk::device::opencl}};

bool is_there(const sk::runtime& rt, sk::device wanted)
{
    return std::ranges::any_of(rt.devices(), [&](const auto& d) { return d.kind == wanted; });
}

sk::device_set set_of(const std::string& device)
{
    for (const auto& k : kinds)
        if (device == k.name) return k.device;
    return sk::device_set::all();
}

std::string one_name(const sk::device_info& d) { return d.cores > 0 ? fmt::format("{} cores", d.cores) : d.name; }

/// "2 cores", "4 x NVIDIA H100", "2 cores + NVIDIA H100".
std::string hardware_of(sk::device_set set, const sk::runtime& rt)
{
    std::vector<std::pair<std::string, int>> found;
    for (const auto& d : rt.devices()) {
        if (!set.has(d.kind)) continue;
        const auto name = one_name(d);
        const auto same = std::ranges::find(found, name, &std::pair<std::string, int>::first);
        if (same == found.end()) found.emplace_back(name, 1);
        else ++same->second;
    }
    std::string text;
    for (const auto& [name, count] : found)
        text += (text.empty() ? "" : " + ") + (count > 1 ? fmt::format("{} x {}", count, name) : name);
    return text;
}

double timed_run(field& f, const sk::vector<point_charge>& charges)
{
    const auto start = std::chrono::steady_clock::now();
    compute(f, charges);
    sk::wait(f.values);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

std::vector<std::string> devices_for(const std::string& wanted, const sk::runtime& rt)
{
    if (wanted == "hybrid") return {wanted};
    std::vector<std::string> there;
    for (const auto& k : kinds)
        if (is_there(rt, k.device)) there.emplace_back(k.name);
    if (wanted == "all") {
        if (there.size() > 1) there.emplace_back("hybrid"); // else it would be the same again
        return there;
    }
    if (std::ranges::find(there, wanted) == there.end())
        throw input_error(
            fmt::format("--device {}: there is no such device in use here, only {}", wanted, fmt::join(there, ", ")));
    return {wanted};
}

measurement measure(const std::string& device, field& f, const molecule& m, const options& o, const sk::runtime& rt)
{
    const auto set = set_of(device);
    measurement result{device, hardware_of(set, rt), {}, {}};
    const auto charges = charges_of(m);
    {
        const sk::only here(set);
        for (int i = 0; i < untimed; ++i) timed_run(f, charges);
        for (int i = 0; i < o.repeat; ++i) result.seconds.push_back(timed_run(f, charges));
    }
    std::ranges::sort(result.seconds);
    if (o.check) result.check = compare(f.where, values_of(f), m);
    return result;
}

} // namespace coulomb
