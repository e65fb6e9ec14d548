// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/raw_tasks.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace bench
{

raw_values::raw_values(std::size_t n) : values_(n), handles_(n)
{
    std::iota(values_.begin(), values_.end(), 0u);
    for (std::size_t i = 0; i < n; ++i)
        starpu_variable_data_register(&handles_[i], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&values_[i]),
                                      sizeof values_[i]);
}

raw_values::~raw_values()
{
    for (starpu_data_handle_t h : handles_) starpu_data_unregister(h);
}

starpu_codelet raw_codelet(void (*function)(void**, void*), std::size_t values, starpu_data_access_mode last)
{
    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = function;
    codelet.nbuffers = static_cast<int>(values);
    for (std::size_t i = 0; i + 1 < values; ++i) codelet.modes[i] = STARPU_R;
    if (values > 0) codelet.modes[values - 1] = last;
    codelet.name = "raw task";
    return codelet;
}

void submit_raw(starpu_codelet& codelet, std::span<const starpu_data_handle_t> values, void* argument)
{
    starpu_task* const task = starpu_task_create();
    task->cl = &codelet;
    for (std::size_t i = 0; i < values.size(); ++i) task->handles[i] = values[i];
    task->cl_arg = argument;
    if (starpu_task_submit(task) != 0) throw std::runtime_error("raw StarPU: a task was refused");
}

} // namespace bench
