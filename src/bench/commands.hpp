// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/report.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace apps
{
class option_list;
}

namespace bench
{

/// Runs a sub-command; the result is the exit status.
using runner = std::function<int(report&)>;

// Each declares its options and returns what to run once they are read.
runner declare_stream(apps::option_list& line);
runner declare_overhead(apps::option_list& line);
runner declare_threads(apps::option_list& line);
runner declare_trace(apps::option_list& line);
runner declare_farm(apps::option_list& line);
runner declare_mixes(apps::option_list& line);
runner declare_divide(apps::option_list& line);
runner declare_pipeline(apps::option_list& line);
runner declare_tasks(apps::option_list& line);
runner declare_cholesky(apps::option_list& line);
runner declare_summa(apps::option_list& line);
runner declare_onepass(apps::option_list& line);
runner declare_scan(apps::option_list& line);
runner declare_compact(apps::option_list& line);
runner declare_algorithms(apps::option_list& line);
runner declare_irregular(apps::option_list& line);
runner declare_kernels(apps::option_list& line);
runner declare_transpose(apps::option_list& line);
runner declare_sort(apps::option_list& line);
runner declare_matmul(apps::option_list& line);
runner declare_stencil(apps::option_list& line);
runner declare_wavefront(apps::option_list& line);
runner declare_programs(apps::option_list& line);
runner declare_hybrid(apps::option_list& line);
runner declare_first_calls(apps::option_list& line);
runner declare_residency(apps::option_list& line);
runner declare_out_of_core(apps::option_list& line);
runner declare_cg(apps::option_list& line);
runner declare_sor(apps::option_list& line);
runner declare_ode(apps::option_list& line);
runner declare_tuning(apps::option_list& line);
runner declare_policies(apps::option_list& line);
runner declare_backends(apps::option_list& line);
runner declare_peers(apps::option_list& line);
runner declare_compare(apps::option_list& line);
runner declare_cost(apps::option_list& line);

} // namespace bench
