// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <vector>

namespace skelrt::detail
{

class call_share;
class engine;
class foreign_lines;
class transfer;

/// What a share needs of its operands, and others need of them: sends and receives it, and has the share use what
/// comes. Operands that are read whole stay on the ranks until their content changes: see known_copies. Returns the
/// data that takes operands' places, which must live until the share is submitted. Nothing waits.
std::vector<storage_ref> bring_operands(engine& e, const call& c, call_share& share, transfer& messages,
                                        foreign_lines& around);

} // namespace skelrt::detail
