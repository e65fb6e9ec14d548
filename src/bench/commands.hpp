#pragma once

#include "src/bench/shared/report.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace CLI
{
class App;
}

namespace bench
{

/// Runs a sub-command; the result is the exit status.
using runner = std::function<int(report&)>;

// Each declares its options and returns what to run once they are read.
runner declare_stream(CLI::App& app);
runner declare_overhead(CLI::App& app);
runner declare_threads(CLI::App& app);
runner declare_farm(CLI::App& app);
runner declare_mixes(CLI::App& app);
runner declare_divide(CLI::App& app);
runner declare_pipeline(CLI::App& app);
runner declare_tasks(CLI::App& app);
runner declare_cholesky(CLI::App& app);
runner declare_summa(CLI::App& app);
runner declare_onepass(CLI::App& app);
runner declare_scan(CLI::App& app);
runner declare_compact(CLI::App& app);
runner declare_algorithms(CLI::App& app);
runner declare_transpose(CLI::App& app);
runner declare_sort(CLI::App& app);
runner declare_matmul(CLI::App& app);
runner declare_stencil(CLI::App& app);
runner declare_wavefront(CLI::App& app);
runner declare_hybrid(CLI::App& app);
runner declare_first_calls(CLI::App& app);
runner declare_residency(CLI::App& app);
runner declare_out_of_core(CLI::App& app);
runner declare_cg(CLI::App& app);
runner declare_sor(CLI::App& app);
runner declare_ode(CLI::App& app);
runner declare_compare(CLI::App& app);
runner declare_cost(CLI::App& app);

} // namespace bench
