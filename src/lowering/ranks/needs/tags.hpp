// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace skelrt::detail
{

/// What a message of the data plane is known by on both sides: the call's number, the hash of all calls so far, so that
/// ranks which have parted never take each other's messages for their own, and the number of the message among the
/// call's from that rank to this. One bit says which of the two sends: StarPU-MPI takes no equal tags both ways at
/// once.
constexpr std::int64_t message_tag(std::uint64_t call, std::uint64_t hash, std::uint32_t number, bool upwards) noexcept
{
    constexpr int hash_bits = 14, number_bits = 11, call_bits = 36;
    const std::uint64_t calls = call & ((std::uint64_t{1} << call_bits) - 1);
    const std::uint64_t hashes = (hash ^ hash >> 32) & ((std::uint64_t{1} << hash_bits) - 1);
    return static_cast<std::int64_t>(((calls << hash_bits | hashes) << number_bits | number) << 1 | (upwards ? 1 : 0));
}

/// Messages of one call from one rank to another.
constexpr std::uint32_t most_messages = std::uint32_t{1} << 11;

} // namespace skelrt::detail
