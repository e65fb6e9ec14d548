// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

/// Calls in items are one rank's own.
namespace test
{

namespace
{

namespace sk = skelrt;

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto running_sum = sk::scan(sk::plus);
const auto smooth =
    sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) + 2 * u(0) + u(1); }), sk::border::constant(0));
const auto around =
    sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(1, 0) - u(0, 1); }), sk::border::constant(0));
const auto are_even = sk::filter(SKELRT_FN((int x) { return x % 2 == 0; }));
const sk::kernel halve("halve", sk::on_cpu([](std::span<int> x) {
                           for (int& v : x) v /= 2;
                       }));

/// Numbers that look like noise.
int noise(std::size_t k) { return static_cast<int>((k * 2654435761u >> 7) % 1000); }

std::vector<int> noises(std::size_t n)
{
    std::vector<int> all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = noise(k);
    return all;
}

sk::vector<int> made_of(const std::vector<int>& values)
{
    sk::vector<int> made(values.size(), sk::uninitialized);
    std::ranges::copy(values, sk::host_write(made).begin());
    return made;
}

template <class Container>
std::vector<int> values_of(const Container& x)
{
    const auto here = sk::host_read(x);
    return {here.data(), here.data() + x.size()};
}

std::vector<int> plain_smooth(const std::vector<int>& u, int steps)
{
    std::vector<int> now = u;
    for (int step = 0; step < steps; ++step) {
        const std::vector<int> before = now;
        for (std::size_t k = 0; k < now.size(); ++k)
            now[k] = (k > 0 ? before[k - 1] : 0) + 2 * before[k] + (k + 1 < now.size() ? before[k + 1] : 0);
    }
    return now;
}

/// What goes wrong in an item is told, not thrown: results are the names of what failed.
struct findings {
    std::vector<std::string> wrong;
    void expect(const char* what, bool good)
    {
        if (!good) wrong.emplace_back(what);
    }
};

std::vector<std::string> calls_of(std::size_t n)
{
    findings f;
    const std::vector<int> plain = noises(n);
    const sk::vector<int> x = made_of(plain);
    f.expect("all of it is here", sk::local(x).size() == n && sk::ranks() >= 1);

    sk::vector<int> y = twice(x);
    std::vector<int> right(plain);
    for (int& v : right) v *= 2;
    f.expect("a map", values_of(y) == right);
    f.expect("a sum", int(sum(y)) == std::accumulate(right.begin(), right.end(), 0));
    const sk::scalar<int> total = sum(x);
    f.expect("a scalar", total.get() == std::accumulate(plain.begin(), plain.end(), 0));

    y = running_sum(x);
    std::partial_sum(plain.begin(), plain.end(), right.begin());
    f.expect("a scan", values_of(y) == right);

    y = sk::sort(x);
    right = plain;
    std::ranges::sort(right);
    f.expect("a sort", values_of(y) == right);

    y = are_even(x);
    right = plain;
    std::erase_if(right, [](int v) { return v % 2 != 0; });
    f.expect("a filter", values_of(y) == right);

    f.expect("a stencil", values_of(sk::vector<int>(smooth.iterate(3, x))) == plain_smooth(plain, 3));

    sk::vector<int> z = x; // a copy, and a task that changes it
    sk::task(halve, sk::inout(z));
    right = plain;
    for (int& v : right) v /= 2;
    f.expect("a task", values_of(z) == right);

    const sk::matrix<int> m(n, 3, 5);
    const sk::matrix<int> b = around(m);
    f.expect("a matrix", n == 0 || values_of(b).front() == (n == 1 ? -5 : 0));
    return f.wrong;
}

void tell(const char* where, const std::vector<std::string>& all)
{
    for (const std::string& w : all) wrong(where, w);
}

} // namespace

void calls_inside_items()
{
    const std::vector<std::size_t> sizes{1, 2, 3, 4, 5, 7, 100, 1000, 20011, 64, 9, 1};
    for (const auto& of_item : sk::farm(calls_of)(sizes)) tell("calls in items", of_item);
    const auto [first, second] = sk::farm(
        [] {
            return sk::farm(calls_of)(std::vector<std::size_t>{10, 3000, 77});
        },
        [] { return calls_of(12); })();
    for (const auto& of_item : first) tell("farms in items", of_item);
    tell("calls beside farms", second);
    // The program itself goes over all ranks as before.
    const sk::vector<int> x(1000, 1);
    expect("a container of the program is dealt out", sk::ranks() == 1 || sk::local(x).size() < x.size());
    expect("a sum afterwards", int(sum(x)) == 1000);
    const std::vector<int> sums = sk::farm([](std::size_t n) { return sum(sk::vector<int>(n, 2)); })(sizes);
    for (std::size_t k = 0; k < sizes.size(); ++k)
        expect("calls that items give", sums[k] == 2 * static_cast<int>(sizes[k]));
}

/// Groups, pipelines and divide and conquer, and farms that are told so: all of it on every rank.
void work_of_each_rank()
{
    const std::vector<std::size_t> sizes{5, 300, 17};
    sk::group g("sizes");
    std::vector<sk::future<std::vector<std::string>>> of_group;
    for (const std::size_t n : sizes) of_group.push_back(g.run([n] { return calls_of(n); }));
    g.wait();
    for (const auto& f : of_group) tell("calls in a group", f.get());

    std::size_t next = 0;
    std::vector<int> written;
    const std::size_t values =
        sk::pipeline(sk::source([&] { return next < 20 ? std::optional(next++) : std::nullopt; }),
                     sk::parallel([](std::size_t k) { return made_of(noises(100 + k)); }),
                     sk::parallel([](sk::vector<int> v) { return v = twice(v), v; }),
                     sk::in_order([&](const sk::vector<int>& v) { written.push_back(sum(v)); }))();
    expect("all values", values == 20 && written.size() == 20);
    for (std::size_t k = 0; k < written.size(); ++k) {
        const auto plain = noises(100 + k);
        expect("a value", written[k] == 2 * std::accumulate(plain.begin(), plain.end(), 0));
    }

    const auto sum_of = sk::divide_and_conquer(
        [](const std::vector<int>& v) { return v.size() < 50; },
        [](const std::vector<int>& v) {
            const auto half = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
            return std::array{std::vector<int>(v.begin(), half), std::vector<int>(half, v.end())};
        },
        [](const std::vector<int>& v) { return int(sum(made_of(v))); },
        [](std::span<int> both) { return both[0] + both[1]; });
    const auto plain = noises(1000);
    expect("divide and conquer", sum_of(plain) == std::accumulate(plain.begin(), plain.end(), 0));

    std::vector<int> seen(10, 0);
    const auto containers = sk::farm([&](std::size_t k) {
                                seen[k] = 1;
                                return sk::vector<int>(100 * k, static_cast<int>(k));
                            }).on_every_rank()(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    expect("each rank runs all items", std::ranges::count(seen, 1) == 10);
    expect("and has all results", sk::local(containers[9]).size() == 900);
    const sk::vector<int> y = twice(containers[9]); // of what every rank has
    expect("calls on results", int(sum(y)) == 16200);
    const std::vector<int> nines(900, 9);
    expect("a stencil of a result", values_of(sk::vector<int>(smooth(containers[9]))) == plain_smooth(nines, 1));
    expect("some steps of it", values_of(sk::vector<int>(smooth.iterate(3, containers[9]))) == plain_smooth(nines, 3));
    std::size_t taken = 0;
    sk::farm([](std::size_t k) { return k; }).on_every_rank().each(sizes, [&](std::size_t, std::size_t) { ++taken; });
    expect("each rank takes all results", taken == 3);
}

} // namespace test
