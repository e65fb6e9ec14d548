// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "maps.hpp"
#include "matrices.hpp"
#include "neighbours.hpp"
#include "orders.hpp"
#include "reductions.hpp"
#include "scans.hpp"

/// Programs on numbers of type T; at namespace scope.
#define RANDOM_PROGRAM_CALLS(T)                                                                                        \
    RANDOM_MAP_TYPES(T)                                                                                                \
    namespace                                                                                                          \
    {                                                                                                                  \
    struct calls {                                                                                                     \
        RANDOM_MAP_CALLS(T)                                                                                            \
        RANDOM_REDUCTION_CALLS(T)                                                                                      \
        RANDOM_SCAN_CALLS(T)                                                                                           \
        RANDOM_ORDER_CALLS(T)                                                                                          \
        RANDOM_MATRIX_CALLS(T)                                                                                         \
        RANDOM_STENCIL_CALLS(T)                                                                                        \
    };                                                                                                                 \
    }

namespace random_programs
{

template <class Calls, class T>
void step(state<T>& s)
{
    switch (s.choose.below(7)) {
    case 0:
    case 1:
        return maps<Calls>(s);
    case 2:
        return reductions<Calls>(s);
    case 3:
        return scans<Calls>(s);
    case 4:
        return orders<Calls>(s);
    case 5:
        return matrices<Calls>(s);
    default:
        return neighbours<Calls>(s);
    }
}

template <class T, class Calls>
void run_numbers(unsigned seed, unsigned steps)
{
    state<T> s(seed);
    const sk::fusion switched(!s.choose.one_in(3));
    for (unsigned k = 0; k < steps; ++k) step<Calls>(s);
    s.compare_all();
}

} // namespace random_programs
