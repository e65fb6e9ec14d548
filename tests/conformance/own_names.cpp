// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <functional>

using namespace test;

/// What users call their structs, constants and functions is theirs: kernels have variables, macros and functions of
/// the same names. All at global scope, where nothing else keeps them apart.

SKELRT_SHARED(
    struct line { int v; }; struct plane { int v; }; struct s0 { int v; }; struct i1 { int v; }; struct v0 { int v; };
    struct r { int v; }; struct AT { int v; }; struct own { int v; }; struct running { int v; }; struct tile { int v; };
    struct y { int v; }; struct from { int v; }; struct left { int v; }; struct right { int v; }; struct sum { int v; };
    struct key { int v; }; struct kept { int v; }; struct local { int v; }; struct result_type { int v; };
    struct element { int v; };)

SKELRT_SHARED(constexpr int width = 3; constexpr int table[2] = {5, 7}; enum sides{TILE = 11, LANE};
              enum class words{begin = 2, end};)

// Functions that kernels have under these names, and call with elements.
SKELRT_SHARED(inline own combine(own a, own b) { return own{(a.v + b.v) % 1000}; })
SKELRT_SHARED(inline running combine(running a, running b) { return running{(a.v + b.v) % 1000}; })
SKELRT_SHARED(inline tile combine(tile a, tile b) { return tile{a.v + b.v}; })
SKELRT_SHARED(inline sum combine(sum a, sum b) { return sum{a.v + b.v}; })
SKELRT_SHARED(inline own shuffle_down(own a, int by) { return own{a.v + by}; })
SKELRT_SHARED(inline running from_lane(running a, int lane) { return running{a.v + lane}; })
SKELRT_SHARED(inline sum zipped(left a, right b) { return sum{a.v * b.v}; })
SKELRT_SHARED(inline bool before(key a, key b) { return a.v > b.v; })
SKELRT_SHARED(inline bool taken(kept a) { return a.v % 3 != 0; })
SKELRT_SHARED(inline y up(y a, int by) { return y{a.v + by}; })
SKELRT_SHARED(inline y lane_value(y a, int lane) { return y{a.v + lane}; })
SKELRT_SHARED(inline int part_begin(int n, int part) { return n + part; })

namespace
{

template <class T>
std::vector<T> made(const std::vector<int>& a)
{
    return expected(a.size(), [&](std::size_t i) { return T{a[i]}; });
}

template <class T>
sk::vector<T> vector_made(const std::vector<int>& a)
{
    return vector_of(made<T>(a));
}

template <class T>
void check_values(const sk::vector<T>& got, const std::vector<int>& want)
{
    const auto all = values(got);
    check_equal(expected(all.size(), [&](std::size_t i) { return all[i].v; }), want);
}

constexpr std::size_t count = 5003;

} // namespace

TEST_CASE("own names: structs in a map", "[names][map]")
{
    const auto a = numbers<int>(count, 1), b = numbers<int>(count, 2);
    const auto first =
        sk::map(SKELRT_FN((line a, plane b, s0 c, AT d) { return v0{a.v + 2 * b.v + 3 * c.v + 4 * d.v}; }));
    const auto second = sk::map(SKELRT_FN((v0 v, i1 i, r s, local row) { return element{v.v - i.v * s.v + row.v}; }));
    const sk::vector<element> e = second(first(vector_made<line>(a), vector_made<plane>(b), s0{5}, vector_made<AT>(b)),
                                         vector_made<i1>(a), vector_made<r>(b), vector_made<local>(a));
    check_values(e, expected(count, [&](std::size_t i) { return 2 * a[i] + 6 * b[i] + 15 - a[i] * b[i]; }));
    const auto at = sk::generate(SKELRT_FN((sk::index1 i, sk::vec<result_type> all) { return plane{all[i.i].v + 1}; }));
    check_values(sk::vector<plane>(at(sk::shape(count), vector_made<result_type>(a))),
                 expected(count, [&](std::size_t i) { return a[i] + 1; }));
}

TEST_CASE("own names: constants, enumerators and functions", "[names][map]")
{
    const auto a = numbers<int>(count);
    const auto f = sk::map(SKELRT_FN((sk::index1 cols, int begin) {
        const int end = part_begin(begin, width) + table[1] + int(words::end);
        return end + TILE + LANE + (cols.i > 5 ? 1 : 0);
    }));
    const sk::vector<int> y = f(vector_of(a));
    check_equal(y, expected(count, [&](std::size_t i) { return a[i] + 3 + 7 + 3 + 11 + 12 + (i > 5 ? 1 : 0); }));
}

