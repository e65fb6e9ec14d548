// SPDX-License-Identifier: BSD-3-Clause
#include "devices.hpp"

#include "error.hpp"

#include <skelrt/cluster.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace apps
{
namespace
{

namespace sk = skelrt;

struct kind {
    const char* name;
    sk::device device;
};
constexpr kind kinds[] = {{"cpu", sk::device::cpu}, {"cuda", sk::device::cuda}, {"opencl", sk::device::opencl}};

/// All ranks run the same devices one after the other.
bool is_there(const sk::runtime& rt, sk::device wanted)
{
    const bool here = std::ranges::any_of(rt.devices(), [&](const auto& d) { return d.kind == wanted; });
    bool everywhere = here;
    for (int rank = 0; rank < sk::ranks(); ++rank) everywhere = sk::agree(here, rank) && everywhere;
    return everywhere;
}

std::string one_name(const sk::device_info& d)
{
    if (d.cores == 0) return d.name;
    return fmt::format("{} core{}", d.cores, d.cores == 1 ? "" : "s");
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

sk::device_set set_of(const std::string& device)
{
    for (const auto& k : kinds)
        if (device == k.name) return k.device;
    return sk::device_set::all();
}

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

} // namespace apps
