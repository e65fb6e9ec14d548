// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/recipe.hpp>
#include <skelrt/error.hpp>
#include <skelrt/plan.hpp>

#include "src/model/files/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <ostream>
#include <utility>

namespace skelrt
{

namespace
{

std::string size_text(std::size_t n) { return n == plan::any_size ? "any" : fmt::format("{}", n); }

std::string share_text(const plan_share& s)
{
    std::string text = fmt::format("{} {:.4g} %", detail::device_text(s), 100 * s.part);
    if (s.pieces > 0) text += fmt::format(" in {} piece{}", s.pieces, s.pieces == 1 ? "" : "s");
    if (s.threads > 0) text += fmt::format(" with {} thread{}", s.threads, s.threads == 1 ? "" : "s");
    if (s.block > 0) text += fmt::format(" in blocks of {} threads", s.block);
    return text;
}

[[noreturn]] void refuse(std::size_t from, std::size_t to, const std::string& why)
{
    throw error(fmt::format("sk::plan: sizes {} to {}: {}", from, size_text(to), why));
}

void check_shares(const plan_range& r)
{
    constexpr unsigned warp = 32, largest_block = 1024; // of every CUDA device; OpenCL ones may have less
    const auto bad = [&](const std::string& why) { refuse(r.from, r.to, why); };
    if (r.shares.empty()) bad("no device; leave the range out for automatic placement");
    double sum = 0;
    for (std::size_t i = 0; i < r.shares.size(); ++i) {
        const plan_share& s = r.shares[i];
        const std::string who = detail::device_text(s);
        if (!(s.part > 0 && s.part <= 1))
            bad(fmt::format("{} gets a part of {}; parts are above 0 and at most 1", who, s.part));
        if (s.number < 0 || (s.kind == device::cpu && s.number > 0))
            bad(fmt::format("there is no {}; the cores together are cpu 0", who));
        if (s.threads > 0 && s.kind != device::cpu) bad(fmt::format("{} has no threads to choose; the CPU has", who));
        if (s.block > 0 && s.kind == device::cpu) bad(fmt::format("{} has no blocks of threads; GPUs have", who));
        if (s.block % warp > 0 || s.block > largest_block)
            bad(fmt::format("blocks of {} threads; they have a multiple of {}, at most {}", s.block, warp,
                            largest_block));
        for (std::size_t k = 0; k < i; ++k)
            if (r.shares[k].kind == s.kind && r.shares[k].number == s.number)
                bad(fmt::format("{} comes twice; add its parts, and ask for pieces", who));
        sum += s.part;
    }
    if (std::abs(sum - 1) > 1e-6) bad(fmt::format("the parts sum to {}, not to 1", sum));
}

} // namespace

plan::plan(std::vector<plan_share> shares) { range(0, any_size, std::move(shares)); }

plan& plan::range(std::size_t from, std::size_t to, std::vector<plan_share> shares)
{
    if (from > to) refuse(from, to, "the range is empty");
    plan_range fresh{from, to, std::move(shares)};
    check_shares(fresh);
    const auto after = std::ranges::lower_bound(ranges_, from, {}, &plan_range::from);
    const auto overlaps = [&](const plan_range& r) { return r.from <= to && from <= r.to; };
    for (const plan_range& r : ranges_)
        if (overlaps(r))
            refuse(from, to, fmt::format("they overlap sizes {} to {} of the plan", r.from, size_text(r.to)));
    ranges_.insert(after, std::move(fresh));
    return *this;
}

const plan_range* plan::at(std::size_t elements) const noexcept
{
    const auto r = std::ranges::find_if(
        ranges_, [&](const plan_range& range) { return range.from <= elements && elements <= range.to; });
    return r == ranges_.end() ? nullptr : &*r;
}

std::string plan::to_text() const
{
    if (ranges_.empty()) return "automatic\n";
    std::string text;
    for (const plan_range& r : ranges_) {
        text += fmt::format("{:>12} to {:>12}: ", r.from, size_text(r.to));
        for (std::size_t i = 0; i < r.shares.size(); ++i) text += (i ? ", " : "") + share_text(r.shares[i]);
        text += "\n";
    }
    return text;
}

void plan::save(const std::string& file) const { detail::save_plan(file, *this); }

plan plan::load(const std::string& file) { return detail::load_plan(file); }

std::ostream& operator<<(std::ostream& to, const plan& p) { return to << p.to_text(); }

const plan* detail::keep_plan(const plan& p)
{
    static std::mutex guard;
    static auto& kept = *new std::deque<plan>; // calls in flight outlive static destructors
    std::lock_guard lock(guard);
    const auto known = std::ranges::find(kept, p);
    return known != kept.end() ? &*known : &kept.emplace_back(p);
}

} // namespace skelrt
