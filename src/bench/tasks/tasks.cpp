#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/tasks/costs.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace bench
{

runner declare_tasks(CLI::App& app)
{
    struct options : task_options {
        std::string only;
    };
    auto o = std::make_shared<options>();
    app.add_option("--only", o->only, "empty, parts or grain; default: all")
        ->check(CLI::IsMember({"empty", "parts", "grain"}));
    app.add_option("--tasks", o->tasks, "without work, in a sample")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    return [o](report& out) {
        const auto rt = start_runtime("cpu");
        if (o->only.empty() || o->only == "empty") measure_empty_tasks(out, *o, *rt);
        if (o->only.empty() || o->only == "parts") measure_parts(out, *o, *rt);
        if (o->only.empty() || o->only == "grain") measure_grain(out, *o, *rt);
        return 0;
    };
}

} // namespace bench
