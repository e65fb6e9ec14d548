// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace test;

TEST_CASE("count_if, any_of, all_of, none_of, find_if", "[questions]")
{
    const auto n = lengths();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto nine = SKELRT_FN((int v) { return v == 9; });
    const auto digit = SKELRT_FN((int v) { return v < 10; });
    const auto large = SKELRT_FN((int v) { return v > 9 ? 4 : 0; }); // any number may say yes
    const auto is_nine = [](int v) { return v == 9; };
    REQUIRE(std::size_t(sk::count_if(x, nine)) == static_cast<std::size_t>(std::count(a.begin(), a.end(), 9)));
    REQUIRE(sk::any_of(x, nine) == std::any_of(a.begin(), a.end(), is_nine));
    REQUIRE(sk::all_of(x, nine) == std::all_of(a.begin(), a.end(), is_nine));
    REQUIRE(sk::none_of(x, nine) == std::none_of(a.begin(), a.end(), is_nine));
    REQUIRE(sk::all_of(x, digit));
    REQUIRE(sk::none_of(x, large));
    REQUIRE(!sk::any_of(x, large));
    const std::size_t first = sk::find_if(x, nine), never = sk::find_if(x, large);
    REQUIRE(first == static_cast<std::size_t>(std::find(a.begin(), a.end(), 9) - a.begin()));
    REQUIRE(never == n);
}

TEST_CASE("questions to calls, matrices and parts, and answers that nobody waits for", "[questions]")
{
    const std::size_t rows = 31, cols = 40;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    const sk::scalar<std::size_t> count = sk::count_if(twice(m), SKELRT_FN((int v) { return v == 18; }));
    REQUIRE(count.get() == static_cast<std::size_t>(std::count(a.begin(), a.end(), 9)));
    const std::size_t at = sk::find_if(m, SKELRT_FN((int v) { return v == 9; }));
    REQUIRE(at == static_cast<std::size_t>(std::find(a.begin(), a.end(), 9) - a.begin()));
    const std::size_t in_row = sk::find_if(m.row(3), SKELRT_FN((int v) { return v == 7; }));
    const auto row = a.begin() + 3 * cols;
    REQUIRE(in_row == static_cast<std::size_t>(std::find(row, row + cols, 7) - row));
}

TEMPLATE_TEST_CASE("minmax, argmin, argmax", "[extrema]", int, float, double, unsigned char)
{
    const auto n = GENERATE(as<std::size_t>(), 1, 2, 3, 61, 4099, 100'003);
    const auto a = random_numbers<TestType>(n, 200, 3);
    const auto x = vector_of(a);
    const auto [least, most] = std::minmax_element(a.begin(), a.end());
    const sk::minmax_result<TestType> both = sk::minmax(x);
    REQUIRE(both.min == *least);
    REQUIRE(both.max == *most);
    const sk::indexed<TestType> smallest = sk::argmin(x), largest = sk::argmax(x);
    REQUIRE(smallest.value == *least);
    REQUIRE(smallest.index == static_cast<std::size_t>(least - a.begin()));
    REQUIRE(largest.value == *most);
    REQUIRE(largest.index == static_cast<std::size_t>(std::max_element(a.begin(), a.end()) - a.begin()));
}

namespace
{

/// Of each row, or column, the first of its smallest, or largest, elements; element k of line i is a[i * line + k *
/// step].
template <class T, class Better>
std::vector<std::size_t> first_of_best(const std::vector<T>& a, std::size_t lines, std::size_t line, std::size_t length,
                                       std::size_t step, Better better)
{
    return expected(lines, [&](std::size_t i) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < length; ++k)
            if (better(a[i * line + k * step], a[i * line + best * step])) best = k;
        return best;
    });
}

template <class T>
std::vector<std::size_t> indices(const sk::vector<sk::indexed<T>>& x)
{
    const auto v = values(x);
    return expected(v.size(), [&](std::size_t i) { return v[i].index; });
}

} // namespace

