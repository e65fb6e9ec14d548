// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support.hpp"

/// Operators that are associative but not commutative: a reduction that swaps two operands gives a wrong result.

SKELRT_SHARED(struct affine { unsigned slope, offset; };) // x -> slope * x + offset, modulo 2^32

SKELRT_SHARED(struct square2 { unsigned a, b, c, d; };) // a 2 x 2 matrix, modulo 2^32

inline bool operator==(const affine& f, const affine& g) { return f.slope == g.slope && f.offset == g.offset; }
inline bool operator==(const square2& p, const square2& q)
{
    return p.a == q.a && p.b == q.b && p.c == q.c && p.d == q.d;
}

namespace test
{

inline const auto compose = SKELRT_FN((affine f, affine g) {
    affine h;
    h.slope = f.slope * g.slope;
    h.offset = f.slope * g.offset + f.offset;
    return h;
});
inline const auto matrix_product = SKELRT_FN((square2 p, square2 q) {
    square2 r;
    r.a = p.a * q.a + p.b * q.c;
    r.b = p.a * q.b + p.b * q.d;
    r.c = p.c * q.a + p.d * q.c;
    r.d = p.c * q.b + p.d * q.d;
    return r;
});
inline const auto keep_first = SKELRT_FN((int a, int b) { return b < 0 ? b : a; }); // b is never negative here
inline const auto keep_last = SKELRT_FN((int a, int b) { return a < 0 ? a : b; });

inline std::vector<affine> affine_maps(std::size_t n)
{
    return expected(n, [](std::size_t i) {
        return affine{static_cast<unsigned>(2 * (i % 5) + 3), static_cast<unsigned>(i * 7 + 1)};
    });
}
inline std::vector<square2> matrices(std::size_t n)
{
    return expected(n, [](std::size_t i) {
        const auto v = static_cast<unsigned>(i);
        return square2{v % 3 + 1, v % 5, v % 7 + 1, v % 2 + 1};
    });
}

/// The reduction as a plain loop: start, then the elements from the left.
template <class Op, class T>
T folded(const Op& op, const std::vector<T>& v, std::size_t first = 0)
{
    T r = v.at(first);
    for (std::size_t i = first + 1; i < v.size(); ++i) r = op(r, v[i]);
    return r;
}

} // namespace test
