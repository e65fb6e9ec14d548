// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/network/network.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <limits>

namespace skelrt::detail
{

namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

void check_measured(const network_peaks& n)
{
    if (n.message_us.value <= 0)
        throw error("nobody has measured the network: mpirun -n 2 --map-by ppr:1:node skelrt calibrate --network");
}

/// All that goes to a rank in one exchange.
struct arrivals {
    double first_leaves = never, last_is_there = -never, load_us = 0;
};

} // namespace

message_cost cost_of_messages(const network_peaks& n)
{
    check_measured(n);
    return {n.message_us.value, n.overhead_us.value, 1 / n.bytes_per_us.value, 1 / n.copied_bytes_per_us.value};
}

message_cost cost_of_values(const network_peaks& n)
{
    check_measured(n);
    return {n.value_us.value, n.value_us.value, 1 / n.bytes_per_us.value, 1 / n.copied_bytes_per_us.value};
}

double us_of(const message_cost& c, double bytes) noexcept
{
    return c.alone_us + bytes * (c.byte_us + 2 * c.copied_byte_us);
}

clocks wires::exchange(const message_cost& c, std::span<const message> all, const clocks& ready)
{
    std::vector<arrivals> at(sends_until_.size());
    for (const message& m : all) {
        const double busy_us = c.in_a_row_us + m.bytes * (c.byte_us + c.copied_byte_us);
        const double leaves = std::max(ready[m.from], sends_until_[m.from]);
        sends_until_[m.from] = leaves + busy_us;
        arrivals& to = at[m.to];
        to.first_leaves = std::min(to.first_leaves, leaves);
        to.last_is_there = std::max(to.last_is_there, leaves + us_of(c, m.bytes));
        to.load_us += busy_us;
    }
    clocks done(at.size(), -never);
    for (std::size_t rank = 0; rank < at.size(); ++rank) {
        const arrivals& a = at[rank];
        if (a.load_us == 0) continue;
        // Many may send to one at once: then its end of the wire is what all wait for.
        const double takes_from = std::max(a.first_leaves, takes_until_[rank]);
        takes_until_[rank] = takes_from + a.load_us;
        done[rank] = std::max(a.last_is_there, takes_until_[rank] + c.alone_us - c.in_a_row_us);
    }
    return done;
}

double busiest_us(const message_cost& c, unsigned ranks, std::span<const message> all)
{
    return all.empty() ? 0 : std::ranges::max(wires(ranks).exchange(c, all, clocks(ranks)));
}

clocks after_join(const message_cost& c, double bytes, clocks at)
{
    const std::size_t ranks = at.size();
    const double hop_us = us_of(c, bytes);
    std::size_t top = 1;
    for (; top < ranks; top *= 2) // up: the rank `top` before takes what comes
        for (std::size_t rank = top; rank < ranks; rank += 2 * top)
            at[rank - top] = std::max(at[rank - top], at[rank] + hop_us);
    for (top /= 2; top > 0; top /= 2)
        for (std::size_t rank = top; rank < ranks; rank += 2 * top) at[rank] = at[rank - top] + hop_us;
    return at;
}

clocks after_all_gather(const message_cost& c, double bytes, clocks at)
{
    const std::size_t ranks = at.size();
    for (std::size_t have = 1; have < ranks; have *= 2) {
        const double hop_us = us_of(c, bytes * static_cast<double>(std::min(have, ranks - have)));
        clocks next(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            next[rank] = std::max(at[rank], at[(rank + have) % ranks] + hop_us);
        at = std::move(next);
    }
    return at;
}

} // namespace skelrt::detail
