// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/control/device_node.hpp"

#include "src/program/place_text.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace skelrt::detail
{

namespace
{

std::string device_text(device kind, int number)
{
    switch (kind) {
    case device::cuda:
        return fmt::format("CUDA device {}", number);
    case device::opencl:
        return fmt::format("OpenCL device {}", number);
    default:
        return number == 0 ? "the cores" : fmt::format("group {} of cores", number);
    }
}

std::string devices_text(const starpu_devices& all)
{
    std::string text = "the cores (number 0)";
    for (const target& t : all.targets())
        if (t.kind != device::cpu && all.available().has(t.kind)) text += ", " + device_text(t.kind, t.number);
    return text;
}

} // namespace

unsigned node_of_device(const running& r, device kind, int number, const caller& where, std::size_t elements)
{
    if (kind == device::cpu && number == 0) return STARPU_MAIN_RAM;
    const starpu_devices& all = r.devices();
    const auto is = [&](const target& t) { return t.kind == kind && t.number == number && kind != device::cpu; };
    const auto found = std::ranges::find_if(all.targets(), is);
    if (found == all.targets().end() || !all.available().has(kind))
        throw error(fmt::format("{}sk::prefetch of {} elements: there is no {}; this runtime has {} (see "
                                "sk::runtime::devices)",
                                place_text(where), elements, device_text(kind, number), devices_text(all)));
    return found->node;
}

} // namespace skelrt::detail
