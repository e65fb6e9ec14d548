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

/// Time on a device over the model's, which is of the first device of a kind: other GPUs may have slower memory. Warns once a
/// codelet if the model is a guess.
double slowness(const starpu_perfmodel_device& on, const recipe& r, const estimate& model);

} // namespace skelrt::detail
