// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <functional>

/// Calls whose result is made of all positions: each rank's partial result, joined with the others' in the order of the
/// ranks, which is that of the positions. Waits.
namespace skelrt::detail
{

class call_share;
class engine;
class peers;

/// Runs a call, or a rank's share of one, on this rank.
using run_local = std::function<void(const call&)>;

/// Runs a share whose results stay on this rank. What goes wrong goes with them to where all ranks wait: one alone may
/// not stop at a call that the others go on from.
void run_for_results(engine& e, const call& mine, const run_local& run);

/// Whether ranks leave partial results of such a call.
bool has_partial_results(const call& c) noexcept;

/// Of a call that has_partial_results(): runs the share, and brings the whole result to where the call wants it. All
/// ranks throw what the first of those that failed has.
void run_and_join(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
