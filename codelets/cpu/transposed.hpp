// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

/// Operands that are read down the columns of memory: transposed matrices. Read row by row of the call, each element
/// would cost a line of memory.
namespace skelrt::detail::cpu
{

/// Whether an operand of the block is read so.
bool reads_transposed(const recipe& what, const cpu_block& b) noexcept;

/// Calls run(w, tile) for rectangles of the block, whose transposed operands it has brought into the core's own cache,
/// row by row. Each line of memory is read once. For calls whose order of elements is free. Lets exceptions through.
void run_in_tiles(const work& w, const cpu_block& b, void (*run)(const work& w, const cpu_block& tile));

} // namespace skelrt::detail::cpu
