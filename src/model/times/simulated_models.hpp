// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/model.hpp"
#include "src/runtime/simulated.hpp"

#include <starpu.h>

/// What only simulated builds ask of models.
namespace skelrt::detail
{

/// What copying tiles and combining partial results takes: the codelets that have no model of their own.
starpu_perfmodel& model_of_copies();

/// Warns once a codelet if its model is a guess.
void tell_guess(const recipe& r, const estimate& model);

} // namespace skelrt::detail