TEST_CASE("own names: reductions and scans", "[names][reduce][scan]")
{
    const auto a = numbers<int>(count);
    const auto add = sk::reduce(SKELRT_FN((own a, own b) { return combine(a, b); }));
    const own total = add(vector_made<own>(a));
    int want = 0;
    for (const int v : a) want = (want + v) % 1000;
    REQUIRE(total.v == want);

    const auto sums = sk::scan(SKELRT_FN((running a, running b) { return combine(a, b); }));
    const sk::vector<running> scanned = sums(vector_made<running>(a));
    int so_far = 0;
    check_values(scanned, expected(count, [&](std::size_t i) { return so_far = (so_far + a[i]) % 1000; }));

    const std::size_t rows = 41, cols = 67;
    const auto m = matrix_of(rows, cols, made<tile>(numbers<int>(rows * cols)));
    const auto plus = SKELRT_FN((tile a, tile b) { return combine(a, b); });
    const auto fold = sk::reduce(plus);
    const sk::vector<tile> by_row = fold.by_row(m), by_column = fold.by_column(m);
    const auto v = numbers<int>(rows * cols);
    check_values(by_row, expected(rows, [&](std::size_t i) {
                     int s = 0;
                     for (std::size_t j = 0; j < cols; ++j) s += v[i * cols + j];
                     return s;
                 }));
    check_values(by_column, expected(cols, [&](std::size_t j) {
                     int s = 0;
                     for (std::size_t i = 0; i < rows; ++i) s += v[i * cols + j];
                     return s;
                 }));
}

TEST_CASE("own names: filter and sort", "[names][filter][sort]")
{
    const auto a = numbers<int>(count);
    std::vector<int> some;
    for (const int v : a)
        if (v % 3 != 0) some.push_back(v);
    check_values(sk::vector<kept>(sk::filter(SKELRT_FN((kept k) { return taken(k); }))(vector_made<kept>(a))), some);

    const auto keys = vector_made<key>(a);
    const sk::vector<key> sorted = sk::sort(keys, SKELRT_FN((key a, key b) { return before(a, b); }));
    auto want = a;
    std::sort(want.begin(), want.end(), std::greater<>());
    check_values(sorted, want);
}

TEST_CASE("own names: stencils", "[names][stencil]")
{
    const auto a = numbers<int>(count);
    const auto at = [&](std::ptrdiff_t i) { return i < 0 || i >= std::ptrdiff_t(count) ? 9 : a[std::size_t(i)]; };
    const auto near =
        sk::stencil(SKELRT_FN((sk::hood1<y> z) { return y{z(-1).v + 2 * z(1).v}; }), sk::border::constant(y{9}));
    check_values(sk::vector<y>(near(vector_made<y>(a))), expected(count, [&](std::size_t i) {
                     return at(std::ptrdiff_t(i) - 1) + 2 * at(std::ptrdiff_t(i) + 1);
                 }));

    // A map under the hood.
    const auto twice = sk::map(SKELRT_FN((from f) { return y{2 * f.v}; }));
    const auto nearest = sk::stencil(SKELRT_FN((sk::hood1<y> z) { return z(-1).v + z(1).v; }), sk::border::nearest());
    const sk::vector<int> z = nearest(twice(vector_made<from>(a)));
    check_equal(
        z, expected(count, [&](std::size_t i) { return 2 * (a[i == 0 ? 0 : i - 1] + a[std::min(i + 1, count - 1)]); }));

    const std::size_t rows = 61, cols = 83;
    const auto b = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, made<y>(b));
    const auto cross =
        sk::stencil(SKELRT_FN((sk::hood2<y> x) { return y{(x(-1, 0).v + x(1, 0).v + x(0, -1).v + x(0, 1).v) % 100}; }),
                    sk::border::cyclic());
    const sk::matrix<y> crossed = cross(m);
    const auto got = values(crossed);
    check_equal(expected(got.size(), [&](std::size_t i) { return got[i].v; }),
                expected(rows * cols, [&](std::size_t i) {
                    const std::size_t p = i / cols, q = i % cols;
                    return (b[(p + rows - 1) % rows * cols + q] + b[(p + 1) % rows * cols + q] +
                            b[p * cols + (q + cols - 1) % cols] + b[p * cols + (q + 1) % cols]) %
                           100;
                }));
}

TEST_CASE("own names: all pairs", "[names][pairs]")
{
    const std::size_t rows = 33, cols = 29, depth = 37;
    const auto a = numbers<int>(rows * depth, 1), b = numbers<int>(cols * depth, 2);
    const auto zip = SKELRT_FN((left a, right b) { return zipped(a, b); });
    const auto op = SKELRT_FN((sum a, sum b) { return combine(a, b); });
    const auto more = sk::map(SKELRT_FN((left a) { return left{a.v + 1}; }));
    const sk::matrix<sum> c =
        sk::all_pairs(zip, op)(more(matrix_of(rows, depth, made<left>(a))), matrix_of(cols, depth, made<right>(b)));
    const auto got = values(c);
    check_equal(expected(got.size(), [&](std::size_t i) { return got[i].v; }),
                expected(rows * cols, [&](std::size_t i) {
                    int s = 0;
                    for (std::size_t k = 0; k < depth; ++k)
                        s += (a[i / cols * depth + k] + 1) * b[i % cols * depth + k];
                    return s;
                }));
}
