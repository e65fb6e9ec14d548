// SPDX-License-Identifier: BSD-3-Clause
/// Every piece of code in docs/tasks.md, compiled, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace sk = skelrt;

namespace
{

float sum_of(std::span<const float> x) { return std::accumulate(x.begin(), x.end(), 0.0f); }

void first_tasks()
{
    sk::vector<float> x(1000, 1.0f);
    sk::scalar<float> low, high;
    sk::task([](std::span<const float> part, float& s) { s = sum_of(part); }, sk::in(x.range(0, 500)), sk::out(low));
    sk::task([](std::span<const float> part, float& s) { s = sum_of(part); }, sk::in(x.range(500, 500)), sk::out(high));
    sk::task([](const float& more, float& all) { all += more; }, sk::in(high), sk::inout(low));
    const float all = low; // waits for this value
    expect(all == 1000, "two sums at once, then their sum");
}

const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));

void with_calls()
{
    sk::vector<float> x(1000, 1.0f);
    x = twice(x);
    sk::task([](std::span<float> part) { part.front() = 0; }, sk::inout(x.range(100, 50)));
    x = twice(x); // after the task
    const auto h = sk::host_read(x);
    expect(h[100] == 0 && h[101] == 4, "calls and tasks in the order of the program");
}

void neighbours()
{
    constexpr std::size_t n = 1000, parts = 10, length = n / parts;
    sk::vector<float> from(n, 1.0f), to(n, 0.0f);
    for (std::size_t first = 0; first < n; first += length) {
        const std::size_t left = std::max<std::size_t>(first, 1) - 1, right = std::min(first + length + 1, n);
        sk::task(
            [=](std::span<const float> around, std::span<float> here) {
                for (std::size_t i = 0; i < here.size(); ++i) {
                    const std::size_t middle = first - left + i;
                    here[i] = around[middle];
                    if (middle > 0) here[i] += around[middle - 1];
                    if (middle + 1 < around.size()) here[i] += around[middle + 1];
                }
            },
            sk::in(from.range(left, right - left)), sk::out(to.range(first, length)));
    }
    expect(std::ranges::count(sk::host_read(to), 3.0f) == n - 2, "parts that overlap are read");
}

