// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/waits/roll_caller.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

bool is_same(const rank_answer& a, const rank_answer& b)
{
    return a.what == b.what && a.where.last.number == b.where.last.number && a.where.for_rank == b.where.for_rank;
}

bool all_there(const std::vector<rank_answer>& answers)
{
    return std::ranges::none_of(answers, [](const rank_answer& a) { return a.what == rank_answer::silent; });
}

} // namespace

void roll_caller::reset() noexcept
{
    since_ = clock::now();
    state_ = waits;
}

void roll_caller::ask()
{
    others_.ask_all();
    asked_ = clock::now();
}

std::optional<roll_call_result> roll_caller::conclusion()
{
    constexpr std::chrono::seconds a_little{1};
    if (patience_ == std::chrono::seconds(0)) return {};
    const auto now = clock::now();
    if (state_ == waits) {
        if (now - since_ < patience_) return {};
        ask();
        state_ = has_asked;
        return {};
    }
    std::vector<rank_answer> answers = others_.answers();
    if (now - asked_ < (all_there(answers) ? a_little : patience_)) return {};
    roll_call_result found = judge(answers, std::chrono::duration_cast<std::chrono::seconds>(now - since_).count());
    if (found.what != roll_call_result::deadlock) {
        reset();
        return found;
    }
    if (state_ == suspects && std::ranges::equal(answers, before_, is_same)) return found;
    before_ = std::move(answers);
    state_ = suspects;
    ask();
    return {};
}

} // namespace skelrt::detail
