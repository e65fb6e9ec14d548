#include "src/cluster/mpi/waits/patient_wait.hpp"

#include "src/cluster/mpi/session.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

bool is_same(const rank_answer& a, const rank_answer& b)
{
    return a.what == b.what && a.where.last.number == b.where.last.number && a.where.for_rank == b.where.for_rank;
}

} // namespace

void answer_partings(const wait_ground& ground)
{
    while (const auto p = ground.others.next_parting()) {
        const auto &mine = ground.calls.last(), &its = p->calls;
        ground.others.fail(p->from < ground.rank ? difference(p->from, its, ground.rank, mine)
                                                 : difference(ground.rank, mine, p->from, its));
    }
}

patient_wait::patient_wait(const wait_ground& ground, std::span<const outgoing> out, std::span<const incoming> in)
    : ground_(ground), in_(in)
{
    const int for_rank = !in.empty() ? in[0].from : !out.empty() ? out[0].to : ground.rank;
    ground.others.set_place({true, for_rank, ground.calls.newest()});
}

patient_wait::~patient_wait() { ground_.others.set_place({false, -1, ground_.calls.newest()}); }

void patient_wait::note_progress() noexcept
{
    if (state_ != waits || rounds_ > 0) waits_since_ = clock::now();
    rounds_ = 0;
    state_ = waits;
}

void patient_wait::go_on()
{
    constexpr unsigned rounds_a_look = 64;
    if (++rounds_ % rounds_a_look == 0) look();
    sched_yield(); // the core may be needed by who is waited for
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
    if (ground_.patience > std::chrono::seconds(0)) call_the_roll();
}

void patient_wait::refuse(int from, std::uint64_t its_calls)
{
    constexpr std::chrono::seconds long_enough{5}; // for who is in its own code and does not look
    ground_.others.part(from, ground_.calls.last());
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

/// Asks all where they are once patience is over. If that says that nobody can come it asks again a little later, for
/// answers are old when they come.
void patient_wait::call_the_roll()
{
    constexpr std::chrono::seconds a_little{1};
    const auto now = clock::now();
    if (state_ == waits) {
        if (now - waits_since_ < ground_.patience) return;
        ground_.others.ask_all();
        asked_ = now;
        state_ = has_asked;
        return;
    }
    const std::vector<rank_answer> answers = ground_.others.answers();
    const bool all_there =
        std::ranges::none_of(answers, [](const rank_answer& a) { return a.what == rank_answer::silent; });
    if (now - asked_ >= (all_there ? a_little : ground_.patience)) conclude(answers);
}

void patient_wait::conclude(const std::vector<rank_answer>& answers)
{
    const auto now = clock::now();
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(now - waits_since_).count();
    const roll_call_result r = judge(answers, waited);
    switch (r.what) {
    case roll_call_result::lost:
        abort_job(r.text);
    case roll_call_result::go_on:
        ground_.warn(r.text.c_str());
        break;
    case roll_call_result::deadlock:
        if (state_ == suspects && std::ranges::equal(answers, before_, is_same)) fail(r.text);
        before_ = answers;
        ground_.others.ask_all();
        asked_ = now;
        state_ = suspects;
        return;
    }
    waits_since_ = now;
    state_ = waits;
}

} // namespace skelrt::detail
