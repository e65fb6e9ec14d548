// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/error.hpp>

#include <exception>

/// What goes wrong on one rank goes wrong on all, where they wait for each other anyhow.
namespace skelrt::detail
{

class peers;

/// What went wrong on another rank, and is told there.
class told_elsewhere : public error
{
public:
    using error::error;
};

/// All ranks call it, each with what went wrong there, or null. Throws what the first of them has, on all of them: its
/// own, or an error that says "rank 2: " and its text; told_elsewhere only if none has more. log2(ranks) short messages
/// one after the other if all is well.
void throw_together(peers& others, const std::exception_ptr& mine);

/// All ranks call it, and do their part; what goes wrong in one of them, all throw.
template <class Do>
void together(peers& others, Do act)
{
    std::exception_ptr failed;
    try {
        act();
    } catch (...) {
        failed = std::current_exception();
    }
    throw_together(others, failed);
}

/// What goes wrong on this rank alone: the others' next wait throws it. Nothing without other ranks. Any thread.
void tell_others(const std::exception_ptr& what) noexcept;

/// For what only this rank can find wrong, where nobody waits.
template <class Do>
auto or_tell(Do act)
{
    try {
        return act();
    } catch (...) {
        tell_others(std::current_exception());
        throw;
    }
}

} // namespace skelrt::detail
