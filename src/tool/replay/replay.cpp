// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/replay/replay.hpp"

#include "src/lowering/replay/play.hpp"
#include "src/model/files/files.hpp"
#include "src/model/files/store.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <exception>

namespace skelrt::tool
{

namespace
{

using namespace detail;

network_peaks network_of(const std::filesystem::path& file)
{
    if (file.empty()) return load_machine(machine_file()).network;
    const auto text = read_file(file);
    if (!text) throw error(fmt::format("{}: there is no such file", file.string()));
    try {
        return machine_from_json(*text).network;
    } catch (const std::exception& e) {
        throw error(fmt::format("{}: {}", file.string(), e.what()));
    }
}

std::string network_text(const network_peaks& n)
{
    if (n.message_us.value <= 0) return "none that was measured";
    return fmt::format("{:.4g} GB/s, {:.3g} us a message, {:.3g} us a value", n.bytes_per_us.value * 1e-3,
                       n.message_us.value, n.value_us.value);
}

/// How well more ranks are used than the first row has.
double efficiency(const replayed& first, const replayed& now, bool grows)
{
    return first.us * (grows ? 1 : static_cast<double>(first.ranks) / now.ranks) / now.us;
}

} // namespace

void replay_calls(const replay_request& request)
{
    const recording all = read_recording(request.calls);
    const replay_options how{request.device, request.speed, network_of(request.network)};
    fmt::print("{} calls, recorded on {}; network: {}\n\n", all.calls.size(), all.machine, network_text(how.network));
    fmt::print("{:>6} {:>12} {:>12} {:>11} {:>11} {:>10} {:>11}\n", "ranks", "ms", "of it shares", "efficiency",
               "MiB held", "messages", "MiB sent");
    constexpr double mib = 1 << 20;
    replayed first;
    for (const unsigned ranks : request.ranks) {
        const replayed now = replay(request.grows ? grown(all, ranks) : all, ranks, how);
        if (ranks == request.ranks.front()) first = now;
        fmt::print("{:>6} {:>12.3f} {:>12.3f} {:>11.3f} {:>11.1f} {:>10} {:>11.2f}\n", ranks, now.us * 1e-3,
                   now.share_us * 1e-3, efficiency(first, now, request.grows), now.held_bytes / mib, now.sent_messages,
                   now.sent_bytes / mib);
    }
}

} // namespace skelrt::tool
