// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/waits/patient_wait.hpp"

#include "src/cluster/mpi/session.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <chrono>

#include <sched.h>

namespace skelrt::detail
{

void answer_partings(const wait_ground& ground)
{
    while (const auto p = ground.others.next_parting()) {
        const auto &mine = ground.calls.last(), &its = p->calls;
        ground.others.fail(p->from < ground.rank ? difference(p->from, its, ground.rank, mine)
                                                 : difference(ground.rank, mine, p->from, its));
    }
}

patient_wait::patient_wait(const wait_ground& ground, std::span<const outgoing> out, std::span<const incoming> in)
    : ground_(ground), in_(in), roll_caller_(ground.others, ground.patience)
{
    const int for_rank = !in.empty() ? in[0].from : !out.empty() ? out[0].to : ground.rank;
    ground.others.set_place({true, for_rank, ground.calls.newest()});
}

patient_wait::~patient_wait() { ground_.others.set_place({false, -1, ground_.calls.newest()}); }

void patient_wait::note_progress() noexcept
{
    if (rounds_ > 0) roll_caller_.reset();
    rounds_ = 0;
}

void patient_wait::go_on()
{
    constexpr unsigned rounds_a_look = 64, rounds_awake = 256; // some ten microseconds: values come soon, if at all
    if (++rounds_ % rounds_a_look == 0) look();
    if (rounds_ > rounds_awake) sched_yield(); // the core may be needed by who is waited for
}

void patient_wait::fail(const std::string& text)
{
    ground_.others.fail(text);
    throw error(ground_.others.failure().value_or(text)); // which may be an earlier one
}

void patient_wait::look()
{
    ground_.others.look();
    answer_partings(ground_);
    if (const auto why = ground_.others.failure()) throw error(*why);
    refuse_leavers();
    call_the_roll();
}

void patient_wait::refuse(int from, std::uint64_t its_calls)
{
    constexpr std::chrono::seconds long_enough{5}; // for who is in its own code and does not look
    ground_.others.part(from, ground_.calls.last());
    using clock = std::chrono::steady_clock;
    for (const auto begin = clock::now(); clock::now() - begin < long_enough; sched_yield()) look();
    fail(difference(ground_.rank, ground_.calls.last(), from, its_calls));
}

/// Who made this call before it left has sent what belongs to it.
void patient_wait::refuse_leavers()
{
    for (const incoming& i : in_) {
        const auto left = ground_.others.left(i.from);
        if (!left || left->calls >= ground_.calls.calls()) continue;
        fail(fmt::format("rank {} left its program after {}{}, and rank {} waits for it in {}; all ranks must make the "
                         "same calls until their sk::runtime ends",
                         i.from, text_of(left->last), left->under_exception ? ", with an exception under way" : "",
                         ground_.rank, text_of(ground_.calls.newest())));
    }
}

void patient_wait::call_the_roll()
{
    const auto found = roll_caller_.conclusion();
    if (!found) return;
    if (found->what == roll_call_result::lost) abort_job(found->text);
    if (found->what == roll_call_result::deadlock) fail(found->text);
    ground_.warn(found->text.c_str());
}

} // namespace skelrt::detail
