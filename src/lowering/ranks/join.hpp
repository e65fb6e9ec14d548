// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <exception>
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

/// A result that all ranks make of their shares, in the order of these steps.
class joint_result
{
public:
    virtual ~joint_result() = default;
    /// Throws, in front of all, for what deliver() would find wrong on this rank alone.
    virtual void check_place() const = 0;
    /// The share, on ranks that have one.
    virtual void run(const call_share& share, const run_local& run) = 0;
    /// What is of all ranks. `there`: this one has a share; `mine`: what went wrong here, which all throw.
    virtual void join(bool there, std::exception_ptr mine) = 0;
    /// To where the call wants it.
    virtual void deliver() const = 0;
};
void make_together(engine& e, const call& c, const call_share& share, const run_local& run, joint_result& result);

/// Of a call that has_partial_results(): runs the share, and brings the whole result to where the call wants it. All
/// ranks throw what the first of those that failed has.
void run_and_join(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
