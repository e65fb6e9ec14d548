// SPDX-License-Identifier: BSD-3-Clause
#include <starpu.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

/// A program that knows StarPU and nothing else: STARPU_SCHED_LIB brings it one of our policies. Argument: the policy's
/// name.

namespace
{

void add_one(void* buffers[], void*) { ++*reinterpret_cast<int*>(STARPU_VARIABLE_GET_PTR(buffers[0])); }

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2 || starpu_init(nullptr) != 0) return 2;
    const bool right_policy = std::strcmp(starpu_sched_get_sched_policy()->policy_name, argv[1]) == 0;

    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = add_one;
    codelet.nbuffers = 1;
    codelet.modes[0] = STARPU_RW;

    std::vector<int> values(100, 0);
    for (int& v : values) {
        starpu_data_handle_t handle = nullptr;
        starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&v), sizeof v);
        for (int i = 0; i < 10; ++i)
            if (starpu_task_insert(&codelet, STARPU_RW, handle, 0) != 0) return 2;
        starpu_data_unregister_submit(handle);
    }
    starpu_task_wait_for_all();
    bool right = right_policy;
    for (const int v : values) right = right && v == 10;
    std::printf("policy %s: %s\n", starpu_sched_get_sched_policy()->policy_name, right ? "right" : "wrong");
    starpu_shutdown();
    return right ? 0 : 1;
}
