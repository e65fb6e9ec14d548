// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// How long calls take on many ranks, as data: a share begins when what it reads is there, a message leaves when its
/// source is done, and values make the program wait (max-plus). Pure.
namespace skelrt::detail
{

/// What a call does next. All ranks do the same, each its part.
struct phase {
    enum class what : std::uint8_t {
        exchange, ///< messages of what an operand holds
        share,    ///< each rank's share of the call, or a pass like it
        gather,   ///< the program waits for a value of each rank
        join,     ///< the program waits for the combination of all values
        swap,     ///< the program waits for values of any length
        deliver,  ///< messages of what the share has made, to where the result lies
    };
    what kind;
    std::size_t operand = 0;       ///< exchange: number of the operand
    std::vector<message> messages; ///< exchange, swap, deliver
    double bytes = 0;              ///< gather, join: of one value
    double shares = 1;             ///< share: so many times the share's time
    bool of_edges = false;         ///< exchange: messages leave when the edges of what is held are done
};

/// A call on so many ranks.
struct call_phases {
    std::vector<double> share_us;    ///< of each rank; 0: none
    std::vector<double> extra_bytes; ///< that each rank holds during the call; empty: none does
    std::vector<phase> phases;
    std::vector<double> edges_us{}; ///< of each rank's share: what goes before the rest, if what it reads is there;
                                    ///< 0, or empty: the share is one piece
};

/// What a rank has done.
struct rank_total {
    std::uint64_t messages_sent = 0;
    double bytes_sent = 0;
    double share_us = 0; ///< of all shares
    double most_extra_bytes = 0;
};

class rank_clocks
{
public:
    /// Throws error where nobody has measured the network. One rank needs none.
    rank_clocks(const network_peaks& n, unsigned ranks);

    /// `operands`, `results`: numbers of containers, from 0 on. A call's shares wait for those of the call before:
    /// a rank's devices do one at a time.
    void play(const call_phases& c, std::span<const std::size_t> operands, std::span<const std::size_t> results);

    /// When the last rank is done with all.
    double end() const;
    const std::vector<rank_total>& totals() const noexcept { return totals_; }

private:
    /// When a container's part is as the last call leaves it; when its edges are.
    struct written {
        clocks all, edges;
    };
    written& of_container(std::size_t number);
    /// The share of a rank, from this moment on, or later if what others hold is not there. When its edges are done.
    double do_share(unsigned rank, double us, double edges_us, double others_there);
    void send(const phase& p, const message_cost& c, const clocks& ready, clocks& arrived);
    /// Each rank's program waits for its share and then for the others.
    void wait_together(const call_phases& c, clocks (*after)(const message_cost&, double, clocks), double bytes);
    clocks when_programs_wait(const call_phases& c) const;

    message_cost messages_{}, values_{};
    wires wires_;
    clocks program_, devices_;
    std::vector<written> written_; ///< of each container
    std::vector<rank_total> totals_;
};

} // namespace skelrt::detail
