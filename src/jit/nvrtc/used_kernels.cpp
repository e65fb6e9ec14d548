// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc/used_kernels.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace skelrt::detail
{

std::string text_of(const std::vector<used_kernels>& all)
{
    std::string text;
    for (const used_kernels& k : all) {
        text += k.arch + ' ' + k.key;
        for (const std::string& name : k.names) text += ' ' + name;
        text += '\n';
    }
    return text;
}

std::vector<used_kernels> used_kernels_in(std::string_view text)
{
    std::vector<used_kernels> all;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        used_kernels k;
        words >> k.arch >> k.key;
        for (std::string name; words >> name;) k.names.push_back(std::move(name));
        if (!k.names.empty()) all.push_back(std::move(k));
    }
    return all;
}

std::vector<used_kernels> with_earlier(std::vector<used_kernels> now, const std::vector<used_kernels>& earlier,
                                       std::size_t most)
{
    for (const used_kernels& k : earlier)
        if (now.size() < most && std::ranges::find(now, k.key, &used_kernels::key) == now.end()) now.push_back(k);
    return now;
}

} // namespace skelrt::detail
