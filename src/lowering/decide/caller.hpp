// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/caller/learn_costs.hpp"
#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>

#include <algorithm>

namespace skelrt::detail
{

/// Whether the calling thread does a call itself, alone or leading all cores: decided in the order in which more
/// becomes known of it. One thread's, for one call.
class caller_decision
{
public:
    /// Before anybody has looked at the data.
    caller_decision(engine& e, const call& c, const request& r);

    caller_way way() const noexcept { return way_; }
    /// What an element costs the calling thread, and the whole call.
    const element_costs::cost& cost() const noexcept { return cost_; }
    double us() const noexcept { return us_; }

    /// Nobody knows what the call costs; a trial tells.
    bool wants_trial() const noexcept { return !cost_.known(); }
    void learns(const element_costs::cost& cost);
    /// The data is at hand: whether the call stays here, or goes where its episode goes. With the order's lock, if
    /// tasks know the data.
    bool stays()
    {
        if (way_ == caller_way::tasks) return false;
        of_episode_ = is_of_episode();
        return !of_episode_ || !is_worth_an_episode() || episode_keeps_it();
    }
    /// Another thread leads the cores: rather than wait for it, the calling thread does alone what does not take it
    /// long.
    void cores_are_taken();
    /// The calling thread has done the call.
    void is_done()
    {
        if (of_episode_) tell_episode();
    }

    /// The user did not say where it should run.
    bool is_free() const noexcept { return free_; }

private:
    void set(const element_costs::cost& cost);
    bool is_worth_an_episode() const noexcept { return takes_us_ >= episodes::worth_an_episode_us; }
    bool is_of_episode() const noexcept
    {
        const double longest_us = std::max(engine_.wanted.inline_limit_us, tuning::not_worth_a_gpu_us);
        return free_ && takes_us_ <= longest_us && (is_worth_an_episode() || episodes_->waits());
    }
    bool episode_keeps_it();
    void tell_episode();

    engine& engine_;
    const call& call_;
    const device_set kinds_;
    const bool free_;
    bool of_episode_ = false;
    caller_way way_ = caller_way::tasks;
    element_costs::cost cost_;
    double us_ = 0;       ///< alone
    double takes_us_ = 0; ///< its way
    episodes* episodes_ = nullptr;
};

/// How long a call may keep the calling thread: one that leads the cores does not submit what comes next. For ever, if
/// it has a core of its own.
double longest_on_calling_thread_us(const engine& e, device_set kinds) noexcept;

} // namespace skelrt::detail
