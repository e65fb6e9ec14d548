// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/tune_plan.hpp"

#include <skelrt/runtime.hpp>

#include <vector>

/// What `skelrt tune` tries. Pure.
namespace skelrt::tool
{

/// Automatic, each device alone, the CPU with half and a quarter of its threads, each GPU in pieces, with other blocks,
/// and with the CPU.
std::vector<choice> choices_for(const std::vector<device_info>& devices);

/// When all of these were tried: the split that gains most over what is no split, with the GPU's part in 1, 4 and 16
/// pieces. Nothing if no split gains.
std::vector<choice> pieces_of_best_split(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices);

} // namespace skelrt::tool
