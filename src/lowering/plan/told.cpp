// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/told.hpp"

#include "src/model/files/plan_file.hpp"
#include "src/program/program.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <utility>

namespace skelrt::detail
{

namespace
{

bool is(const target& t, const plan_share& s) { return t.kind == s.kind && t.number == s.number; }

bool shares_a_sort(const plan_range& r, const call& c)
{
    return c.site->what.kind == skeleton::sort && r.shares.size() > 1;
}

/// Why the call's kernels cannot have the blocks that a plan asks for; empty: they can.
std::string refusal_of_blocks(const plan_range& r, const call& c)
{
    const skeleton kind = c.site->what.kind;
    if (kind == skeleton::map) return {};
    const unsigned least = kind == skeleton::stencil ? 64 : 32;
    const auto odd = [&](const plan_share& s) {
        return s.block > 0 && (s.block < least || !std::has_single_bit(s.block));
    };
    const auto at = std::ranges::find_if(r.shares, odd);
    if (at == r.shares.end()) return {};
    return fmt::format("asks for blocks of {} threads; its skeleton's are powers of two, from {} to 1024", at->block,
                       least);
}

std::string list(const engine& e, device_set kinds)
{
    std::string text;
    for (const target& t : e.devices().targets())
        if (kinds.has(t.kind)) text += (text.empty() ? "" : ", ") + device_text({t.kind, 1, t.number});
    return text.empty() ? "none" : text;
}

void tell_that_policy_wins()
{
    static std::atomic_flag told;
    if (!told.test_and_set())
        log_warning("execution plans have no effect: a StarPU policy places all tasks (STARPU_SCHED, options::policy)");
}

/// The first segment behind a boundary that lies nearest to `wanted` elements, counted from `begin`.
std::size_t cut_near(double wanted, std::size_t begin, std::span<const std::size_t> elements)
{
    double before = 0;
    for (std::size_t s = 0; s < begin; ++s) before += static_cast<double>(elements[s]);
    std::size_t s = begin;
    for (; s < elements.size(); ++s) {
        const auto here = static_cast<double>(elements[s]);
        if (before + here / 2 > wanted) break;
        before += here;
    }
    return s;
}

/// Segments begin .. end for one device, in as many tasks as the share asks for.
void add_groups(std::vector<plan_group>& groups, unsigned device, std::size_t begin, std::size_t end,
                std::size_t pieces, std::size_t longest)
{
    const std::size_t count = end - begin;
    pieces =
        std::clamp<std::size_t>(std::max(pieces, (count + longest - 1) / longest), 1, std::max<std::size_t>(count, 1));
    for (std::size_t p = 0; p < pieces && count > 0; ++p) {
        const std::size_t first = begin + count * p / pieces, last = begin + count * (p + 1) / pieces;
        groups.push_back({device, first, last - first});
    }
}

} // namespace

const plan_range* range_for(const engine& e, const call& c)
{
    const program_plans* const program = e.wanted.plans.get();
    const plan* p = c.use ? c.use : program::current().wishes.followed;
    if (!p && program) p = program->find(c.site->what.key, c.site->what.name);
    if (!p || e.wanted.checks_devices) return nullptr;
    const plan_range* r = p->at(c.rows * c.cols);
    if (!r || !e.devices().policy_places()) return r;
    tell_that_policy_wins();
    return nullptr;
}

bool may_run_inline(const plan_range* obeyed)
{
    if (!obeyed) return true;
    const plan_share& s = obeyed->shares.front();
    return obeyed->shares.size() == 1 && s.kind == device::cpu && s.pieces == 0 && s.threads == 0;
}

std::string refusal(const plan_range& r, const engine& e, const call& c, device_set kinds)
{
    if (std::string why = refusal_of_blocks(r, c); !why.empty()) return why;
    for (const plan_share& s : r.shares)
        if (!kinds.has(s.kind) ||
            std::ranges::none_of(e.devices().targets(), [&](const target& t) { return is(t, s); }))
            return fmt::format("asks for {}, but the call may use: {} (see SKELRT_DEVICES, sk::only, `skelrt info`)",
                               device_text(s), list(e, kinds));
    if (r.shares.size() > 1 && c.site->what.kind == skeleton::wavefront)
        return "gives it to several devices, but one device does all of a wavefront";
    if (r.shares.size() > 1 && has_one_copy(c.site->what.rule))
        return fmt::format("gives it to several devices, but one device has the elements of an sk::{}",
                           name_of(c.site->what.rule));
    if (shares_a_sort(r, c)) return "gives it to several devices, but one device sorts all elements";
    return {};
}

void throw_refusal(const call& c, const std::string& reason)
{
    throw error(
        fmt::format("{} on {} x {} elements: its execution plan {}", c.site->what.name, c.rows, c.cols, reason));
}

bool names(const plan_range& r, const target& t)
{
    return std::ranges::any_of(r.shares, [&](const plan_share& s) { return is(t, s); });
}

std::vector<plan_group> obey(const plan_range& r, std::span<const unsigned> device_of,
                             std::span<const std::size_t> elements, std::span<const std::size_t> longest_run)
{
    double all = 0, part = 0;
    for (std::size_t n : elements) all += static_cast<double>(n);
    std::vector<plan_group> groups;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < r.shares.size(); ++k) {
        part += r.shares[k].part;
        const bool last = k + 1 == r.shares.size();
        const std::size_t end = last ? elements.size() : cut_near(part * all, begin, elements);
        add_groups(groups, device_of[k], begin, end, r.shares[k].pieces, longest_run[device_of[k]]);
        begin = end;
    }
    return groups;
}

std::vector<unsigned> devices_of(const plan_range& r, const std::vector<const target*>& targets)
{
    std::vector<unsigned> devices;
    for (const plan_share& s : r.shares) {
        const auto at = std::ranges::find_if(targets, [&](const target* t) { return is(*t, s); });
        devices.push_back(static_cast<unsigned>(at - targets.begin()));
    }
    return devices;
}

unsigned block_of(const plan_range& r, const target& t)
{
    const auto s = std::ranges::find_if(r.shares, [&](const plan_share& share) { return is(t, share); });
    return s == r.shares.end() ? 0 : s->block;
}

unsigned threads_of(const plan_range& r)
{
    for (const plan_share& s : r.shares)
        if (s.kind == device::cpu) return s.threads;
    return 0;
}

} // namespace skelrt::detail

namespace skelrt
{

follow::follow(plan p)
    : plan_(std::move(p)), previous_(std::exchange(detail::program::current().wishes.followed, &plan_))
{
}

follow::~follow() { detail::program::current().wishes.followed = previous_; }

} // namespace skelrt
