// SPDX-License-Identifier: BSD-3-Clause
#include "../conformance/support.hpp"
#include "../conformance/task_count.hpp"
#include "products.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <string_view>
#include <vector>

/// Sums of a product and what its result holds: c = alpha * p + beta * c, as one call where one can do it.

using products::reference, products::shape, products::signed_numbers, products::transposed;
using test::check_equal;

namespace
{

/// Sides and elements to add to, and what plain loops make of them.
template <class T>
struct sum_case {
    shape s;
    std::vector<T> a, b, held, product;
    sk::matrix<T> x, y, xt, yt;

    explicit sum_case(const shape& sizes)
        : s(sizes), a(signed_numbers<T>(s.rows * s.depth, 7)), b(signed_numbers<T>(s.cols * s.depth, 5)),
          held(signed_numbers<T>(s.rows * s.cols, 3)), product(reference(a, b, s, T{0})), x(s.rows, s.depth, a.begin()),
          y(s.cols, s.depth, b.begin())
    {
        const auto across_a = transposed(a, s.rows, s.depth), across_b = transposed(b, s.cols, s.depth);
        xt = sk::matrix<T>(s.depth, s.rows, across_a.begin());
        yt = sk::matrix<T>(s.depth, s.cols, across_b.begin());
    }
    sk::matrix<T> elements() const { return sk::matrix<T>(s.rows, s.cols, held.begin()); }
    std::vector<T> sum(T of_product, T of_elements) const
    {
        std::vector<T> all(held.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = of_product * product[i] + of_elements * held[i];
        return all;
    }
};

template <class T>
void check_sums(const shape& s)
{
    CAPTURE(s.rows, s.cols, s.depth, sizeof(T));
    const sum_case<T> of(s);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, T{0});
    const T two{2}, three{3};
    const auto check = [&](auto change, T of_product, T of_elements) {
        sk::matrix<T> c = of.elements();
        change(c);
        check_equal(c, of.sum(of_product, of_elements));
    };
    check([&](auto& c) { c = product(of.x, of.y) + c; }, T{1}, T{1});
    check([&](auto& c) { c = c + product(of.x, sk::transpose(of.yt)); }, T{1}, T{1});
    check([&](auto& c) { c += product(sk::transpose(of.xt), of.y); }, T{1}, T{1});
    check([&](auto& c) { c -= product(sk::transpose(of.xt), sk::transpose(of.yt)); }, T{-1}, T{1});
    check([&](auto& c) { c = two * product(of.x, of.y) + three * c; }, two, three);
    check([&](auto& c) { c = c * three - product(of.x, sk::transpose(of.yt)) * two; }, T{-2}, three);
    check([&](auto& c) { c = -product(sk::transpose(of.xt), of.y) - two * (two * c); }, T{-1}, T{-4});
    check([&](auto& c) { c = product(of.x, of.y) - c; }, T{1}, T{-1});
    check([&](auto& c) { c = three * product(of.x, of.y) + T{0} * c; }, three, T{0});
    check([&](auto& c) { c = T{0} * product(of.x, of.y) + c; }, T{0}, T{1});
}

/// Tasks of `change`, the second time, when copies of operands are where they are read.
template <class Change>
unsigned long tasks_of(const sum_case<float>& of, Change change)
{
    sk::matrix<float> c = of.elements();
    c.set_tiles(1);
    change(c);
    (void)sk::host_read(c)(0, 0);
    const unsigned long before = test::tasks_done();
    change(c);
    (void)sk::host_read(c)(0, 0);
    return test::tasks_done() - before;
}

} // namespace

TEMPLATE_TEST_CASE("a product and what its result holds", "", float, double, int, std::complex<double>)
{
    for (const shape s : {shape{0, 3, 5}, shape{3, 0, 5}, shape{5, 7, 0}, shape{1, 1, 1}, shape{1, 1, 701},
                          shape{1, 311, 47}, shape{311, 1, 47}, shape{17, 19, 23}, shape{64, 64, 64},
                          shape{131, 127, 113}, shape{29, 401, 31}, shape{97, 67, 1021}})
        check_sums<TestType>(s);
}

