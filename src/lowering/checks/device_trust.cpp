// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/device_trust.hpp"

#include "src/runtime/log.hpp"

#include <map>
#include <mutex>

namespace skelrt::detail
{

namespace
{

// Of recipe::device_trust three bits for each kind, behind two, the first of which says whether any way was refused.
constexpr unsigned first_bit = 2, bits_each = 3, mask = 7;
constexpr std::uint8_t some_refused = 1;

unsigned shift_of(device kind) noexcept { return kind == device::cuda ? first_bit : first_bit + bits_each; }

std::mutex guard;

/// Never destroyed: tasks may end late.
std::map<device_way, std::string>& refused_ways()
{
    static auto& all = *new std::map<device_way, std::string>;
    return all;
}

} // namespace

trust trust_in(const recipe& r, device kind) noexcept
{
    if (kind == device::cpu) return trust::sound;
    if (r.rule == accumulate_rule::atomic)
        return trust::sound; // results depend on the order, so nothing can be compared
    return static_cast<trust>((r.device_trust.load(std::memory_order_relaxed) >> shift_of(kind)) & mask);
}

void set_trust(const recipe& r, device kind, trust what) noexcept
{
    const unsigned shift = shift_of(kind);
    std::uint8_t known = r.device_trust.load(std::memory_order_relaxed), next = 0;
    do {
        if (static_cast<trust>((known >> shift) & mask) == trust::broken) return;
        next = static_cast<std::uint8_t>((known & ~(mask << shift)) | static_cast<unsigned>(what) << shift);
    } while (!r.device_trust.compare_exchange_weak(known, next));
}

const char* kind_name(device kind) noexcept
{
    return kind == device::cuda ? "CUDA" : kind == device::opencl ? "OpenCL" : "cores";
}

std::optional<std::string> find_refusal(const recipe& r, const device_way& way)
{
    if ((r.device_trust.load(std::memory_order_relaxed) & some_refused) == 0) return {};
    const std::lock_guard lock(guard);
    const auto found = refused_ways().find(way);
    if (found == refused_ways().end()) return {};
    return found->second;
}

void note_refusal(const recipe& r, const device_way& way, const std::string& reason)
{
    bool first = true;
    {
        const std::lock_guard lock(guard);
        for (const auto& [known, why] : refused_ways())
            first = first && !(known.recipe == way.recipe && known.kind == way.kind);
        refused_ways().emplace(way, reason);
    }
    r.device_trust.fetch_or(some_refused);
    if (first) log_warning("{}: not on {}: {}", r.name, kind_name(way.kind), reason);
}

} // namespace skelrt::detail
