#pragma once

// These first: what compilers say of them has a short way to the user's program then.
#include "function.hpp"

#include "detail/refused.hpp"

#include "view.hpp"

#include "vector.hpp"

#include "matrix.hpp"

#include "detail/expression.hpp"

#include "map.hpp"

#include "reduce.hpp"

#include "all_pairs.hpp"
#include "arithmetic.hpp"
#include "block.hpp"
#include "blocks.hpp"
#include "border.hpp"
#include "capture.hpp"
#include "cluster.hpp"
#include "distribution.hpp"
#include "divide_and_conquer.hpp"
#include "error.hpp"
#include "eval.hpp"
#include "farm.hpp"
#include "filter.hpp"
#include "for_each.hpp"
#include "future.hpp"
#include "gather.hpp"
#include "generate.hpp"
#include "group.hpp"
#include "half.hpp"
#include "histogram.hpp"
#include "hood.hpp"
#include "host.hpp"
#include "kernel.hpp"
#include "kernel_text.hpp"
#include "later_task.hpp"
#include "operators.hpp"
#include "pairs.hpp"
#include "pipeline.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "random.hpp"
#include "runtime.hpp"
#include "scalar.hpp"
#include "scan.hpp"
#include "sort.hpp"
#include "stencil.hpp"
#include "task.hpp"
#include "tensor.hpp"
#include "tie.hpp"
#include "transpose.hpp"
