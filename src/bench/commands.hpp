#pragma once

#include "src/bench/shared/report.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace bench
{

class command_line;

/// Runs a sub-command; the result is the exit status.
using runner = std::function<int(report&)>;

// Each declares its options and returns what to run once they are read.
runner declare_stream(command_line& line);
runner declare_overhead(command_line& line);
runner declare_threads(command_line& line);
runner declare_farm(command_line& line);
runner declare_mixes(command_line& line);
runner declare_divide(command_line& line);
runner declare_pipeline(command_line& line);
runner declare_tasks(command_line& line);
runner declare_cholesky(command_line& line);
runner declare_summa(command_line& line);
runner declare_onepass(command_line& line);
runner declare_scan(command_line& line);
runner declare_compact(command_line& line);
runner declare_algorithms(command_line& line);
runner declare_transpose(command_line& line);
runner declare_sort(command_line& line);
runner declare_matmul(command_line& line);
runner declare_stencil(command_line& line);
runner declare_wavefront(command_line& line);
runner declare_hybrid(command_line& line);
runner declare_first_calls(command_line& line);
runner declare_residency(command_line& line);
runner declare_out_of_core(command_line& line);
runner declare_cg(command_line& line);
runner declare_sor(command_line& line);
runner declare_ode(command_line& line);
runner declare_compare(command_line& line);
runner declare_cost(command_line& line);

} // namespace bench
