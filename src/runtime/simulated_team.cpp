#include "src/runtime/team.hpp"

/// No threads: a team's task is simulated on its leading worker, with the team's model.
namespace skelrt::detail
{

void start_team(const std::vector<int>&, bool) {}
void stop_team() noexcept {}
void run_team(member_body body) noexcept { body(0, 1); }
bool run_team_here(member_body) noexcept { return false; }
std::unique_lock<std::mutex> try_to_lead_team() noexcept { return {}; }
bool run_led_team(member_body) noexcept { return false; }

in_user_code::in_user_code() noexcept : before_(false) {}
in_user_code::~in_user_code() { static_cast<void>(before_); }
bool inside_user_code() noexcept { return false; }

void idle_worker() noexcept {}
void rouse_worker() noexcept {}

} // namespace skelrt::detail
