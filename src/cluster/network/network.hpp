// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"

#include <span>
#include <vector>

/// What messages and values between ranks take, by the parameters of the network (LogGP, with copies). Pure.
namespace skelrt::detail
{

/// A message of one rank to another.
struct message {
    unsigned from = 0, to = 0;
    double bytes = 0;
    friend bool operator==(const message&, const message&) = default;
};

/// A moment of each rank, in microseconds.
using clocks = std::vector<double>;

/// What a message costs that goes one of the two ways: its first byte, as one more in a row, each byte on the wire, and
/// each byte copied at one end.
struct message_cost {
    double alone_us, in_a_row_us, byte_us, copied_byte_us;
};
/// Of messages, which tasks write and read; of values, which threads of the program swap. Throws error where nobody has
/// measured the network.
message_cost cost_of_messages(const network_peaks& n);
message_cost cost_of_values(const network_peaks& n);

/// What a message takes alone: alone_us + bytes * (byte_us + 2 * copied_byte_us).
double us_of(const message_cost& c, double bytes) noexcept;

/// The ends of all ranks' wires. A rank sends one message at a time, and takes one at a time, in any order.
class wires
{
public:
    explicit wires(unsigned ranks) : sends_until_(ranks), takes_until_(ranks) {}

    /// Messages leave when their sender is ready, those of a rank in their order. When each rank has all that goes to
    /// it; -infinity: nothing does. O(messages + ranks).
    clocks exchange(const message_cost& c, std::span<const message> all, const clocks& ready);

private:
    clocks sends_until_, takes_until_;
};

/// Until the last of these messages is there, all ranks being ready: what the busiest rank takes.
double busiest_us(const message_cost& c, unsigned ranks, std::span<const message> all);

// Values of so many bytes over the trees of src/cluster/trees.hpp: when each rank has the result, if it joins at this
// moment.
clocks after_join(const message_cost& c, double bytes, clocks at);       ///< reduce_to_all
clocks after_all_gather(const message_cost& c, double bytes, clocks at); ///< of each rank

} // namespace skelrt::detail
