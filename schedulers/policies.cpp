// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/policies.hpp"

#include <array>

namespace skelrt::schedulers
{

std::span<starpu_sched_policy*> all_policies()
{
    static std::array<starpu_sched_policy*, 8> all{&skelrt_policy(), &smpss(),        &heft_tm(),       &heft_tm_pr(),
                                                   &heft_tmdp(),     &heft_tmdp_pr(), &static_device(), nullptr};
    return {all.data(), all.size() - 1};
}

starpu_sched_policy* find_policy(std::string_view name)
{
    for (starpu_sched_policy* p : all_policies())
        if (name == p->policy_name) return p;
    return nullptr;
}

} // namespace skelrt::schedulers
