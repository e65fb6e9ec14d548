// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/costs.hpp"
#include "src/bench/tasks/raw_tasks.hpp"

#include <fmt/core.h>
#include <skelrt/scalar.hpp>
#include <skelrt/task.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

/// Each of so many sets of values has its own chain of tasks.
constexpr std::size_t sets = 64, most_operands = 4;

using counter = std::uint32_t;
using operand_set = std::array<sk::scalar<counter>, most_operands>;

/// The last value counts the tasks.
void submit(operand_set& v, std::size_t operands)
{
    if (operands == 0) sk::task([] {});
    else if (operands == 1) sk::task([](counter& count) { count += 1; }, sk::inout(v[3]));
    else
        sk::task([](const counter&, const counter&, const counter&, counter& count) { count += 1; }, sk::in(v[0]),
                 sk::in(v[1]), sk::in(v[2]), sk::inout(v[3]));
}

void count_raw(void* buffers[], void* last)
{
    if (last)
        *reinterpret_cast<counter*>(STARPU_VARIABLE_GET_PTR(buffers[*static_cast<const std::size_t*>(last)])) += 1;
}

template <class Submit>
double seconds(std::size_t tasks, const Submit& submit_one)
{
    const double begin = now();
    for (std::size_t k = 0; k < tasks; ++k) submit_one(k % sets);
    starpu_task_wait_for_all();
    return now() - begin;
}

void compare(report& out, const task_options& o, std::size_t operands)
{
    std::vector<operand_set> ours(sets);
    const raw_values theirs(sets * most_operands);
    std::size_t last = operands - 1;
    starpu_codelet codelet = raw_codelet(count_raw, operands, STARPU_RW);
    std::vector<std::vector<starpu_data_handle_t>> handles(sets);
    for (std::size_t s = 0; s < sets; ++s)
        for (std::size_t i = 0; i < operands; ++i) handles[s].push_back(theirs[s * most_operands + i]);

    const auto our_tasks = [&] { return seconds(o.tasks, [&](std::size_t s) { submit(ours[s], operands); }); };
    const auto raw_tasks = [&] {
        return seconds(o.tasks,
                       [&](std::size_t s) { submit_raw(codelet, handles[s], operands > 0 ? &last : nullptr); });
    };
    out.heading(fmt::format("{} tasks without work, {} operands", o.tasks, operands));
    const auto t = alternate({{"skelrt", our_tasks}, {"raw StarPU", raw_tasks}}, 1, o.repeat);
    const auto work = fmt::format("tasks of {} operands", operands);
    const double tasks = static_cast<double>(o.tasks);
    out.row(work, "skelrt", t[0], tasks / t[0].median / 1e6, "Mtasks/s");
    out.row(work, "raw StarPU", t[1], tasks / t[1].median / 1e6, "Mtasks/s");
    if (operands > 0 && ours[0][3].get() + last != theirs.value(last)) // StarPU's began as its number
        throw std::runtime_error("tasks: not all of them ran");
    out.figure(fmt::format("task_{}_vs_starpu_us", operands), (t[0].median - t[1].median) / tasks * 1e6);
}

} // namespace

void measure_empty_tasks(report& out, const task_options& o, sk::runtime&)
{
    for (const std::size_t operands : {0, 1, 4}) compare(out, o, operands);
}

} // namespace bench
