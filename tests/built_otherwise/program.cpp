// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

/// A user's program that hands values of the standard library's types to the library, and gets some from it. It is
/// built with options that the library was not built with; its values must be right all the same.

namespace sk = skelrt;

SKELRT_SHARED(
    struct sample { float value, weight; }; inline float weighted(sample s) { return s.value * s.weight; })

namespace
{

int failures = 0;

void expect(bool right, const char* what)
{
    if (right) return;
    ++failures;
    std::printf("wrong: %s\n", what);
}

std::vector<int> ascending(std::size_t n)
{
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    return v;
}

template <class Container>
auto copied(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<typename Container::value_type>(h.begin(), h.end());
}

void maps(std::size_t n)
{
    const std::vector<int> a = ascending(n);
    sk::vector<int> x(a.begin(), a.end()), y;
    const int shift = 3;
    y = sk::map(SKELRT_FN_WITH((shift), (int v) { return 2 * v + shift; }))(x);
    y += x * 2 - 1;
    {
        auto h = sk::host(y);
        for (int& v : h) ++v;
    }
    const std::vector<int> got = copied(y);
    for (std::size_t i = 0; i < n; ++i)
        if (got[i] != 4 * a[i] + shift) return expect(false, "map, operators and a host view");
    const long sum = sk::reduce(SKELRT_FN((long p, long q) { return p + q; }), 0L)(sk::cast<long>(x));
    expect(sum == static_cast<long>(n * (n - 1) / 2), "reduce");
}

void orders(std::size_t n)
{
    std::vector<int> a = ascending(n);
    for (int& v : a) v = v * 7 % 101;
    const sk::vector<int> x(a.begin(), a.end());
    const sk::vector<int> sorted = sk::sort(x);
    std::sort(a.begin(), a.end());
    expect(copied(sorted) == a, "sort");
    const sk::vector<int> even = sk::filter(SKELRT_FN((int v) { return v % 2 == 0; }))(sorted);
    a.erase(std::remove_if(a.begin(), a.end(), [](int v) { return v % 2 != 0; }), a.end());
    expect(copied(even) == a, "filter");
    std::partial_sum(a.begin(), a.end(), a.begin());
    expect(copied(sk::vector<int>(sk::scan(sk::plus)(even))) == a, "scan");
}

void grids(std::size_t rows, std::size_t cols)
{
    const std::vector<int> a = ascending(rows * cols);
    sk::matrix<int> m(rows, cols, a.begin());
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1) - u(0, -1); }), sk::border::nearest())(m);
    const auto h = sk::host_read(m);
    bool right = true;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 1; j + 1 < cols; ++j) right = right && h(i, j) == 2;
    expect(right, "stencil");
}

void structs(std::size_t n)
{
    const std::vector<sample> all(n, sample{2, 0.5f});
    const sk::vector<sample> x(all.begin(), all.end());
    const sk::vector<float> y = sk::map(SKELRT_FN((sample s) { return weighted(s); }))(x);
    expect(copied(y) == std::vector<float>(n, 1), "a struct");
    sk::matrix<float> none;
    try {
        none = sk::map(sk::plus)(y, sk::vector<float>(n + 1));
        expect(false, "operands of two sizes");
    } catch (const sk::error& e) {
        expect(std::string(e.what()).find("containers of one shape") != std::string::npos, e.what());
    }
}

} // namespace

int main()
{
    sk::options o;
    o.policy = "lws";
    const sk::runtime rt(o);
    for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{200000}}) {
        maps(n);
        orders(n);
        structs(n);
    }
    grids(3, 5);
    grids(300, 200);
    std::puts(failures == 0 ? "right" : "wrong");
    return failures == 0 ? 0 : 1;
}
