// SPDX-License-Identifier: BSD-3-Clause
/// Matrices, pairs and sums that are larger than the device's memory.

#include "limited.hpp"

namespace sk = skelrt;
using namespace limited;

namespace
{

sk::matrix<int> full_matrix(std::size_t height = rows)
{
    sk::matrix<int> x(height, n / height);
    fill(x);
    return x;
}

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));
const auto plus = sk::reduce(sk::plus, 0);

int doubled(std::size_t i) { return 2 * number(i); }

} // namespace

TEST_CASE("a map of a matrix, and of a part of it", "[beyond]")
{
    const auto x = full_matrix();
    const sk::only there(kind);
    sk::matrix<int> y = twice(x);
    CHECK(wrong(y, doubled) == 0);
    const std::size_t first = rows / 4, height = rows / 2;
    y.sub(first, 0, height, cols) = x.sub(0, 0, height, cols);
    CHECK(wrong(y, [&](std::size_t i) {
              const std::size_t r = i / cols;
              return r >= first && r < first + height ? number(i - first * cols) : doubled(i);
          }) == 0);
}

TEST_CASE("rows that have values of their own", "[beyond]")
{
    const auto x = full_matrix();
    sk::vector<int> by_row(rows), by_column(cols);
    fill(by_row), fill(by_column);
    const auto f = sk::map(SKELRT_FN((int w, int v, int x) { return w * 3 + v * 5 + x; }));
    const sk::only there(kind);
    const sk::matrix<int> y = f(sk::per_row(by_row), sk::per_column(by_column), x);
    CHECK(wrong(y, [](std::size_t i) { return 3 * number(i / cols) + 5 * number(i % cols) + number(i); }) == 0);
}

TEST_CASE("sums of rows and of columns", "[beyond]")
{
    const auto x = full_matrix();
    const sk::only there(kind);
    const sk::vector<int> along = plus.by_row(x), down = plus.by_column(x);
    std::vector<int> of_row(rows, 0), of_column(cols, 0);
    for (std::size_t i = 0; i < n; ++i) of_row[i / cols] += number(i), of_column[i % cols] += number(i);
    CHECK(wrong(along, [&](std::size_t i) { return of_row[i]; }) == 0);
    CHECK(wrong(down, [&](std::size_t i) { return of_column[i]; }) == 0);
}

TEST_CASE("pairs whose matrix is larger", "[beyond]")
{
    sk::vector<int> x(rows), y(cols);
    fill(x), fill(y);
    const sk::only there(kind);
    const sk::matrix<int> m = sk::map_pairs(SKELRT_FN((int a, int b) { return a * 3 + b; }))(x, y);
    CHECK(wrong(m, [](std::size_t i) { return 3 * number(i / cols) + number(i % cols); }) == 0);
}

TEST_CASE("products of rows: the left side may be larger", "[beyond]")
{
    constexpr std::size_t depth = 4, few = 3;
    const auto a = full_matrix(n / depth);
    sk::matrix<int> b(few, depth);
    fill(b);
    const sk::only there(kind);
    const sk::matrix<int> c = sk::all_pairs(sk::multiplies, sk::plus, 0)(a, b);
    CHECK(wrong(c, [](std::size_t i) {
              int sum = 0;
              for (std::size_t k = 0; k < depth; ++k) sum += number(i / few * depth + k) * number(i % few * depth + k);
              return sum;
          }) == 0);
}

TEST_CASE("products of rows: every task sees all of the right side", "[beyond]")
{
    constexpr std::size_t depth = 1024, few = 3;
    sk::matrix<int> a(few, depth), c;
    fill(a);
    const auto b = full_matrix(n / depth);
    check_too_large([&] { c = sk::all_pairs(sk::multiplies, sk::plus, 0)(a, b); },
                    [&] {
                        CHECK(wrong(c, [&](std::size_t i) {
                                  const std::size_t left = i / (n / depth), right = i % (n / depth);
                                  int sum = 0;
                                  for (std::size_t k = 0; k < depth; ++k)
                                      sum += number(left * depth + k) * number(right * depth + k);
                                  return sum;
                              }) == 0);
                    });
}

TEST_CASE("a transpose: every task sees all of the matrix", "[beyond]")
{
    const auto x = full_matrix();
    sk::matrix<int> y;
    check_too_large([&] { y = sk::transpose(x); },
                    [&] { CHECK(wrong(y, [](std::size_t i) { return number(i % rows * cols + i / rows); }) == 0); });
}

TEST_CASE("an operand that functions see as a whole", "[beyond]")
{
    const auto x = full_matrix();
    sk::vector<int> at(rows), y;
    fill(at);
    const auto pick = sk::map(SKELRT_FN((sk::mat<int> m, int i) { return m(i, 1); }));
    check_too_large(
        [&] { y = pick(x, at); },
        [&] {
            CHECK(wrong(y, [](std::size_t i) { return number(static_cast<std::size_t>(number(i)) * cols + 1); }) == 0);
        });
}

TEST_CASE("few rows, each larger than the memory", "[beyond]")
{
    const auto x = full_matrix(1);
    sk::matrix<int> y;
    check_too_large([&] { y = twice(x); }, [&] { CHECK(wrong(y, doubled) == 0); });
}

TEST_CASE("one tile, larger than the memory", "[beyond]")
{
    sk::vector<int> x(n), y;
    fill(x);
    x.set_tiles(1);
    check_too_large([&] { y = twice(x); }, [&] { CHECK(wrong(y, doubled) == 0); });
    check_too_large([&] { y = twice(y); }, [&] { CHECK(wrong(y, [](std::size_t i) { return 4 * number(i); }) == 0); });
}

TEST_CASE("counts of values", "[beyond]")
{
    sk::vector<int> x(n);
    fill(x);
    constexpr std::size_t bins = 1009;
    sk::vector<int> h(bins, 1);
    const auto count = sk::for_each(SKELRT_FN((int v, int w, sk::accumulator<int> h) { h.add((size_t)v, w); }));
    const sk::only there(kind);
    count(x, 3, h);
    std::vector<int> expected(bins, 1);
    for (std::size_t i = 0; i < n; ++i) expected[static_cast<std::size_t>(number(i))] += 3;
    CHECK(wrong(h, [&](std::size_t i) { return expected[i]; }) == 0);
}

TEST_CASE("an accumulator that is larger: every device has a copy", "[beyond]")
{
    sk::vector<int> x(1000), sums(n, 1);
    fill(x);
    const auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> s) { s.add((size_t)v * 20000, 1); }));
    std::vector<int> expected(n, 1);
    for (std::size_t i = 0; i < x.size(); ++i) ++expected[static_cast<std::size_t>(number(i)) * 20000];
    check_too_large([&] { count(x, sums); },
                    [&] { CHECK(wrong(sums, [&](std::size_t i) { return expected[i]; }) == 0); });
}

TEST_CASE("sums of columns that are larger", "[beyond]")
{
    const auto x = full_matrix(2);
    sk::vector<int> y;
    check_too_large([&] { y = plus.by_column(x); },
                    [&] { CHECK(wrong(y, [](std::size_t i) { return number(i) + number(i + n / 2); }) == 0); });
}

int main(int argc, char** argv) { return run(argc, argv); }
