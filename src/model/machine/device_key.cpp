// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/device_key.hpp"

#include <fmt/format.h>

namespace skelrt::detail
{

std::string product_of(const std::string& name)
{
    const auto open = name.find('('), close = name.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open) return name;
    std::string product = name.substr(open + 1, close - open - 1);
    const auto last = product.rfind(' ');
    if (last != std::string::npos && product.find(':', last) != std::string::npos) product.erase(last);
    return product;
}

std::vector<known_device> known_devices(const std::vector<target>& targets, const machine& m)
{
    std::vector<known_device> all;
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const device_peaks& d = m.devices[k];
        all.push_back({fmt::format("{} {} {}", d.kind, d.number, product_of(d.name)), targets[k].node});
    }
    return all;
}

std::string text_of(const std::vector<known_device>& devices)
{
    std::string text;
    for (const known_device& d : devices)
        text += fmt::format("{}{} in memory {}", text.empty() ? "" : "; ", d.key, d.node);
    return text;
}

} // namespace skelrt::detail
