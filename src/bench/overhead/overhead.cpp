// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/overhead/overhead.hpp"

#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"

#include <memory>

namespace bench
{

runner declare_overhead(apps::option_list& line)
{
    struct options : overhead_options {
        std::string only;
    };
    auto o = std::make_shared<options>();
    line.one_of("--only", o->only, {"inline", "plan", "task", "compile"},
                "inline, plan, task or compile; default: all");
    line.positive("--n", o->n, "elements of an inline call");
    line.positive("--tile", o->tile, "elements of a task's tile");
    line.positive("--repeat", o->repeat, "rounds");
    line.without_default("--compiler", o->compiler, "compiler to measure; default: $CXX, else g++");
    line.without_default("--include", o->include, "folder of skelrt's headers; default: those it was built with");
    return [o](report& out) {
        if (o->only.empty() || o->only == "inline") measure_inline(out, *o);
        if (o->only.empty() || o->only == "plan")
            measure_plan(out, *o); // before a policy is chosen: it would place all
        if (o->only.empty() || o->only == "task") measure_task(out, *o);
        if (o->only.empty() || o->only == "compile") measure_compile(out, *o);
        return 0;
    };
}

} // namespace bench
