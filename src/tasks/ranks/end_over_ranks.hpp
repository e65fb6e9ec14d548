// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/fault_state.hpp"
#include "src/tasks/task_end.hpp"

#include <skelrt/detail/items/task_call.hpp>

#include <memory>
#include <string>
#include <vector>

namespace skelrt::detail
{

class engine;

/// What the future of a task of several ranks is on, on each of them: the task itself where it runs, nothing elsewhere,
/// where it counts as done. Its end and its result go to where later tasks want them, and to all in join().
///
/// Lifetime: as started_work. Threads: the program's; done(), wait(), cancel() any.
class end_over_ranks final : public started_work
{
public:
    /// `runner`: a rank, or task_share::everybody.
    end_over_ranks(std::shared_ptr<task_body> body, int runner, std::string title, caller where, unsigned ranks);
    /// Where it runs.
    void set_here(std::shared_ptr<task_end> here) noexcept { here_ = std::move(here); }
    /// What this rank knows to be wrong with what other ranks read in it: see foreign_faults.hpp.
    void set_foreign(const shared_windows& foreign) noexcept { foreign_ = foreign; }
    const shared_windows& foreign() const noexcept { return foreign_; }

    /// A task of `runner` needs this one's result, or its end: it goes there, if it is not there yet. All ranks call it
    /// with the number of the message. Throws error, on all alike, for results that cannot go.
    void bring_to(engine& e, int runner, bool with_result, unsigned number, const std::string& by);
    /// What a task on this rank waits for; null: nothing.
    std::shared_ptr<started_work> here() const noexcept { return here_ ? here_ : arrived_; }

    bool done() const noexcept override;
    void wait() noexcept override;
    void join() override;
    void cancel() noexcept override;
    std::exception_ptr error() noexcept override;
    std::string title() const override { return title_; }

private:
    void take_from_others();

    const std::shared_ptr<task_body> body_;
    const int runner_;
    const std::string title_;
    const caller where_;
    std::shared_ptr<task_end> here_, arrived_; ///< arrived: another rank's result is here
    shared_windows foreign_;
    std::vector<bool> known_at_; ///< ranks that have it, or will
    bool joined_ = false;
    std::exception_ptr failed_; ///< as all ranks know it
};

} // namespace skelrt::detail
