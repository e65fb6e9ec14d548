// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/model.hpp"

#include <starpu.h>

/// What StarPU's policies hear about tasks.
namespace skelrt::detail
{

/// Of a worker, by its number within its kind; `on_cores`: what a CPU worker stands for.
runner runner_of(starpu_worker_archtype kind, int number, executor on_cores);

/// The cost function of the recipes' codelets: microseconds that a task takes on an architecture, by our models. One
/// truth for all. Some policies ask for a worker, some for an architecture: to a function of workers StarPU cannot put
/// the latter question.
///
/// Policies never use what seems slow, so nobody would ever see that a model is wrong: a kind of device that had
/// nothing for long is promised to take next to nothing for the last task of a call, once that is paid for
/// (is_worth_a_try).
double expected_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned implementation);

} // namespace skelrt::detail
