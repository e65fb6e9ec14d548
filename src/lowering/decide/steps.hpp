#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// How many steps of an iteration are one call: it depends on who will do them.
namespace skelrt::detail
{

/// Whether the stencil's own function draws random numbers; maps among its arguments give the same in every step.
bool draws_numbers(const recipe& r);

/// How many steps a pass over the data should make: as many as suit every GPU that may do it, or else the cores.
unsigned steps_per_pass(const call& c);

/// Half steps of a red-black iteration that one task makes in place; 0: it cannot. Cores then share the rows, or a
/// single GPU has them all: several devices would have to wait for each other in each half step.
std::size_t half_steps_in_place(const call& c);

} // namespace skelrt::detail
