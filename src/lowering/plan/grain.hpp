// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/plan/cost.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// How finely containers are cut. Coarse tiles cost least where calls follow each other on one device; a call by
/// itself, on data that comes from the host and goes back there, needs enough of them that devices can share it.
namespace skelrt::detail
{

/// The number of tiles that makes a call shortest, or `coarse` if that is hardly longer. `devices`: all of the call on
/// each of them, copies included; `containers`: that are cut; `split_us`: what it costs that several devices share the
/// call. Pure.
std::size_t choose_grain(std::span<const load> devices, std::size_t coarse, std::size_t containers,
                         double split_us = 0);

/// As the size of the containers says.
std::size_t usual_grain(const call& c);

/// Tiles that the containers of this call should have; 0: as their sizes say, or as they are. `run`: calls that are
/// expected to use the data, this one included; 0: nobody knows. Under the order's lock.
std::size_t wanted_grain(const engine& e, const call& c, const std::vector<const target*>& targets, std::size_t run);

/// How many calls, this one included, are likely to use the data of this call before the host does; 0: nobody knows.
/// Under the order's lock.
std::size_t expected_run(const engine& e, const call& c);

} // namespace skelrt::detail