void multiply(sk::block<const float> a, sk::block<const float> b, sk::block<float> c)
{
    for (std::size_t i = 0; i < c.rows(); ++i)
        for (std::size_t k = 0; k < a.cols(); ++k)
            for (std::size_t j = 0; j < c.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
}
const sk::kernel add_product("add product", sk::on_cpu(multiply));

void tiled_product()
{
    constexpr std::size_t n = 200;
    sk::matrix<float> a(n, n, 1.0f), b(n, n, 2.0f), c(n, n, 0.0f);
    const sk::blocks A(a, 64, 64), B(b, 64, 64), C(c, 64, 64);
    for (std::size_t i = 0; i < C.rows(); ++i)
        for (std::size_t j = 0; j < C.cols(); ++j)
            for (std::size_t k = 0; k < A.cols(); ++k)
                sk::task(add_product, sk::in(A(i, k)), sk::in(B(k, j)), sk::inout(C(i, j)));
    const auto h = sk::host_read(c); // waits for the tasks
    expect(h(0, 0) == 2 * n && h(n - 1, n - 1) == 2 * n, "a tiled product");
}

void futures()
{
    sk::vector<float> x(1000, 1.0f), y(500, 3.0f);
    auto largest = sk::task([](std::span<const float> v) { return std::ranges::max(v); }, sk::in(y));
    auto done = sk::task(
        [](std::span<float> v, float by, int power) {
            for (float& e : v)
                for (int k = 0; k < power; ++k) e *= by;
        },
        sk::inout(x), largest, 2);
    done.wait();
    expect(largest.get() == 3 && sk::host_read(x)[7] == 9, "a future's value goes into a task");
}

void made_later()
{
    sk::vector<float> x(1000, 1.0f);
    sk::scalar<float> total;
    const auto add_up =
        sk::later_task([](std::span<const float> v, float& s) { s = sum_of(v); }, sk::in(x), sk::out(total));
    add_up(); // now; its future, as of sk::task
    auto [none, largest] =
        sk::farm(add_up, sk::later_task([](std::span<const float> v) { return std::ranges::max(v); }, sk::in(x)))();
    expect(largest == 1 && total.get() == 1000, "tasks made later");
}

void parts_on_the_host()
{
    sk::matrix<float> a(64, 64, 1.0f);
    const sk::blocks A(a, 16, 16);
    const auto twice = [](sk::block<float> b) {
        for (std::size_t r = 0; r < b.rows(); ++r)
            for (std::size_t c = 0; c < b.cols(); ++c) b(r, c) *= 2;
    };
    for (std::size_t i = 0; i < 4; ++i) sk::task(twice, sk::inout(A(i, i)));
    {
        const auto corner = sk::host(A(0, 0)); // waits for this task only
        corner(0, 0) = 7;
        sk::task(twice, sk::inout(A(1, 0))); // beside it
    }
    float trace = 0;
    for (std::size_t i = 0; i < 64; ++i) trace += sk::host_read(a)(i, i);
    expect(trace == 2 * 64 + 5, "host views of parts");
}

void reductions()
{
    sk::vector<float> x(1000, 1.0f);
    sk::scalar<double> total;
    for (std::size_t first = 0; first < x.size(); first += 100)
        sk::task([](std::span<const float> part, double& mine) { mine += sum_of(part); }, sk::in(x.range(first, 100)),
                 sk::reduction(sk::plus, total));
    const double all = total;
    expect(all == 1000, "a reduction");
}

void commuting()
{
    const std::vector<std::vector<int>> samples{{1, 2, 2}, {2, 3}, {0, 2}};
    sk::vector<int> counts(4, 0);
    for (const auto& s : samples)
        sk::task(
            [](std::span<int> bins, const std::vector<int>& values) {
                for (const int v : values) ++bins[static_cast<std::size_t>(v)];
            },
            sk::commute(counts), s);
    const auto h = sk::host_read(counts);
    expect(h[2] == 4 && h[0] == 1, "tasks in any order, one at a time");
}

void workspaces()
{
    sk::vector<float> x(1000);
    std::ranges::copy(std::views::iota(0, 1000), sk::host_write(x).begin());
    sk::task(
        [](std::span<float> v, std::span<float> copy) {
            std::ranges::copy(v, copy.begin());
            std::ranges::reverse_copy(copy, v.begin());
        },
        sk::inout(x), sk::scratch<float>(x.size()));
    expect(sk::host_read(x)[0] == 999, "a workspace");
}

void orders()
{
    sk::scalar<int> a(0), b(0);
    auto first = sk::task([](int& v) { v = 1; }, sk::out(a));
    auto second = sk::task(
        {.after = {first}}, [](int& v) { v = 2; }, sk::out(b)); // no data says so
    sk::task(
        {.name = "urgent", .priority = 3}, [](const int& v, int& w) { w += v; }, sk::in(b), sk::inout(a));
    expect(a.get() == 3, "after and priorities");
}

void errors()
{
    sk::scalar<int> wanted(0), derived(0);
    auto bad = sk::task(
        {.name = "read"}, [](int&) { throw std::runtime_error("no such file"); }, sk::out(wanted));
    auto next = sk::task(
        {.name = "parse"}, [](int from, int& to) { to = from; }, sk::in(wanted), sk::out(derived));
    bool seen = false;
    try {
        bad.get();
    } catch (const sk::item_error& e) {
        std::printf("%s\n", e.what());
        seen = true;
    }
    expect(seen, "an error names the task");
    seen = false;
    try {
        next.get(); // did not run
    } catch (const sk::skipped& e) {
        std::printf("%s\n", e.what());
        seen = true;
    }
    expect(seen, "who reads it is skipped");
    sk::task([](int& to) { to = 7; }, sk::out(derived));
    expect(derived.get() == 7, "what is written anew is good again");
}

void items()
{
    std::vector<sk::scalar<int>> results(8);
    sk::farm([&](std::size_t k) {
        sk::task([k](int& r) { r = static_cast<int>(k * k); }, sk::out(results[k]));
        return results[k].get();
    })(std::views::iota(std::size_t{0}, results.size()));
    expect(results[7].get() == 49, "tasks of items");
}

} // namespace

int main()
{
    const sk::runtime rt;
    first_tasks();
    with_calls();
    neighbours();
    tiled_product();
    futures();
    made_later();
    parts_on_the_host();
    reductions();
    commuting();
    workspaces();
    orders();
    errors();
    items();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
