// SPDX-License-Identifier: BSD-3-Clause
/// Our side of docs/coming-from.md, compiled, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace sk = skelrt;

SKELRT_SHARED(inline float mult(float a, float b) { return a * b; })

namespace
{

template <class Container>
bool all_are(const Container& x, float v)
{
    const auto h = sk::host_read(x);
    return std::ranges::all_of(h, [v](float e) { return e == v; });
}

void from_skepu()
{
    const sk::vector<float> a(1000, 2.0f), b(1000, 3.0f);

    auto product = sk::map(SKELRT_FN((float a, float b) { return mult(a, b); }));
    auto sum = sk::reduce(sk::plus, 0.0f);
    sk::vector<float> c = product(a, b); // the result is what is assigned
    float dot = sum(product(a, b));      // MapReduce is a map inside a reduce

    expect(all_are(c, 6) && dot == 6000, "maps and sums as in SkePU");

    sk::matrix<float> m(20, 30, 1.0f);
    auto heat = sk::stencil(SKELRT_FN((sk::hood2<float> r) { return (r(-1, 0) + r(1, 0) + r(0, -1) + r(0, 1)) / 4; }),
                            sk::border::cyclic());
    m = heat.iterate(50, m);
    m = heat.red_black(50, m);
    expect(all_are(m, 1), "an overlap as in SkePU");
}

void from_thrust()
{
    sk::vector<float> x(1000, 2.0f), y(1000, 1.0f);
    const float a = 3;

    auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    y = saxpy(a, x, y);
    float largest = sk::reduce(sk::maximum, 0.0f)(y);

    expect(largest == 7, "a transform and a reduction as in Thrust");

    sk::vector<int> keys{3, 1, 2};
    sk::vector<float> values{30, 10, 20};
    const sk::vector<int> index{2, 1, 0};
    auto positive = sk::filter(SKELRT_FN((float v) { return v > 15; }));

    sk::sort_by_key(keys, values);
    auto [names, totals] = sk::reduce_by_key(keys, values, sk::plus);
    sk::vector<float> some = positive(values);
    x = sk::gather(values, index);
    sk::scatter(values, index, y);
    sk::vector<float> running = sk::scan(sk::plus)(values);
    auto steps = sk::generate(SKELRT_FN((sk::index1 at) { return (float)at.i; }));
    x = steps(sk::shape(1000));

    expect(some.size() == 2 && sk::host_read(totals)[2] == 30 && sk::host_read(names)[0] == 1, "by key");
    expect(sk::host_read(running)[2] == 60 && sk::host_read(y)[0] == 30 && sk::host_read(x)[9] == 9, "as in Thrust");
}

void from_kokkos()
{
    const std::size_t n = 20, k = 30;

    sk::matrix<double> a(n, k, 1.0);
    sk::vector<double> x(k, 2.0);
    auto row_times = sk::map(SKELRT_FN((sk::index1 at, sk::mat<double> a, sk::vec<double> x) {
        double s = 0;
        for (size_t j = 0; j < a.cols(); ++j) s += a(at.i, j) * x[j];
        return s;
    }));
    sk::vector<double> y = row_times(sk::shape(n), a, x); // parallel_for over rows
    double total = sk::reduce(sk::plus, 0.0)(y);          // parallel_reduce

    const auto smallest = sk::reduce(sk::minimum);
    const auto sum = sk::reduce(sk::plus, 0.0);
    double least = 0;
    sk::tie(least, total) = sk::together(smallest, sum)(y);

    expect(total == 1200 && least == 60, "rows as in Kokkos");

    const auto h = sk::host(a);
    h(3, 4) = 5;
    expect(h(3, 4) == 5, "a mirror as in Kokkos");
}

void from_openmp()
{
    const std::size_t n = 1000;
    std::vector<double> data(n, 1.0);
    {
        sk::vector<double> x(sk::borrow, data.data(), n); // the memory that the program has already
        auto root = sk::map(SKELRT_FN((double v) { return sqrt(v + 3); }));
        x = root(x);                             // parallel for
        double s = sk::reduce(sk::plus, 0.0)(x); // reduction(+ : s)
        x = sk::scan(sk::plus)(x);               // scan inclusive(s)
        sk::task([](std::span<double> v) { v[0] = 7; }, sk::inout(x.range(0, 500)));
        expect(s == 2000, "a sum as in OpenMP");
    } // data holds the results
    expect(data[999] == 2000 && data[0] == 7, "results in the program's memory");
}

void from_taskflow()
{
    sk::vector<int> a(4), b(4), c(4), d(4);
    const auto fill = [](std::span<int> to) { std::ranges::fill(to, 1); };
    const auto add_one = [](std::span<const int> from, std::span<int> to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + 1;
    };
    const auto add = [](std::span<const int> x, std::span<const int> y, std::span<int> to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = x[i] + y[i];
    };

    auto first = sk::task(fill, sk::out(a));
    sk::task(add_one, sk::in(a), sk::out(b)); // A.precede(B, C): both read a
    sk::task(add_one, sk::in(a), sk::out(c));
    sk::task(add, sk::in(b), sk::in(c), sk::out(d));     // D.succeed(B, C)
    sk::task({.name = "last", .after = {first}}, [] {}); // an edge that no data makes

    expect(sk::host_read(d)[3] == 4, "four tasks as in Taskflow");

    int next = 0, sum = 0;
    auto line = sk::pipeline(
        sk::source([&]() -> std::optional<int> { return next < 5 ? std::optional(next++) : std::nullopt; }),
        sk::parallel("square", [](int v) { return v * v; }), sk::in_order([&](int v) { sum += v; }));
    line();
    expect(sum == 30, "a pipeline as in Taskflow");
}

} // namespace

int main()
{
    const sk::runtime rt;
    from_skepu();
    from_thrust();
    from_kokkos();
    from_openmp();
    from_taskflow();
    return failures;
}
