// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/policies.hpp"

#include <cstdio>

/// The names of all policies, StarPU's and ours, one a line.
int main()
{
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p) std::puts((*p)->policy_name);
    for (const starpu_sched_policy* p : skelrt::schedulers::all_policies()) std::puts(p->policy_name);
}