TEMPLATE_TEST_CASE("argmin and argmax by row and by column, the first of equal ones", "[extrema]", float, int)
{
    using T = TestType;
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{0, 3}, {3, 0}, {1, 1}, {1, 701}, {701, 1}, {37, 53}, {300, 1030}}));
    CAPTURE(rows, cols);
    const auto a = random_numbers<T>(rows * cols, 20, 3); // most of them come again
    const auto m = matrix_of(rows, cols, a);
    const auto opposite = sk::map(sk::negate);
    if (cols > 0) {
        const sk::vector<sk::indexed<T>> least = sk::argmin.by_row(m), most = sk::argmax.by_row(m);
        check_equal(indices<T>(least), first_of_best(a, rows, cols, cols, 1, std::less<>()));
        check_equal(indices<T>(most), first_of_best(a, rows, cols, cols, 1, std::greater<>()));
        const auto found = values(least);
        for (std::size_t i = 0; i < rows; ++i) REQUIRE(found[i].value == a[i * cols + found[i].index]);
        check_equal(indices<T>(sk::argmin.by_row(opposite(m))), indices<T>(most)); // fused
    }
    if (rows > 0) {
        check_equal(indices<T>(sk::argmin.by_column(m)), first_of_best(a, cols, 1, rows, cols, std::less<>()));
        check_equal(indices<T>(sk::argmax.by_column(m)), first_of_best(a, cols, 1, rows, cols, std::greater<>()));
    }
}

TEST_CASE("extrema of calls, as scalars, in user functions; of nothing", "[extrema]")
{
    const std::size_t n = 5003;
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    const auto opposite = sk::map(sk::negate);
    const sk::scalar<sk::minmax_result<float>> range = sk::minmax(opposite(x));
    REQUIRE(range.get().min == -9);
    const auto scale =
        sk::map(SKELRT_FN((float v, sk::minmax_result<float> r) { return (v - r.min) / (r.max - r.min); }));
    const sk::vector<float> y = scale(x, sk::scalar<sk::minmax_result<float>>(sk::minmax(x)));
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] / 9; }));
    const sk::vector<int> none;
    REQUIRE(message_of([&] { static_cast<void>(sk::argmin(none).get()); }).find("sk::argmin") != std::string::npos);
    REQUIRE(message_of([&] { static_cast<void>(sk::minmax(none).get()); }).find("sk::minmax") != std::string::npos);
    REQUIRE(message_of([&] {
                static_cast<void>(sk::eval(sk::argmin.by_row(x)));
            }).find("rows or columns of a matrix") != std::string::npos);
    const sk::matrix<int> no_columns(3, 0);
    REQUIRE(message_of([&] { static_cast<void>(sk::eval(sk::argmin.by_row(no_columns))); }).find("sk::argmin") !=
            std::string::npos);
}

TEST_CASE("mean and variance in one pass, of numbers far from 0", "[moments]")
{
    const auto n = lengths();
    auto a = random_numbers<double>(n, 1000, 11);
    for (double& v : a) v += 1e9; // sums of squares would lose all digits of the variance
    const sk::moments m = sk::mean_and_variance(vector_of(a));
    REQUIRE(m.count == n);
    long double sum = 0, squares = 0;
    for (const double v : a) sum += v;
    const long double mean = n > 0 ? sum / n : 0;
    for (const double v : a) squares += (v - mean) * (v - mean);
    REQUIRE(m.mean == Approx(static_cast<double>(mean)));
    REQUIRE(m.variance() == Approx(n > 0 ? static_cast<double>(squares / n) : 0).margin(1e-9));
    REQUIRE(m.sample_variance() == Approx(n > 1 ? static_cast<double>(squares / (n - 1)) : 0).margin(1e-9));
    const auto small = numbers<int>(n);
    const sk::moments of_calls = sk::mean_and_variance(sk::map(sk::square)(vector_of(small)));
    double plain = 0;
    for (const int v : small) plain += v * v;
    REQUIRE(of_calls.mean * static_cast<double>(n) == Approx(plain));
    // Doubles that were computed of floats: what a device rounds otherwise is no fault of its.
    const auto draw = sk::map(SKELRT_FN((sk::random r) { return static_cast<float>(r.normal()); }));
    const sk::moments drawn = sk::mean_and_variance(draw(sk::shape(5'000), sk::random_seed{3}));
    REQUIRE(drawn.count == 5'000);
    REQUIRE(std::abs(drawn.mean) < 0.1);
    REQUIRE(std::abs(drawn.variance() - 1) < 0.1);
}
