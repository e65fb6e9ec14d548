// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"

#include <span>

/// What messages between ranks take. Pure.
namespace skelrt::detail
{

/// A message of so many bytes, alone: from the end of the task that writes it to the begin of the one that reads it, in
/// microseconds. L + 2 o + b G + 2 b C. Negative: nobody has measured the network.
double message_us(const network_peaks& n, double bytes) noexcept;

struct timed_message {
    double bytes, us;
};
/// The network that these times tell of: a line with the least relative errors. `messages`: each alone, of two or more
/// sizes, with a copy at both ends; `us_in_a_row`: for each of many small ones; `copied_bytes_per_us`: one copy.
network_peaks fit_network(double value_us, std::span<const timed_message> messages, double us_in_a_row,
                          double copied_bytes_per_us);

} // namespace skelrt::detail
