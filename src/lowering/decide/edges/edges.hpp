// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <vector>

/// Whether what other ranks wait for goes first: src/lowering/ranks/steps/edges_apart.hpp with this machine's models.
namespace skelrt::detail
{

class layout;

/// In so many tiles a lone device should find the grids of this share; 0: as they are.
std::size_t tiles_wanted_for_edges(const engine& e, const call& c, const std::vector<const target*>& targets);

/// The same decision with the segments at the share's edges in groups of their own, if that pays.
shared_decision with_edges_apart(const engine& e, const call& c, const layout& data, shared_decision made);

} // namespace skelrt::detail
