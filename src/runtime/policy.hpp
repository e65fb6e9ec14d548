// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <optional>
#include <string>

/// Which scheduling policy StarPU starts with.
namespace skelrt::detail
{

/// STARPU_SCHED, else what the options say, else "skelrt".
std::string wanted_policy(const std::string& option);

/// While it lives, StarPU starts with this policy, one of schedulers/ or of its own. STARPU_SCHED is hidden from it
/// then, for it would win over what is asked for here and mistake some names; afterwards it is as it was, for the
/// process's next runtime.
class policy_choice
{
public:
    policy_choice(starpu_conf& conf, const std::string& name);
    ~policy_choice();
    policy_choice(const policy_choice&) = delete;
    policy_choice& operator=(const policy_choice&) = delete;

private:
    std::optional<std::string> hidden_;
};

/// A warning if another policy runs than the one that was asked for.
void check_policy(const std::string& wanted);

/// The names of schedulers/, with commas.
std::string own_policies();

} // namespace skelrt::detail
