// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/policy.hpp"

#include "schedulers/policies.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace skelrt::detail
{

std::string wanted_policy(const std::string& option)
{
    if (const auto name = env_text("STARPU_SCHED")) return *name;
    return option.empty() ? "skelrt" : option;
}

policy_choice::policy_choice(starpu_conf& conf, const std::string& name)
{
    conf.sched_policy = schedulers::find_policy(name);
    conf.sched_policy_name = conf.sched_policy ? nullptr : name.c_str();
    const char* set = std::getenv("STARPU_SCHED");
    if (!set || (*set && !conf.sched_policy)) return;
    hidden_ = set;
    unsetenv("STARPU_SCHED");
}

policy_choice::~policy_choice()
{
    if (hidden_) setenv("STARPU_SCHED", hidden_->c_str(), 1);
}

void check_policy(const std::string& wanted)
{
    const std::string runs = starpu_sched_get_sched_policy()->policy_name;
    if (runs != wanted)
        log_warning("policy {} is known neither to skelrt ({}) nor to StarPU (STARPU_SCHED=help lists them); {} runs "
                    "instead",
                    wanted, own_policies(), runs);
}

std::string own_policies()
{
    std::string names;
    for (const starpu_sched_policy* p : schedulers::all_policies())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", p->policy_name);
    return names;
}

} // namespace skelrt::detail
