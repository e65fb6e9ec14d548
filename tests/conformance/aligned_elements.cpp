// SPDX-License-Identifier: BSD-3-Clause
#if defined(__x86_64__)
#pragma GCC target("avx")
#endif
#include "support.hpp"

#include <algorithm>

using namespace test;

// Element types that ask for more than max_align_t: what vector instructions of a program built for its own processor
// take for granted. AVX checks addresses: a value that lies where it must not ends the program.

SKELRT_SHARED(struct alignas(32) wide32 { int v[8]; };)
SKELRT_SHARED(struct alignas(64) wide64 { int v[16]; };)
SKELRT_SHARED(struct alignas(128) wide128 { int v[32]; };)

template <class T>
    requires(std::is_same_v<T, wide32> || std::is_same_v<T, wide64> || std::is_same_v<T, wide128>)
bool operator==(const T& a, const T& b) { return std::equal(a.v, a.v + 8, b.v); }

namespace
{

/// OpenCL C has no alignas.
sk::device_set where() { return devices().has(sk::device::opencl) ? sk::device_set(sk::device::cpu) : devices(); }

template <class T>
T made(int k)
{
    T t{};
    for (int i = 0; i < 8; ++i) t.v[i] = k + i;
    return t;
}

template <class T>
std::vector<T> values_of(std::size_t n)
{
    std::vector<T> v;
    for (std::size_t i = 0; i < n; ++i) v.push_back(made<T>(static_cast<int>(i % 97)));
    return v;
}

/// Everything that keeps elements or running values somewhere, with one element type.
template <class T, class Add, class Less, class Keep, class Walk>
void check(Add add, Less less, Keep keep, Walk walk)
{
    const std::size_t n = GENERATE(1, 33, 5000);
    const auto v = values_of<T>(n);
    const sk::vector<T> x(v.begin(), v.end());
    const auto plus = [](T a, const T& b) {
        for (int i = 0; i < 8; ++i) a.v[i] += b.v[i];
        return a;
    };
    std::vector<T> running, sorted, kept;
    T total{};
    for (const T& a : v) {
        running.push_back(total = plus(total, a));
        if (a.v[0] % 3 == 0) kept.push_back(a);
    }
    std::vector<std::size_t> places(n); // a std::stable_sort of the elements has a buffer that is not aligned for them
    for (std::size_t i = 0; i < n; ++i) places[i] = i;
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return v[a].v[0] < v[b].v[0]; });
    for (const std::size_t i : places) sorted.push_back(v[i]);
    REQUIRE(sk::reduce(add, made<T>(1))(x).get() == plus(made<T>(1), total));
    REQUIRE(sk::reduce(add)(x).get() == total);
    const sk::scalar<T> in_scalar = sk::reduce(add)(x);
    REQUIRE(in_scalar.get() == total);
    check_equal(sk::vector<T>(sk::scan(add)(x)), running);
    check_equal(sk::vector<T>(sk::sort(x, less)), sorted);
    check_equal(sk::vector<T>(keep(x)), kept);
    sk::vector<T> y = x;
    y = walk.iterate(3, y);
    auto w = v;
    for (int k = 0; k < 3; ++k) {
        const auto old = w;
        for (std::size_t i = 0; i < n; ++i) w[i] = plus(old[(i + n - 1) % n], old[(i + 1) % n]);
    }
    check_equal(y, w);

    const std::size_t rows = 11, cols = (n + 10) / 11;
    const auto elements = values_of<T>(rows * cols);
    const sk::matrix<T> m(rows, cols, elements.begin());
    std::vector<T> by_row(rows, T{}), by_column(cols, T{}), along(rows * cols), down(rows * cols);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        along[i] = by_row[i / cols] = plus(by_row[i / cols], elements[i]);
        down[i] = by_column[i % cols] = plus(by_column[i % cols], elements[i]);
    }
    check_equal(sk::vector<T>(sk::reduce(add).by_row(m)), by_row);
    check_equal(sk::vector<T>(sk::reduce(add, T{}).by_row(m)), by_row);
    check_equal(sk::vector<T>(sk::reduce(add, T{}).by_column(m)), by_column);
    check_equal(sk::matrix<T>(sk::scan(add).by_row(m)), along);
    check_equal(sk::matrix<T>(sk::scan(add, T{}).by_row(m)), along);
    check_equal(sk::matrix<T>(sk::scan(add).by_column(m)), down);

    sk::vector<T> twice(x);
    sk::vector<int> order(n);
    {
        const auto o = sk::host(order);
        for (std::size_t i = 0; i < n; ++i) o[i] = static_cast<int>(i * 7 % 101);
    }
    auto keys = values(order);
    sk::sort_by_key(order, twice);
    std::vector<std::size_t> by(n);
    for (std::size_t i = 0; i < n; ++i) by[i] = i;
    std::stable_sort(by.begin(), by.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    check_equal(twice, expected(n, [&](std::size_t i) { return v[by[i]]; }));
}

} // namespace

// Once per type: the text of a user function stands for one type of lambda.
#define CHECK_TYPE(T)                                                                                                  \
    check<T>(SKELRT_FN((T a, T b) {                                                                                    \
                 for (int i = 0; i < 8; ++i) a.v[i] += b.v[i];                                                         \
                 return a;                                                                                             \
             }),                                                                                                       \
             SKELRT_FN((T a, T b) { return a.v[0] < b.v[0]; }),                                                        \
             sk::filter(SKELRT_FN((T a) { return a.v[0] % 3 == 0; })),                                                 \
             sk::stencil(SKELRT_FN((sk::hood1<T> u) {                                                                  \
                             T a = u(-1);                                                                              \
                             for (int i = 0; i < 8; ++i) a.v[i] += u(1).v[i];                                          \
                             return a;                                                                                 \
                         }),                                                                                           \
                         sk::border::cyclic()))

TEST_CASE("elements of 32 bytes' alignment", "[aligned]")
{
    const sk::only here(where());
    CHECK_TYPE(wide32);
}
TEST_CASE("elements of 64 bytes' alignment", "[aligned]")
{
    const sk::only here(where());
    CHECK_TYPE(wide64);
}
TEST_CASE("elements of 128 bytes' alignment", "[aligned]")
{
    const sk::only here(where());
    CHECK_TYPE(wide128);
}
