#pragma once

#include <exception>

/// What goes wrong on one rank goes wrong on all, where they wait for each other anyhow.
namespace skelrt::detail
{

class peers;

/// All ranks call it, each with what went wrong there, or null. Throws what the first of them has, on all of them: its
/// own, or an error that says "rank 2: " and its text. log2(ranks) short messages one after the other if all is well.
void throw_together(peers& others, const std::exception_ptr& mine);

/// What goes wrong on this rank alone: the others' next wait throws it. Nothing without other ranks. Any thread.
void tell_others(const std::exception_ptr& what) noexcept;

} // namespace skelrt::detail
