// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/team.hpp"

/// No threads: a team's task is simulated on its leading worker, with the team's model.
namespace skelrt::detail
{

void start_team(const std::vector<int>&, bool) {}
void stop_team() noexcept {}

team_lead::team_lead(leader who) noexcept : here_(who == leader::caller) {} // no caller may lead
team_lead::~team_lead() = default;
void team_lead::run(member_body body) noexcept { body(0, members_); }

void caller_comes() noexcept {}
void caller_goes() noexcept {}
bool callers_meet() noexcept { return false; }
as_guest::as_guest() noexcept = default;
as_guest::~as_guest() = default;
void leave_as_guest() noexcept {}
void caller_is_here() noexcept {}
void caller_sleeps() noexcept {}

bool held_core::take() noexcept { return core_ < 0; } // nobody holds any
void held_core::leave() noexcept {}
bool held_core::is_wanted() const noexcept { return false; }
int free_cores() noexcept { return 0; }
void run_anywhere() noexcept {}

in_user_code::in_user_code() noexcept : before_(false) {}
in_user_code::~in_user_code() { static_cast<void>(before_); }

void idle_worker() noexcept {}
void wake_workers() noexcept {}
void rouse_worker() noexcept {}

} // namespace skelrt::detail
