// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/shares.hpp"

#include "src/data/memory/copy_bytes.hpp"
#include "src/lowering/caller/inline_stencil.hpp"
#include "src/lowering/caller/learn_costs.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/first_fault.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>

namespace skelrt::detail
{

namespace
{

constexpr double even_ns = 20; ///< elements cheaper than this are bound by memory: equal shares, in order
constexpr std::size_t shares_per_thread = 16;
constexpr std::size_t vector_elements = 16; ///< fewer leave vector units idle, and take as long
constexpr double dear_ns = 1000;            ///< elements that are no part of a vector

/// How many private copies of an accumulator pay: each costs its zeros and its addition to the result.
std::size_t copies_worth(const work& w, const team_share& how)
{
    constexpr double value_ns = 1;
    const double work_ns = std::max(how.element_ns, 1.0f) * static_cast<double>(cpu::element_count(w.segments));
    const double copy_ns = value_ns * static_cast<double>(how.result_values);
    return std::clamp<std::size_t>(static_cast<std::size_t>(work_ns / std::max(copy_ns, 1.0)), 1, how.cores);
}

/// So many that those who get cheap ones can help the others.
std::size_t small_shares(const work& w, const team_share& how, std::size_t takers)
{
    const std::size_t most = takers * shares_per_thread;
    if (how.element_ns > dear_ns) return most;
    return std::clamp(cpu::element_count(w.segments) / vector_elements, takers, most);
}

/// The work of a call on host data as a whole; maps and reductions to one value.
work whole_work(const call& c, const segment& all, const slot_view* views)
{
    const recipe& r = c.site->what;
    work w{r, c.matrix, c.width, std::span(&all, 1), std::span(views, r.slots.size())};
    if (r.kind != skeleton::reduce) return w;
    w.start = c.start;
    w.result.data = c.value ? c.value : c.result.data->data + c.result.offset * r.result_size;
    return w;
}

/// Each member its part.
void join_copies(const work& w, cpu::partials& partials, std::size_t copies, team_lead& lead, first_fault& fault)
{
    copy_by_all(lead, cpu::bytes_of_copy(w), [&](std::size_t first, std::size_t last) {
        try {
            const in_user_code mark;
            cpu::finish_some(w, partials, copies, first, last);
        } catch (...) {
            fault.set(std::current_exception());
        }
    });
}

} // namespace

std::exception_ptr run_in_shares(const work& w, const team_share& how, team_lead& lead)
{
    const bool in_turn = w.what.kind == skeleton::wavefront; // its shares wait for those before them
    const bool uneven = w.what.kind != skeleton::all_pairs && !w.red_black() && !in_turn && how.element_ns > even_ns;
    const bool claimed = uneven || in_turn;
    const bool adds = w.what.kind == skeleton::accumulate && !has_one_copy(w.what.rule);
    const std::size_t wanted = adds ? copies_worth(w, how) : how.cores;
    const std::size_t threads = std::min(wanted, static_cast<std::size_t>(lead.members()));
    const std::size_t takers = w.red_black() ? threads : wanted; // its shares wait for each other
    const std::size_t shares = cpu::share_count(w, uneven ? small_shares(w, how, takers) : takers);
    const bool own_copies = adds && uneven; // the threads'; else one for each share, to keep the order
    const std::size_t copies = own_copies ? threads : shares;
    cpu::partials partials(w, copies);
    if (const std::size_t bytes = cpu::bytes_to_begin_with(w); bytes > 0)
        copy_by_all(lead, bytes, [&](std::size_t first, std::size_t last) { cpu::begin_with(w, first, last); });
    std::atomic<std::size_t> next{0};
    first_fault fault;
    const auto body = [&](int thread, int) {
        const auto mine = static_cast<std::size_t>(thread);
        const auto following = [&](std::size_t k) { return claimed ? next.fetch_add(1) : k + threads; };
        if (mine >= threads) return;
        try {
            const in_user_code mark;
            for (std::size_t k = claimed ? next.fetch_add(1) : mine; k < shares; k = following(k))
                cpu::run_share(w, partials, k, shares, own_copies ? mine : k);
        } catch (...) {
            fault.set(std::current_exception());
        }
    };
    lead.run(body);
    if (fault.get()) return fault.get();
    if (adds && copies > 1) {
        join_copies(w, partials, copies, lead, fault);
        return fault.get();
    }
    const in_user_code mark;
    cpu::finish(w, partials, copies);
    return nullptr;
}

bool run_on_all_cores(const engine& e, const call& c, const slot_view* views)
{
    team_lead lead(leader::caller);
    if (!lead) return false;
    const skeleton kind = c.site->what.kind;
    const std::size_t elements = evaluations(c);
    const team_share how{c.site->core.near(elements), 0, e.devices().cores()};
    const segment all = space_of(c);
    const auto begin = std::chrono::steady_clock::now();
    const std::exception_ptr what = kind == skeleton::stencil
                                        ? run_in_shares(inline_stencil(c, views).what(), how, lead)
                                        : run_in_shares(whole_work(c, all, views), how, lead);
    if (what) std::rethrow_exception(what);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (lead.has_most() && compute_right::cores_left(how.cores) == how.cores)
        learn_from(e.learnt.models, c.site->what, c.site->team, executor::team, elements, took.count());
    return true;
}

} // namespace skelrt::detail
