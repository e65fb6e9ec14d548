#include "src/bench/overhead/overhead.hpp"

#include "src/bench/commands.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace bench
{

runner declare_overhead(CLI::App& app)
{
    struct options : overhead_options {
        std::string only;
    };
    auto o = std::make_shared<options>();
    app.add_option("--only", o->only, "inline, plan, task or compile; default: all")
        ->check(CLI::IsMember({"inline", "plan", "task", "compile"}));
    app.add_option("--n", o->n, "elements of an inline call")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--tile", o->tile, "elements of a task's tile")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--compiler", o->compiler, "compiler to measure; default: $CXX, else g++");
    app.add_option("--include", o->include, "folder of skelrt's headers; default: those it was built with");
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
