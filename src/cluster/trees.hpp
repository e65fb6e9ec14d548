// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

/// What all ranks come to know together, over the value plane of `peers`. All ranks call each of these, in the same
/// order; each waits for what it needs. All bits are the same everywhere.
namespace skelrt::detail
{

class peers;

/// Every rank's value becomes that of `root`. log2(ranks) messages one after the other.
void broadcast(peers& others, std::span<std::byte> value, int root = 0);

/// left := left (op) right, for two values of one size.
using combiner = std::function<void(std::span<std::byte> left, std::span<const std::byte> right)>;

/// On rank 0, `value` becomes the combination of the values of all ranks that have one, in the order of the ranks; the
/// operator need not commute. Elsewhere it is what is left of the way. Whether rank 0 has one: none does if no rank
/// has. The answer is rank 0's only.
bool reduce_in_order(peers& others, std::span<std::byte> value, bool has_value, const combiner& combine);
/// The same for all ranks: rank 0's bits. Whether there is a value.
bool reduce_to_all(peers& others, std::span<std::byte> value, bool has_value, const combiner& combine);

/// All ranks' values, one behind the other in the order of the ranks. `sizes`: how long each is, which all ranks know.
std::vector<std::byte> all_gather(peers& others, std::span<const std::byte> mine, std::span<const std::size_t> sizes);
/// The same for values as long as each other.
std::vector<std::byte> all_gather(peers& others, std::span<const std::byte> mine);
/// The same for values that are bytes.
template <class T>
std::vector<T> gather_values(peers& others, std::span<const T> mine)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::byte> all = all_gather(others, std::as_bytes(mine));
    std::vector<T> values(all.size() / sizeof(T));
    if (!all.empty()) std::memcpy(values.data(), all.data(), all.size());
    return values;
}

} // namespace skelrt::detail
