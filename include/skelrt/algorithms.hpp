// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Algorithms that are made of skeletons, by the names that users of Thrust and of the standard library know; see
/// docs/algorithms.md.
#include "algorithms/adjacent_difference.hpp"
#include "algorithms/assign.hpp"
#include "algorithms/axes.hpp"
#include "algorithms/batched_product.hpp"
#include "algorithms/by_key.hpp"
#include "algorithms/csr.hpp"
#include "algorithms/equal.hpp"
#include "algorithms/extrema.hpp"
#include "algorithms/merge.hpp"
#include "algorithms/moments.hpp"
#include "algorithms/partition.hpp"
#include "algorithms/permute.hpp"
#include "algorithms/predicates.hpp"
#include "algorithms/reorder.hpp"
#include "algorithms/scatter.hpp"
#include "algorithms/search.hpp"
#include "algorithms/segments.hpp"
#include "algorithms/sets.hpp"
#include "algorithms/top_k.hpp"
#include "algorithms/unique.hpp"
