// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <functional>

/// Results that no cache holds until somebody reads them. A plain store reads the line that it overwrites: a map of one
/// vector to another moves three times its bytes then, not twice. Stores that go past the caches ("streaming",
/// "non-temporal") do not.
namespace skelrt::detail::cpu
{

/// Whether results of the block may go past the caches: none of them lies where an operand does, which is read anyway.
/// Never on processors without such stores, as far as we know; x86 has them.
bool may_stream(const recipe& what, const cpu_block& b) noexcept;

/// Calls run(part) for parts of the block in order, row by row. What they write goes to a small buffer in the core's
/// own cache, and from there past the caches to where the block's results are; meanwhile the next part's operands are
/// asked for. All of a part has to be written. Lets exceptions through.
void stream_results(const recipe& what, const cpu_block& b, const std::function<void(const cpu_block&)>& run);

/// Runs it on the block, past the caches if the work wants that and the block may.
void run_streaming(const work& w, const cpu_block& b, void (*run)(const cpu_block&));

} // namespace skelrt::detail::cpu
