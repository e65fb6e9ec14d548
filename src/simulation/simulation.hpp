#pragma once

#include "src/config.hpp"
#include "src/model/model.hpp"

#include <starpu.h>

/// Builds with -Dsimulation=true run on a StarPU with SimGrid: tasks are planned, scheduled and sent as ever, kernels and copies
/// only take their time, on a clock that only simulated events move. The models are the truth; nothing is learnt.
namespace skelrt::detail
{

inline constexpr bool simulated = SKELRT_SIMULATION;

/// What copying tiles and combining partial results takes: the codelets that have no model of their own.
starpu_perfmodel& model_of_copies();

/// Warns once a codelet if its model is a guess.
void tell_guess(const recipe& r, const estimate& model);

} // namespace skelrt::detail