TEST_CASE("rows that are added up in levels")
{
    check_sums<float>({5, 7, 40'000});
    check_sums<double>({40, 33, 33'000});
}

TEST_CASE("a sum is one task, as its product is")
{
    const char* const inline_us = std::getenv("SKELRT_INLINE_US");
    if (!inline_us || std::string_view(inline_us) != "0") return; // the calling thread does it
    sum_case<float> of({70, 60, 50});
    of.x.set_tiles(1);
    of.y.set_tiles(1);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    CHECK(tasks_of(of, [&](auto& c) { c = product(of.x, of.y); }) == 1);
    CHECK(tasks_of(of, [&](auto& c) { c += product(of.x, of.y); }) == 1);
    CHECK(tasks_of(of, [&](auto& c) { c = product(of.x, of.y) + c; }) == 1);
    CHECK(tasks_of(of, [&](auto& c) { c = 2.0f * product(of.x, of.y) - 3.0f * c; }) == 1);
    CHECK(tasks_of(of, [&](auto& c) { c.all() += product(of.x, of.y); }) == 1);
}

TEST_CASE("parts of matrices that a product is added to")
{
    const sum_case<float> of({45, 37, 29});
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    const auto before = signed_numbers<float>(50 * 50, 3);
    const auto check = [&](float of_product, float of_elements, auto change) {
        sk::matrix<float> to(50, 50, before.begin());
        change(to.sub(3, 4, of.s.rows, of.s.cols));
        auto want = before;
        for (std::size_t i = 0; i < of.s.rows; ++i)
            for (std::size_t j = 0; j < of.s.cols; ++j) {
                float& v = want[(3 + i) * 50 + 4 + j];
                v = of_product * of.product[i * of.s.cols + j] + of_elements * v;
            }
        check_equal(to, want);
    };
    check(1, 1, [&](auto part) { part += product(of.x, of.y); });
    check(1, 1, [&](auto part) { part = part + product(of.x, sk::transpose(of.yt)); });
    check(-2, 3, [&](auto part) { part = 3.0f * part - 2.0f * product(sk::transpose(of.xt), of.y); });
}

TEST_CASE("a part that is shifted against the elements that are added")
{
    const sum_case<double> of({20, 20, 12});
    const auto before = signed_numbers<double>(30 * 30, 3);
    sk::matrix<double> to(30, 30, before.begin());
    to.sub(1, 1, 20, 20) = to.sub(2, 3, 20, 20) + sk::all_pairs(sk::multiplies, sk::plus, 0.0)(of.x, of.y);
    auto want = before;
    for (std::size_t i = 0; i < 20; ++i)
        for (std::size_t j = 0; j < 20; ++j)
            want[(1 + i) * 30 + 1 + j] = before[(2 + i) * 30 + 3 + j] + of.product[i * 20 + j];
    check_equal(to, want);
}

TEST_CASE("results that are sides of their own product")
{
    const std::size_t n = 33;
    const auto a = signed_numbers<double>(n * n, 7), b = signed_numbers<double>(n * n, 5);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0);
    const sk::matrix<double> y(n, n, b.begin());
    const auto sum = [&](const std::vector<double>& p, double alpha, double beta) {
        auto all = p;
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = alpha * p[i] + beta * a[i];
        return all;
    };
    sk::matrix<double> c(n, n, a.begin());
    c += product(c, y);
    check_equal(c, sum(reference(a, b, {n, n, n}, 0.0), 1, 1));
    c.assign(n, n, a.begin());
    c = 2.0 * product(c, c) + c;
    check_equal(c, sum(reference(a, a, {n, n, n}, 0.0), 2, 1));
    c.assign(n, n, a.begin());
    c.all() -= product(y, sk::transpose(c));
    check_equal(c, sum(reference(b, transposed(a, n, n), {n, n, n}, 0.0), -1, 1));
}

TEST_CASE("start values, none, and other elements than the result's")
{
    const sum_case<float> of({31, 27, 19});
    const auto with = [&](float more) {
        auto all = of.sum(1, 1);
        for (float& v : all) v += more;
        return all;
    };
    sk::matrix<float> c = of.elements();
    c += sk::all_pairs(sk::multiplies, sk::plus, 2.0f)(of.x, of.y);
    check_equal(c, with(2));
    c = of.elements();
    c += sk::all_pairs(sk::multiplies, sk::plus)(of.x, of.y);
    check_equal(c, with(0));
    const sk::matrix<float> d = of.elements();
    c = d + sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(of.x, of.y);
    check_equal(c, with(0));
    sk::matrix<float> fresh;
    fresh = d + sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(of.x, of.y);
    check_equal(fresh, with(0));
    const sk::matrix<float> none(31, 0);
    CHECK_THROWS_AS(c += sk::all_pairs(sk::multiplies, sk::plus)(none, sk::matrix<float>(27, 0)), sk::error);
    CHECK_THROWS_AS(c += sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(of.y, of.y), sk::error);
    CHECK_THROWS_AS(c += sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(of.x, c), sk::error);
    check_equal(c, with(0));
}

TEST_CASE("sums of other functions, of maps, and of other products")
{
    const sum_case<float> of({41, 35, 23});
    sk::matrix<float> c = of.elements();
    c += sk::all_pairs(sk::minus, sk::plus, 0.0f)(of.x, of.y);
    auto want = of.held;
    for (std::size_t i = 0; i < want.size(); ++i)
        for (std::size_t k = 0; k < of.s.depth; ++k)
            want[i] += of.a[i / of.s.cols * of.s.depth + k] - of.b[i % of.s.cols * of.s.depth + k];
    check_equal(c, want);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    c = of.elements();
    c = 3.0f * product(2.0f * of.x, of.y) + c;
    check_equal(c, of.sum(6, 1));
    const std::size_t n = of.s.cols;
    const auto d = signed_numbers<float>(n * n, 2);
    c = of.elements();
    c += product(product(of.x, of.y), sk::matrix<float>(n, n, d.begin()));
    want = reference(of.product, d, {of.s.rows, n, n}, 0.0f);
    for (std::size_t i = 0; i < want.size(); ++i) want[i] += of.held[i];
    check_equal(c, want);
    const auto shortest = sk::all_pairs(sk::plus, sk::minimum);
    c = of.elements();
    c += shortest(of.x, of.y);
    want = of.held;
    for (std::size_t i = 0; i < want.size(); ++i) {
        float least = 100;
        for (std::size_t k = 0; k < of.s.depth; ++k)
            least = std::min(least, of.a[i / n * of.s.depth + k] + of.b[i % n * of.s.depth + k]);
        want[i] += least;
    }
    check_equal(c, want);
}

TEST_CASE("short numbers, added to floats")
{
    const sum_case<float> of({67, 45, 300});
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    const auto check = [&]<class T>(T) {
        const std::vector<T> a(of.a.begin(), of.a.end()), b(of.b.begin(), of.b.end());
        const sk::matrix<T> x(of.s.rows, of.s.depth, a.begin()), y(of.s.cols, of.s.depth, b.begin());
        sk::matrix<float> c = of.elements();
        c += product(x, y);
        check_equal(c, of.sum(1, 1));
        c = of.elements();
        c = 2.0f * product(x, y) - 3.0f * c;
        check_equal(c, of.sum(2, -3));
    };
    check(sk::half{});
    check(sk::bfloat16{});
}

TEST_CASE("many sums in a row")
{
    const sum_case<double> of({50, 40, 30});
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0);
    sk::matrix<double> c = of.elements();
    auto want = of.held;
    for (int k = 0; k < 6; ++k) {
        c = product(of.x, of.y) + 2.0 * c;
        c -= 3.0 * product(of.x, of.y);
        for (std::size_t i = 0; i < want.size(); ++i) want[i] = 2 * want[i] - 2 * of.product[i];
    }
    check_equal(c, want);
}

TEST_CASE("sums without fusion")
{
    const sum_case<float> of({23, 29, 31});
    const sk::fusion off(false);
    sk::matrix<float> c = of.elements();
    c = 2.0f * sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(of.x, of.y) + 3.0f * c;
    check_equal(c, of.sum(2, 3));
}
