// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/fault_state.hpp"

/// What this rank knows to be wrong with elements that other ranks hold. Messages say nothing of faults: a rank that
/// sends what it failed to make remembers that for the container that became of it, of which it may hold nothing, and
/// tells it where all ranks wait for that container. So all ranks end alike.
///
/// Threads: the program's.
namespace skelrt::detail
{

struct storage;

/// Gathers what becomes of several operands.
class gathered_faults
{
public:
    /// What is known of elements elsewhere.
    void add_foreign(storage& s);
    /// What is wrong, or may still go wrong, with the elements here.
    void add_own(storage& s);
    void add(const shared_windows& others);
    const shared_windows& all() const noexcept { return all_; }

private:
    void add(const fault_window& w);

    shared_windows all_;
};

/// `s` is made of what these are of: all of it, or some of it.
void note_foreign_faults(storage& s, const gathered_faults& of, bool all_of_it);

/// The first, or null, when all calls are done: waits for them, if any is in question.
std::exception_ptr settled_fault(const shared_windows& of);
/// Throws it. Where all ranks wait for the container anyhow.
void check_foreign_faults(storage& s);

} // namespace skelrt::detail
