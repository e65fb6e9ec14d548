// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Expression trees of map calls: their leaves become the slots of a recipe, their nodes its function calls.
#include "../shape.hpp"
#include "expression/description.hpp"
#include "expression/extents.hpp"
#include "expression/map_expression.hpp"
#include "expression/nodes.hpp"
#include "expression/operands.hpp"
#include "expression/product_sum.hpp"
