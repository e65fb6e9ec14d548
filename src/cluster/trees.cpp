#include "src/cluster/trees.hpp"

#include "src/cluster/peers.hpp"

#include <algorithm>
#include <cstring>

namespace skelrt::detail
{

namespace
{

/// A value of a rank that may have none, as it travels: one byte that says so, and the value.
std::vector<std::byte> as_message(std::span<const std::byte> value, bool there)
{
    std::vector<std::byte> message(value.size() + 1);
    message[0] = std::byte{there};
    if (there) std::ranges::copy(value, message.begin() + 1);
    return message;
}

void send_one(peers& others, int to, std::span<const std::byte> bytes)
{
    const outgoing one{to, bytes};
    others.swap_values({&one, 1}, {});
}

void receive_one(peers& others, int from, std::span<std::byte> bytes)
{
    const incoming one{from, bytes};
    others.swap_values({}, {&one, 1});
}

} // namespace

/// A binomial tree over ranks counted from the root. A rank has the value once the distance reaches its lowest bit.
void broadcast(peers& others, std::span<std::byte> value, int root)
{
    const int n = others.size(), me = (others.rank() - root + n) % n;
    const auto rank_of = [&](int counted) { return (counted + root) % n; };
    int distance = 1;
    while (distance < n && !(me & distance)) distance *= 2;
    if (me != 0) receive_one(others, rank_of(me - distance), value);
    std::vector<outgoing> out;
    for (int d = distance / 2; d > 0; d /= 2)
        if (me + d < n) out.push_back({rank_of(me + d), value});
    others.swap_values(out, {});
}

/// A rank holds the combination of the run of ranks that begins with it, and joins it with the run that follows.
bool reduce_in_order(peers& others, std::span<std::byte> value, bool has_value, const combine_values& combine)
{
    const int n = others.size(), me = others.rank();
    std::vector<std::byte> next(value.size() + 1);
    for (int distance = 1; distance < n; distance *= 2) {
        if (me & distance) {
            send_one(others, me - distance, as_message(value, has_value));
            break;
        }
        if (me + distance >= n) continue;
        receive_one(others, me + distance, next);
        if (next[0] == std::byte{0}) continue;
        const std::span<const std::byte> right = std::span(next).subspan(1);
        if (has_value) combine(value, right);
        else std::ranges::copy(right, value.begin());
        has_value = true;
    }
    return has_value;
}

bool reduce_to_all(peers& others, std::span<std::byte> value, bool has_value, const combine_values& combine)
{
    const bool there = reduce_in_order(others, value, has_value, combine);
    std::vector<std::byte> result = as_message(value, there);
    broadcast(others, result);
    if (result[0] == std::byte{0}) return false;
    std::ranges::copy(std::span(result).subspan(1), value.begin());
    return true;
}

/// Bruck, 1997: each round doubles what a rank has, of itself and the ranks after it.
std::vector<std::byte> all_gather(peers& others, std::span<const std::byte> mine)
{
    const auto n = static_cast<std::size_t>(others.size()), me = static_cast<std::size_t>(others.rank());
    const std::size_t bytes = mine.size();
    std::vector<std::byte> from_me(n * bytes);
    std::ranges::copy(mine, from_me.begin());
    for (std::size_t have = 1; have < n; have *= 2) {
        const std::size_t more = std::min(have, n - have);
        const outgoing out{static_cast<int>((me + n - have) % n), std::span(from_me).first(more * bytes)};
        const incoming in{static_cast<int>((me + have) % n), std::span(from_me).subspan(have * bytes, more * bytes)};
        others.swap_values({&out, 1}, {&in, 1});
    }
    std::ranges::rotate(from_me, from_me.end() - static_cast<std::ptrdiff_t>(me * bytes)); // from rank 0 on
    return from_me;
}

} // namespace skelrt::detail
