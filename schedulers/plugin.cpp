// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/policies.hpp"

/// What StarPU looks up in the library of STARPU_SCHED_LIB.
extern "C"
{

    __attribute__((visibility("default"))) starpu_sched_policy* starpu_get_sched_lib_policy(const char* name)
    {
        return skelrt::schedulers::find_policy(name);
    }

    /// For STARPU_SCHED=help; ends with a null pointer.
    __attribute__((visibility("default"))) starpu_sched_policy** starpu_get_sched_lib_policies(void)
    {
        return skelrt::schedulers::all_policies().data();
    }
}
