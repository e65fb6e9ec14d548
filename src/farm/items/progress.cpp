// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/items/progress.hpp"

#include <skelrt/progress.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace skelrt
{

progress_bar::progress_bar(std::string label) : label_(std::move(label)) {}

void progress_bar::operator()(std::size_t done, std::size_t all) const
{
    constexpr std::size_t width = 40;
    const std::size_t full = all > 0 ? width * done / all : 0;
    const std::string bar(full, '#'), rest(width - full, '.');
    const bool last = done == all; // of a farm without items, too
    const std::string text =
        all > 0 ? fmt::format("\r{} [{}{}] {}/{}", label_, bar, rest, done, all) : fmt::format("\r{} {}", label_, done);
    std::fputs((text + (last ? "\n" : "")).c_str(), stderr); // one piece: others write, too
}

} // namespace skelrt

namespace skelrt::detail
{

void progress_teller::tell(std::size_t done, std::size_t all)
{
    constexpr std::chrono::milliseconds apart{50};
    const std::unique_lock lock(telling_, std::try_to_lock);
    if (!lock || ended_) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + apart;
    told_(done, all);
}

void progress_teller::tell_end(std::size_t done, std::size_t all)
{
    const std::lock_guard lock(telling_);
    if (std::exchange(ended_, true)) return;
    told_(done, all);
}

progress_teller::listener bar_of_long_farms(const char* label)
{
    const auto begun = std::chrono::steady_clock::now();
    return [begun, bar = progress_bar(label)](std::size_t done, std::size_t all) {
        if (std::chrono::steady_clock::now() - begun > std::chrono::seconds{1}) bar(done, all);
    };
}

} // namespace skelrt::detail
