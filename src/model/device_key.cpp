#include "src/model/device_key.hpp"

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

std::vector<std::string> device_keys(const machine& m)
{
    std::vector<std::string> keys;
    for (const device_peaks& d : m.devices)
        keys.push_back(fmt::format("{} {} {}", d.kind, d.number, product_of(d.name)));
    return keys;
}

} // namespace skelrt::detail
