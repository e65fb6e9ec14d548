// SPDX-License-Identifier: BSD-3-Clause
/// Scans and sorts of more than the device's memory takes: scans go through it, a sort is one device's that has room
/// for all.

#include "limited.hpp"

#include <algorithm>
#include <numeric>

namespace sk = skelrt;
using namespace limited;

namespace
{

sk::vector<int> full_vector()
{
    sk::vector<int> x(n);
    fill(x);
    return x;
}

sk::matrix<int> full_matrix()
{
    sk::matrix<int> x(rows, cols);
    fill(x);
    return x;
}

const auto add = SKELRT_FN((int a, int b) { return (int)((unsigned)a + (unsigned)b); }); // overflow is no error

unsigned bits(int x) { return static_cast<unsigned>(x); }

} // namespace

TEST_CASE("a scan of a vector", "[beyond]")
{
    const auto x = full_vector();
    const sk::only there(kind);
    const sk::vector<int> y = sk::scan(add)(x);
    unsigned sum = 0;
    CHECK(wrong(y, [&](std::size_t i) { return static_cast<int>(sum += bits(number(i))); }) == 0);
}

TEST_CASE("an exclusive scan, in place", "[beyond]")
{
    auto x = full_vector();
    const sk::only there(kind);
    x = sk::exclusive_scan(add, 5)(x);
    unsigned sum = 5;
    CHECK(wrong(x, [&](std::size_t i) {
              const unsigned before = sum;
              sum += bits(number(i));
              return static_cast<int>(before);
          }) == 0);
}

TEST_CASE("a scan of a matrix by row", "[beyond]")
{
    const auto x = full_matrix();
    const sk::only there(kind);
    const sk::matrix<int> y = sk::scan(add).by_row(x);
    unsigned sum = 0;
    CHECK(wrong(y, [&](std::size_t i) {
              if (i % cols == 0) sum = 0;
              return static_cast<int>(sum += bits(number(i)));
          }) == 0);
}

TEST_CASE("a scan of a matrix by column", "[beyond]")
{
    const auto x = full_matrix();
    const sk::only there(kind);
    const sk::matrix<int> y = sk::scan(add).by_column(x);
    std::vector<unsigned> above(cols, 0);
    CHECK(wrong(y, [&](std::size_t i) { return static_cast<int>(above[i % cols] += bits(number(i))); }) == 0);
}

TEST_CASE("scans of a matrix by row and by column, at once", "[beyond]")
{
    const auto x = full_matrix();
    const sk::only there(kind);
    const auto sums = sk::scan(add);
    const sk::matrix<int> along = sums.by_row(x), down = sums.by_column(x);
    unsigned sum = 0;
    CHECK(wrong(along, [&](std::size_t i) {
              if (i % cols == 0) sum = 0;
              return static_cast<int>(sum += bits(number(i)));
          }) == 0);
    std::vector<unsigned> above(cols, 0);
    CHECK(wrong(down, [&](std::size_t i) { return static_cast<int>(above[i % cols] += bits(number(i))); }) == 0);
}

TEST_CASE("a sort", "[beyond]")
{
    const auto x = full_vector();
    std::vector<int> expected = numbers();
    std::sort(expected.begin(), expected.end());
    sk::vector<int> y;
    check_too_large([&] { y = sk::sort(x); },
                    [&] { CHECK(wrong(y, [&](std::size_t i) { return expected[i]; }) == 0); });
    CHECK(wrong(x, number) == 0);
}

TEST_CASE("a sort by key", "[beyond]")
{
    auto keys = full_vector();
    sk::vector<int> values(n);
    {
        const auto view = sk::host(values);
        std::iota(view.begin(), view.end(), 0);
    }
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    const auto key = [](int i) { return number(static_cast<std::size_t>(i)); };
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return key(a) < key(b); });
    check_too_large([&] { sk::sort_by_key(keys, values); },
                    [&] {
                        CHECK(wrong(values, [&](std::size_t i) { return expected[i]; }) == 0);
                        CHECK(wrong(keys, [&](std::size_t i) { return key(expected[i]); }) == 0);
                    });
}

int main(int argc, char** argv) { return run(argc, argv); }
