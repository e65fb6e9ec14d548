// SPDX-License-Identifier: BSD-3-Clause
/// Every piece of code in docs/algorithms.md, compiled, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace sk = skelrt;

SKELRT_SHARED(struct event {
    int day;
    int number;
};)

static bool operator==(const event& a, const event& b) { return a.day == b.day && a.number == b.number; }

namespace
{

template <class T>
bool equal(const sk::vector<T>& x, const std::vector<T>& want)
{
    const auto h = sk::host_read(x);
    return std::vector<T>(h.begin(), h.end()) == want;
}

const sk::vector<float> x{3, -1, 4, -1, 5, -9, 2, 6};
sk::vector<float> y;

void by_key()
{
    const sk::vector<int> day{1, 1, 2, 2, 2, 1};
    const sk::vector<float> amount{5, 6, 1, 2, 3, 9};
    auto [days, sums] = sk::reduce_by_key(day, amount, sk::plus);
    expect(equal(days, {1, 2, 1}) && equal(sums, {11, 6, 9}), "reduce_by_key");
    y = sk::scan_by_key(day, amount, sk::plus);
    expect(equal(y, {5, 11, 1, 3, 6, 9}), "scan_by_key");
    y = sk::exclusive_scan_by_key(day, amount, sk::plus, 0.0f);
    expect(equal(y, {0, 5, 0, 1, 3, 0}), "exclusive_scan_by_key");

    sk::vector<int> key{7, 3, 7, 3, 1};
    sk::vector<float> value{1, 2, 3, 4, 5};
    sk::sort_by_key(key, value); // equal keys lie next to each other
    auto [names, totals] = sk::reduce_by_key(key, value, sk::plus);
    expect(equal(names, {1, 3, 7}) && equal(totals, {5, 6, 4}), "sums of unsorted keys");
}

void segments()
{
    const sk::vector<int> row_begin{0, 3, 3, 8};
    sk::vector<float> rows = sk::reduce_segments(x, row_begin, sk::plus, 0.0f);
    expect(equal(rows, {6, 0, 3}), "reduce_segments");
    y = sk::scan_segments(x, row_begin, sk::plus);
    expect(equal(y, {3, 2, 6, -1, 4, -5, -3, 3}), "scan_segments");
    const auto square = sk::map(sk::square);
    const auto& entries = x;
    // The rows of a sparse matrix: row r is the elements row_begin[r] to row_begin[r + 1].
    sk::vector<double> sums = sk::reduce_segments(square(entries), row_begin, sk::plus, 0.0);
    expect(equal(sums, {26, 0, 147}), "squares of segments");
}

void selections()
{
    const auto negative = SKELRT_FN((float v) { return v < 0; });
    const sk::vector<int> sorted{1, 1, 2, 3, 3};
    sk::vector<int> once = sk::unique(sorted);
    expect(equal(once, {1, 2, 3}), "unique");
    auto [parted, count] = sk::partition(x, negative);
    expect(count == 3 && equal(parted, {-1, -1, -9, 3, 4, 5, 2, 6}), "partition");
    const sk::vector<float> many = sk::iota(100, 0.0f);
    {
        const auto& x = many;
        sk::vector<float> best = sk::top_k(x, 10);
        expect(equal(best, {99, 98, 97, 96, 95, 94, 93, 92, 91, 90}), "top_k");
        sk::vector<sk::indexed<float>> top = sk::arg_top_k(x, 10);
        expect(sk::host_read(top)[9].index == 90, "arg_top_k");
    }
}

void answers()
{
    const auto negative = SKELRT_FN((float v) { return v < 0; });
    {
        sk::minmax_result<float> range = sk::minmax(x);
        expect(range.min == -9 && range.max == 6, "minmax");
    }
    sk::indexed<float> least = sk::argmin(x);
    expect(least.value == -9 && least.index == 5, "argmin");
    {
        const sk::matrix<float> m = sk::reshape(sk::vector<float>(x), 2, 4);
        sk::vector<sk::indexed<float>> nearest = sk::argmin.by_row(m);
        expect(sk::host_read(nearest)[0].index == 1 && sk::host_read(nearest)[1].index == 1, "argmin.by_row");
    }
    sk::moments m = sk::mean_and_variance(x);
    expect(m.count == 8 && m.mean == 9.0 / 8 && std::abs(m.variance() - 20.359375) < 1e-9, "mean_and_variance");
    y = x;
    bool same = sk::equal(x, y);
    expect(same, "equal");
    std::size_t n = sk::count_if(x, negative);
    bool some = sk::any_of(x, negative);
    std::size_t first = sk::find_if(x, negative);
    expect(n == 3 && some && first == 1, "questions");

    const sk::scalar<sk::minmax_result<float>> range = sk::minmax(x); // nobody waits
    const auto scale =
        sk::map(SKELRT_FN((float v, sk::minmax_result<float> r) { return (v - r.min) / (r.max - r.min); }));
    y = scale(x, range);
    const sk::minmax_result<float> scaled = sk::minmax(y);
    expect(scaled.min == 0 && scaled.max == 1, "a scale from a scalar");
}

void orders()
{
    y = sk::adjacent_difference(x);
    expect(equal(y, {3, -4, 5, -5, 6, -14, 11, 4}), "adjacent_difference");
    y = sk::reverse(x);
    expect(equal(y, {6, 2, -9, 5, -1, 4, -1, 3}), "reverse");
    y = sk::rotate(x, 3);
    expect(equal(y, {-1, 5, -9, 2, 6, 3, -1, 4}), "rotate");
    y = sk::shuffle(x, sk::random_seed{42});
    const sk::vector<float> sorted = sk::sort(y);
    expect(equal(sorted, {-9, -1, -1, 2, 3, 4, 5, 6}), "shuffle");
}

void sorted_data()
{
    const sk::vector<float> a{-3, 0, 5}, b{-1, 5, 5};
    const sk::vector<int> p{1, 2, 2, 4}, q{2, 4, 4};
    y = sk::merge(a, b);
    expect(equal(y, {-3, -1, 0, 5, 5, 5}), "merge");
    sk::vector<int> common = sk::set_intersection(p, q);
    expect(equal(common, {2, 4}), "set_intersection");
    sk::vector<std::size_t> at = sk::lower_bound(a, x);
    expect(equal(at, {2, 1, 2, 1, 2, 0, 2, 3}), "lower_bound");
}

void orders_of_comparators()
{
    const sk::vector<event> mine{{1, 1}, {3, 2}, {3, 3}}, yours{{2, 4}, {3, 5}};
    const sk::vector<int> days{3, 9};
    const auto earlier = SKELRT_FN((event a, event b) { return a.day < b.day; });
    sk::vector<event> all = sk::merge(mine, yours, earlier);
    sk::vector<event> missed = sk::set_difference(yours, mine, earlier);
    sk::vector<event> soonest = sk::top_k(all, 2, earlier);
    const auto before_day = SKELRT_FN((event e, int day) { return e.day < day; });
    sk::vector<std::size_t> when = sk::lower_bound(all, days, before_day);
    expect(equal(all, {{1, 1}, {2, 4}, {3, 2}, {3, 3}, {3, 5}}), "merge in an order");
    expect(equal(missed, {{2, 4}}), "set_difference in an order");
    expect(equal(soonest, {{1, 1}, {2, 4}}), "top_k in an order");
    expect(equal(when, {2, 5}), "lower_bound in an order");
}

void axes()
{
    const sk::tensor<float, 3> t({2, 3, 4}, 1.0f);
    sk::tensor<float, 3> u;
    sk::matrix<float> m = sk::reduce_axis(t, 1, sk::plus, 0.0f);
    expect(m.rows() == 2 && m.cols() == 4 && sk::host_read(m)(1, 3) == 3, "reduce_axis");
    u = sk::permute(t, {2, 0, 1});
    expect(u.extents() == std::array<std::size_t, 3>{4, 2, 3}, "permute");
    const sk::tensor<float, 3> a({2, 3, 4}, 1.0f), b({2, 5, 4}, 2.0f);
    sk::tensor<float, 3> c;
    c = sk::batched_product(a, sk::transpose(b));
    expect(c.extents() == std::array<std::size_t, 3>{2, 3, 5} && sk::host_read(c)(1, 2, 4) == 8, "batched_product");
}

void sparse()
{
    const sk::csr<float> m(2, 8, {{0, 0, 1.0f}, {0, 7, 2.0f}, {1, 3, 5.0f}}); // row, column, value; in any order
    y = m * x;
    expect(equal(y, {15, -5}), "a product with a sparse matrix");
    const std::vector<float> values{1, 2, 5};
    const std::vector<int> row_begin{0, 2, 3}, column{0, 7, 3}; // as other libraries have them
    const sk::csr<float> ready(2, 8, row_begin, column, values);
    const sk::csr<float> across = sk::transpose(ready);
    y = across * sk::vector<float>{1, 2};
    expect(equal(y, {1, 0, 0, 10, 0, 0, 0, 2}), "a product with a transposed sparse matrix");
    const sk::matrix<float> b(8, 3, 2.0f);
    sk::matrix<float> c;
    c = m * b;
    expect(c.rows() == 2 && c.cols() == 3 && sk::host_read(c)(0, 2) == 6, "a product of a sparse matrix and a matrix");
}

void assignments()
{
    const std::size_t n = 5;
    sk::vector<int> order = sk::iota(n, 0);
    expect(equal(order, {0, 1, 2, 3, 4}), "iota");
    sk::iota(y, 1.0f);
    expect(sk::host_read(y)[1] == 2, "iota into a container");
    y = sk::vector<float>(10, 0.0f);
    sk::fill(y, 1.0f);
    sk::copy(x, y.range(0, x.size()));
    expect(equal(y, {3, -1, 4, -1, 5, -9, 2, 6, 1, 1}), "fill, copy");
    const sk::vector<int> index{9, 8, 7, 6, 5, 4, 3, 2};
    sk::scatter(x, index, y);
    expect(equal(y, {3, -1, 6, 2, -9, 5, -1, 4, -1, 3}), "scatter");
}

} // namespace

int main()
{
    const sk::runtime rt;
    by_key();
    segments();
    selections();
    answers();
    orders();
    sorted_data();
    orders_of_comparators();
    axes();
    sparse();
    assignments();
    y.clear();
    return failures;
}
