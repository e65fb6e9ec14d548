#pragma once

#include "error.hpp"
#include "function.hpp"
#include "hood.hpp"
#include "host.hpp"
#include "map.hpp"
#include "matrix.hpp"
#include "operators.hpp"
#include "reduce.hpp"
#include "runtime.hpp"
#include "scalar.hpp"
#include "vector.hpp"
#include "view.hpp"
