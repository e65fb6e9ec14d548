// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map.hpp"

namespace skelrt
{

/// The transpose of a matrix or of a rectangular part of one: element (i, j) is m's element (j, i).
///
/// A lazy map call: `t = sk::transpose(m)` writes the transpose; as an operand of maps, reductions and sk::all_pairs
/// nothing is copied, m is read the other way round. Tasks on devices need all of m. `m = sk::transpose(m)` goes
/// through new memory. O(rows * columns).
template <detail::container Matrix>
auto transpose(const Matrix& m)
{
    static_assert(Matrix::rank == 2, "skelrt: sk::transpose takes a matrix");
    using T = typename Matrix::value_type;
    const detail::placement& p = m.place();
    const detail::function_source source{"(auto x) { return x; }", "sk::transpose", 1};
    return detail::map_expression<decltype(detail::identity), detail::transposed_leaf<T>>(
        source, detail::extent{}, detail::transposed_leaf<T>{m.storage(), {p.offset, p.cols, p.rows, p.stride, p.ld}});
}

/// The same of a call that gives a matrix, which is evaluated now, into one.
template <detail::expression E>
auto transpose(const E& e)
{
    static_assert(!detail::reduces_to_one<E>,
                  "skelrt: sk::transpose takes a matrix, a part of one, or a call that gives one");
    return transpose(matrix<typename E::value>(e));
}

} // namespace skelrt
