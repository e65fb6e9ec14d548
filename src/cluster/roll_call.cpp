// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/roll_call.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

std::string text_of(std::size_t rank, const rank_answer& a)
{
    const std::string after = text_of(a.where.last);
    switch (a.what) {
    case rank_answer::computes:
        return fmt::format("rank {} is in its own code after {}", rank, after);
    case rank_answer::waits:
        return fmt::format("rank {} waits in {} for rank {}", rank, after, a.where.for_rank);
    case rank_answer::left:
        return fmt::format("rank {} left its program after {}", rank, after);
    case rank_answer::silent:
        break;
    }
    return fmt::format("rank {} does not answer", rank);
}

/// Of those that `named` says; not of all of a thousand.
template <class Named>
std::string list(const std::vector<rank_answer>& ranks, Named named)
{
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t n = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (named(ranks[r]) && n++ < most) text += (text.empty() ? "" : "; ") + text_of(r, ranks[r]);
    return n > most ? fmt::format("{}; and {} more", text, n - most) : text;
}

} // namespace

roll_call_result judge(const std::vector<rank_answer>& ranks, long waited_s)
{
    const auto all = [](const rank_answer&) { return true; };
    const auto is = [](rank_answer::state what) { return [what](const rank_answer& a) { return a.what == what; }; };
    if (std::ranges::any_of(ranks, is(rank_answer::silent)))
        return {roll_call_result::lost, fmt::format("{} for {} s (SKELRT_CLUSTER_PATIENCE); all ranks: {}",
                                                    list(ranks, is(rank_answer::silent)), waited_s, list(ranks, all))};
    if (std::ranges::any_of(ranks, is(rank_answer::computes)))
        return {roll_call_result::go_on,
                fmt::format("{} s of waiting so far: {}", waited_s, list(ranks, is(rank_answer::computes)))};
    return {roll_call_result::deadlock,
            fmt::format("all ranks wait for each other: {}. All ranks must make the same calls, and read the same "
                        "results on the host",
                        list(ranks, all))};
}

} // namespace skelrt::detail
