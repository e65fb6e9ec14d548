#pragma once

#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <vector>

/// Trials, for `skelrt tune`: SKELRT_TRIAL=file has every call waited for, and its time noted in the file.
namespace skelrt::detail
{

/// Whether this process is a trial. There, a call that cannot obey the plan is placed automatically, and said to be so,
/// instead of ending the program.
bool is_trial() noexcept;

/// In a trial: waits for what is under way, and at its end for the call; notes the time in between, copies included.
class timed_call
{
public:
    timed_call(engine& e, const call& c, const plan_range* obeyed);
    ~timed_call();
    timed_call(const timed_call&) = delete;
    timed_call& operator=(const timed_call&) = delete;

private:
    engine& engine_;
    const call* call_ = nullptr; ///< null: no trial
    double begin_us_ = 0;
    int exceptions_ = 0;
};

/// The call under way on this thread does not obey its plan.
void note_disobedience() noexcept;

} // namespace skelrt::detail
