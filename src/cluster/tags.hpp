// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/call_history.hpp"

#include <cstdint>

namespace skelrt::detail
{

/// The name of a message between two ranks, which both ends compute: the call, a part of the hash of all calls so far,
/// so that ranks that diverged never take each other's messages for their own, the message's number among the call's
/// between these two, and its direction, for StarPU-MPI keeps both in one table. Positive.
constexpr std::int64_t message_tag(const call_history& calls, unsigned number, int from, int to) noexcept
{
    constexpr unsigned call_bits = 36, hash_bits = 14, number_bits = 11;
    const auto low = [](std::uint64_t value, unsigned bits) { return value & ((std::uint64_t{1} << bits) - 1); };
    std::uint64_t tag = low(calls.calls(), call_bits);
    tag = tag << hash_bits | low(calls.hash(), hash_bits);
    tag = tag << number_bits | low(number, number_bits);
    return static_cast<std::int64_t>(tag << 1 | (from < to ? 1 : 0));
}

/// How many messages a call may send to one rank.
constexpr unsigned messages_a_call = 1u << 11;

} // namespace skelrt::detail
