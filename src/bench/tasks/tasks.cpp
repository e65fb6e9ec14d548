// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/tasks/costs.hpp"

#include <memory>
#include <string>

namespace bench
{

runner declare_tasks(apps::option_list& line)
{
    struct options : task_options {
        std::string only;
    };
    auto o = std::make_shared<options>();
    line.one_of("--only", o->only, {"empty", "parts", "grain"}, "empty, parts or grain; default: all");
    line.positive("--tasks", o->tasks, "without work, in a sample");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) {
        const auto rt = start_runtime("cpu");
        if (o->only.empty() || o->only == "empty") measure_empty_tasks(out, *o, *rt);
        if (o->only.empty() || o->only == "parts") measure_parts(out, *o, *rt);
        if (o->only.empty() || o->only == "grain") measure_grain(out, *o, *rt);
        return 0;
    };
}

} // namespace bench
