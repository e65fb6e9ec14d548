// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <vector>

/// Trials, for `skelrt tune`: SKELRT_TRIAL=file has every call waited for, and its time noted in the file.
namespace skelrt::detail
{

/// In a trial (settings::is_trial): waits for what is under way, and at its end for the call; notes the time in
/// between, copies included.
class timed_call
{
public:
    timed_call(engine& e, const call& c, const plan_range* obeyed) : engine_(e)
    {
        if (e.wanted.is_trial) [[unlikely]]
            begin(c, obeyed);
    }
    ~timed_call()
    {
        if (call_) [[unlikely]]
            end();
    }
    timed_call(const timed_call&) = delete;
    timed_call& operator=(const timed_call&) = delete;

private:
    void begin(const call& c, const plan_range* obeyed);
    void end();

    engine& engine_;
    const call* call_ = nullptr; ///< null: no trial
    double begin_us_ = 0;
    int exceptions_ = 0;
};

/// The call under way on this thread does not obey its plan: in a trial it is placed automatically, and said to be so,
/// instead of ending the program.
void note_disobedience() noexcept;

} // namespace skelrt::detail
