// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <algorithm>
#include <cstddef>

/// How many steps of an iteration are one call: it depends on who will do them.
namespace skelrt::detail
{

/// Whether the stencil's own function draws random numbers; maps among its arguments give the same in every step.
bool draws_numbers(const recipe& r);

constexpr unsigned deepest_pass = 64; ///< steps; as many as SKELRT_STEPS takes

/// What an exchange between ranks makes of the steps of a pass.
struct depth_of_exchange {
    unsigned least = 1;             ///< for the messages' sake, of cheap functions
    unsigned most_for_caches = ~0u; ///< more than that compute too much twice
};

/// Of so many that suit the devices, as many as suit the exchange.
constexpr unsigned wished_steps(unsigned usual, const depth_of_exchange& ranks) noexcept
{
    return std::max(std::min(usual, ranks.most_for_caches), ranks.least);
}

/// How many steps a pass over the data should make: as many as suit every GPU that may do it, or else the cores.
unsigned steps_per_pass(const call& c, const depth_of_exchange& ranks = {});

/// The same, for who does not know yet what an exchange makes of it.
struct pass_limits {
    unsigned usual = 1; ///< that suit the devices
    unsigned most = 1;  ///< that they can make
    bool told = false;  ///< SKELRT_STEPS says that there are `most`
};
pass_limits limits_of_pass(const call& c);

/// Half steps of a red-black iteration that one task makes in place; 0: it cannot, or several GPUs that share each half
/// step, and wait for each other, are sooner. Cores then share the rows, or one GPU has them all.
std::size_t half_steps_in_place(const call& c);

} // namespace skelrt::detail
