#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// How many steps of an iteration are one call: it depends on who will do them.
namespace skelrt::detail
{

/// Whether the stencil's own function draws random numbers; maps among its arguments give the same in every step.
bool draws_numbers(const recipe& r);

/// What an exchange between ranks makes of the steps of a pass.
struct depth_of_exchange {
    unsigned least = 1;             ///< for the messages' sake, of cheap functions
    unsigned most_for_caches = ~0u; ///< more than that compute too much twice
};

/// How many steps a pass over the data should make: as many as suit every GPU that may do it, or else the cores.
unsigned steps_per_pass(const call& c, const depth_of_exchange& ranks = {});

/// Half steps of a red-black iteration that one task makes in place; 0: it cannot. Cores then share the rows, or a
/// single GPU has them all: several devices would have to wait for each other in each half step.
std::size_t half_steps_in_place(const call& c);

} // namespace skelrt::detail
