// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/blas/blas.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

/// Blocks with gaps between their rows, against sums written out. Nothing outside of a block may change.
namespace
{

namespace blas = apps::blas::cpu;
using skelrt::block;

template <class T>
struct stored {
    std::size_t rows, cols, ld;
    std::vector<T> values;

    stored(std::size_t rows, std::size_t cols, int seed) : rows(rows), cols(cols), ld(cols + 3), values(rows * ld)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<T>((i * 31 + static_cast<std::size_t>(seed) * 17) % 11) - T{5};
    }
    T& operator()(std::size_t i, std::size_t j) { return values[i * ld + j]; }
    block<T> all() { return {values.data(), rows, cols, ld}; }
    block<const T> seen() { return all(); }
};

/// A lower triangle whose diagonal is positive, with something else above it.
template <class T>
stored<T> triangle(std::size_t n)
{
    stored<T> l(n, n, 1);
    for (std::size_t i = 0; i < n; ++i) l(i, i) = static_cast<T>(7 + i % 3);
    return l;
}

template <class T>
bool close(T a, T b)
{
    const T most = static_cast<T>(1e-3) * std::max<T>(1, std::abs(b));
    return std::abs(a - b) <= most;
}

/// `change(before, i, j)` is what (i, j) must be; what is in no element of it, as before.
template <class T, class Change>
void check_all(stored<T>& after, stored<T>& before, const Change& change)
{
    for (std::size_t i = 0; i < after.rows; ++i)
        for (std::size_t j = 0; j < after.ld; ++j) {
            CAPTURE(i, j);
            CHECK(close(after(i, j), j < after.cols ? change(i, j) : before(i, j)));
        }
}

template <class T>
int info_of_potrf(stored<T>& a)
{
    int info = -1;
    blas::potrf<T>(a.all(), {}, info);
    return info;
}

template <class T>
T sum_of(std::size_t n, auto term)
{
    T sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += term(k);
    return sum;
}

} // namespace

TEMPLATE_TEST_CASE("a product is added to a multiple of c, or put there", "", float, double)
{
    using T = TestType;
    stored<T> a(5, 7, 1), b(7, 6, 2), c(5, 6, 3), before = c;
    blas::product<T>(a.seen(), b.seen(), c.all(), 3);
    check_all(c, before, [&](auto i, auto j) {
        return 3 * before(i, j) + sum_of<T>(7, [&](auto k) { return a(i, k) * b(k, j); });
    });
    before = c;
    c(1, 1) = NAN; // beta 0: what was there does not count
    blas::product<T>(a.seen(), b.seen(), c.all(), 0);
    check_all(c, before, [&](auto i, auto j) { return sum_of<T>(7, [&](auto k) { return a(i, k) * b(k, j); }); });
}

TEMPLATE_TEST_CASE("a product with a transposed factor is taken off", "", float, double)
{
    using T = TestType;
    stored<T> a(5, 7, 1), b(6, 7, 2), c(5, 6, 3), before = c;
    blas::subtract_product<T>(a.seen(), b.seen(), c.all());
    check_all(c, before,
              [&](auto i, auto j) { return before(i, j) - sum_of<T>(7, [&](auto k) { return a(i, k) * b(j, k); }); });
}

TEMPLATE_TEST_CASE("syrk changes the lower half only", "", float, double)
{
    using T = TestType;
    stored<T> a(6, 4, 1), c(6, 6, 3), before = c;
    blas::syrk<T>(a.seen(), c.all());
    check_all(c, before, [&](auto i, auto j) {
        return j > i ? before(i, j) : before(i, j) - sum_of<T>(4, [&](auto k) { return a(i, k) * a(j, k); });
    });
}

TEMPLATE_TEST_CASE("trsm undoes a product with a transposed triangle", "", float, double)
{
    using T = TestType;
    stored<T> l = triangle<T>(6), x(4, 6, 2), b = x;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 6; ++j) b(i, j) = sum_of<T>(j + 1, [&](auto k) { return x(i, k) * l(j, k); });
    blas::trsm<T>(l.seen(), b.all());
    check_all(b, x, [&](auto i, auto j) { return x(i, j); });
}

TEMPLATE_TEST_CASE("potrf finds the triangle, and says what is not positive definite", "", float, double)
{
    using T = TestType;
    stored<T> l = triangle<T>(6), a(6, 6, 2);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j <= i; ++j) a(i, j) = sum_of<T>(j + 1, [&](auto k) { return l(i, k) * l(j, k); });
    stored<T> before = a;
    CHECK(info_of_potrf(a) == 0);
    check_all(a, before, [&](auto i, auto j) { return j > i ? before(i, j) : l(i, j); });
    before(3, 3) = -1;
    CHECK(info_of_potrf(before) == 4);
}
