// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

/// Calls that reductions and scans over ranks are made of, beside themselves. They live as long as the process. Any
/// thread.
namespace skelrt::detail
{

/// The reduction of what a scan runs over: of all elements, or of each column.
call_site& reduction_of(const recipe& scan);
/// The same of such results: what ranks have made each.
call_site& reduction_of_results(const recipe& made_by);

} // namespace skelrt::detail
