// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/items/item_run.hpp"
#include "src/farm/ranks/outcome.hpp"
#include "src/program/started_work.hpp"

#include <skelrt/detail/caller.hpp>
#include <skelrt/detail/items/items.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

namespace skelrt::detail
{

class peers;
class running;

/// A farm as all ranks start it.
struct farm_start {
    const char* what; ///< "sk::farm"
    caller where;
    std::size_t count, first; ///< its items, and the number of the first
};

/// A farm whose items are dealt out to the ranks: a run of this rank's, and the results of all once the program, on all
/// ranks, has waited for it.
///
/// Threads: the program's makes it and waits for it; any may ask it and cancel it.
class dealt_run final : public started_work
{
public:
    /// All ranks call it. Throws error, on all of them alike, for results that cannot go to other ranks.
    static std::shared_ptr<dealt_run> start(running& r, peers& others, const farm_start& s,
                                            std::shared_ptr<item_source> items, const run_wishes& wishes,
                                            progress_teller::listener told);
    dealt_run(running& r, peers& others, const farm_start& s, std::shared_ptr<item_source> items,
              const run_wishes& wishes, progress_teller::listener told);

    /// This rank's items have ended.
    bool done() const noexcept override { return mine_->done(); }
    /// All ranks call it.
    void wait() noexcept override;
    void cancel() noexcept override { mine_->cancel(); }
    std::exception_ptr error() noexcept override { return together_ ? what_ : nullptr; }
    std::string title() const override { return farm_.title; }
    bool is_spread() const noexcept override { return !together_; }

private:
    void begin(const std::shared_ptr<dealt_run>& self);
    void bring_results_together();

    const std::uint64_t runtime_, call_; ///< numbers of the runtime, and of the call that started it
    const farm_start start_;
    const std::shared_ptr<item_source> items_;
    const dealt_farm farm_;
    const std::shared_ptr<item_run> mine_;
    std::atomic<bool> together_{false};
    std::exception_ptr what_; ///< went wrong, on any rank; once they are together
};

/// Throws error where nobody can wait for results of all ranks: inside items, and in threads of the program's own.
void require_program_of_ranks(const char* what, const started_work& of);

} // namespace skelrt::detail
