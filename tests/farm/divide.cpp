// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/divide_and_conquer.hpp>
#include <skelrt/farm.hpp>
#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

/// Divide and conquer: trees of all shapes, what goes wrong in them, and what they contain.

namespace sk = skelrt;
namespace
{

struct range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
    std::int64_t middle() const { return begin + size() / 2; }
};

std::array<range, 2> halves(const range& r) { return {range{r.begin, r.middle()}, range{r.middle(), r.end}}; }
std::int64_t sum_of(std::span<const std::int64_t> all)
{
    return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

/// The sum of a range's numbers, one leaf for each.
std::int64_t sum_by_ones(range r)
{
    const auto sum = sk::divide_and_conquer([](const range& x) { return x.size() <= 1; }, halves,
                                            [](range x) { return x.size() == 0 ? 0 : x.begin; },
                                            [](std::span<std::int64_t> both) { return sum_of(both); });
    return sum(r);
}

const auto fib = sk::divide_and_conquer([](int n) { return n < 2; },
                                        [](int n) {
                                            return std::array{n - 1, n - 2};
                                        },
                                        [](int n) { return std::int64_t{n}; },
                                        [](std::span<std::int64_t> r) { return r[0] + r[1]; });

using ints = std::span<int>;

std::pair<ints, ints> partitioned(ints x)
{
    const int pivot = x[x.size() / 2];
    const auto lower = std::ranges::partition(x, [=](int i) { return i < pivot; }).begin();
    const auto upper = std::partition(lower, x.end(), [=](int i) { return i == pivot; });
    return {{x.begin(), lower}, {upper, x.end()}};
}

const auto quicksort =
    sk::divide_and_conquer([](ints x) { return x.size() < 16; }, partitioned, [](ints x) { std::ranges::sort(x); })
        .named("quicksort");

const auto mergesort =
    sk::divide_and_conquer([](const std::vector<int>& x) { return x.size() < 2; },
                           [](std::vector<int>& x) {
                               const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
                               return std::vector<std::vector<int>>{{x.begin(), middle}, {middle, x.end()}};
                           },
                           [](std::vector<int> x) { return x; },
                           [](std::vector<int>& x, std::span<std::vector<int>> halves) {
                               std::ranges::merge(halves[0], halves[1], x.begin());
                               return std::move(x);
                           });

std::vector<int> input(std::size_t n, const std::string& kind)
{
    std::vector<int> x(n, 7);
    std::mt19937 random(4711);
    if (kind == "sorted") std::iota(x.begin(), x.end(), -3);
    if (kind == "random") std::ranges::generate(x, [&] { return static_cast<int>(random()); });
    return x;
}

/// What the call throws, and its text.
template <class Error, class Call>
std::string text_of(Call call)
{
    try {
        call();
    } catch (const Error& e) {
        return e.what();
    }
    FAIL("nothing was thrown");
    return {};
}

template <class... F>
std::string error_of(F... f)
{
    return text_of<sk::item_error>([&] { sk::divide_and_conquer(f...).named("bad")(range{0, 100'000}); });
}

} // namespace

TEST_CASE("sums of ranges by divide and conquer", "[farm][divide]")
{
    const skelrt::runtime rt;
    for (const std::int64_t n : {0, 1, 2, 3, 10, 1000, 100'000}) CHECK(sum_by_ones({0, n}) == n * (n - 1) / 2);
}

TEST_CASE("fib without a cut-off", "[farm][divide]")
{
    const skelrt::runtime rt;
    CHECK(fib(0) == 0);
    CHECK(fib(1) == 1);
    CHECK(fib(2) == 1);
    CHECK(fib(25) == 75'025);
}

TEST_CASE("quicksort and mergesort give what std::sort gives", "[farm][divide]")
{
    const skelrt::runtime rt;
    for (const std::size_t n : {0, 1, 2, 10, 100'000})
        for (const char* const kind : {"random", "sorted", "equal"}) {
            INFO(n << " ints, " << kind);
            const std::vector<int> x = input(n, kind);
            std::vector<int> wanted = x, in_place = x;
            std::ranges::sort(wanted);
            quicksort(in_place);
            CHECK(in_place == wanted);
            CHECK(mergesort(x) == wanted);
        }
}

TEST_CASE("parts may be tuples, of none, and of many", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto three =
        sk::divide_and_conquer([](int n) { return n == 0; }, [](int n) { return std::tuple(n - 1, n - 1, n - 1); },
                               [](int) { return 1; }, [](std::span<int> r) { return r[0] + r[1] + r[2]; });
    CHECK(three(8) == 6561);
    const auto many = sk::divide_and_conquer([](int n) { return n == 1; },
                                             [](int n) { return std::vector<int>(n == 1000 ? 1000 : 0, 1); },
                                             [](int n) { return std::make_unique<int>(n); },
                                             [](int&, std::span<std::unique_ptr<int>> r) {
                                                 int sum = 0;
                                                 for (const auto& one : r) sum += *one;
                                                 return std::make_unique<int>(sum);
                                             });
    CHECK(*many(1000) == 1000);
    CHECK(*many(2) == 0);
}

TEST_CASE("problems that are solved in place may have a merge", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto sort = sk::divide_and_conquer([](ints x) { return x.size() < 8; },
                                             [](ints x) {
                                                 return std::array{x.first(x.size() / 2), x.subspan(x.size() / 2)};
                                             },
                                             [](ints x) { std::ranges::sort(x); },
                                             [](ints& x) { std::ranges::inplace_merge(x, x.begin() + x.size() / 2); });
    std::vector<int> x = input(10'000, "random"), wanted = x;
    sort(x);
    std::ranges::sort(wanted);
    CHECK(x == wanted);
}

TEST_CASE("a chain of any depth takes no stack", "[farm][divide]")
{
    const skelrt::runtime rt;
    constexpr int depth = 100'000;
    const auto depth_of = [=](auto split) {
        return sk::divide_and_conquer([](int n) { return n <= 0; }, split, [](int) { return 1; },
                                      [](std::span<int> r) { return std::accumulate(r.begin(), r.end(), 0); })(depth);
    };
    CHECK(depth_of([](int n) { return std::array{n - 1}; }) == 1);
    CHECK(depth_of([](int n) { return std::array{n - 1, 0}; }) == depth + 1);
    CHECK(depth_of([](int n) { return std::array{0, n - 1}; }) == depth + 1);
    CHECK(depth_of([](int n) { return std::array{0, n - 1, 0, -1}; }) == 3 * depth + 1);
}

TEST_CASE("an exception in each of the four functions ends the tree and names the node", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto small = [](const range& r) { return r.size() <= 10; };
    const auto solve = [](range r) { return r.size(); };
    const auto merge = [](std::span<std::int64_t> r) { return r[0] + r[1]; };
    const auto fails_at_once = [](const range&) -> bool { throw std::runtime_error("no size"); };
    const auto fails_left = [](range r) {
        return r.begin == 0 && r.size() < 50'000 ? throw std::runtime_error("no cut") : halves(r);
    };
    const auto fails_alone = [](range r) -> std::int64_t {
        return r.end == 100'000 ? throw std::logic_error("no sum") : r.size();
    };
    const auto fails_at_last = [](range& r, std::span<std::int64_t> both) -> std::int64_t {
        return r.size() == 100'000 ? throw std::runtime_error("no end") : both[0] + both[1];
    };
    for (int round = 0; round < 20; ++round) {
        CHECK_THAT(error_of(fails_at_once, halves, solve, merge),
                   Catch::Contains("divide.cpp:") && Catch::EndsWith("divide and conquer bad, node 0: no size"));
        CHECK_THAT(error_of(small, fails_left, solve, merge), Catch::EndsWith("bad, node 0.0.0: no cut"));
        CHECK_THAT(error_of(small, halves, fails_alone, merge),
                   Catch::Contains("bad, node 0.1.1.1.1.") && Catch::EndsWith(": no sum"));
        CHECK_THAT(error_of(small, halves, solve, fails_at_last), Catch::EndsWith("bad, node 0: no end"));
    }
    CHECK(fib(15) == 610); // nothing is left of it
}

TEST_CASE("nothing begins after an error, and what was made is destroyed", "[farm][divide]")
{
    const auto alive = std::make_shared<int>(0);
    std::atomic<int> solved{0};
    using part = std::pair<int, std::shared_ptr<int>>;
    const auto tree =
        sk::divide_and_conquer([](const part& p) { return p.first == 0; },
                               [](const part& p) {
                                   return std::array{part{p.first - 1, p.second}, part{p.first - 1, p.second}};
                               },
                               [&](part p) {
                                   const int now = ++solved;
                                   if (now > 100)
                                       std::this_thread::sleep_for(std::chrono::milliseconds(1)); // until all know
                                   return now == 100 ? throw std::runtime_error("enough") : std::move(p.second);
                               },
                               [](std::span<std::shared_ptr<int>> r) { return r[0]; });
    {
        const skelrt::runtime rt;
        CHECK_THROWS_AS(tree(part{18, alive}), sk::item_error);
        CHECK(solved < 10'000);
        solved = -10'000;
        CHECK(tree(part{10, alive}) == alive);
    }
    CHECK(alive.use_count() == 1);
}

TEST_CASE("a started tree goes on by itself, and can be cancelled", "[farm][divide][concurrent]")
{
    const skelrt::runtime rt;
    const auto running = fib.start(20);
    CHECK(running.get() == 6765);
    CHECK(running.done());
    std::atomic<bool> begun{false};
    const auto deep = sk::divide_and_conquer([](int n) { return n == 40; },
                                             [](int n) {
                                                 return std::array{n + 1, n + 1};
                                             },
                                             [&](int, std::stop_token stop) {
                                                 begun = true;
                                                 while (!stop.stop_requested()) std::this_thread::yield();
                                             });
    for (int round = 0; round < 5; ++round) {
        begun = false;
        auto stopped = deep.start(0);
        while (!begun) std::this_thread::yield();
        stopped.cancel();
        CHECK_THROWS_AS(std::move(stopped).get(), sk::cancelled);
    }
}

TEST_CASE("trees are cancelled with the item that they are in", "[farm][divide][concurrent]")
{
    const skelrt::runtime rt;
    const auto endless = sk::divide_and_conquer([](int n) { return n > 1000; },
                                                [](int n) {
                                                    return std::array{n + 1, n + 1};
                                                },
                                                [](int) { return 1; }, [](std::span<int> r) { return r[0] ^ r[1]; });
    std::atomic<bool> begun{false};
    auto running = sk::farm([&] {
                       begun = true;
                       return endless(0);
                   }).start();
    while (!begun) std::this_thread::yield();
    running.cancel();
    CHECK_THROWS_AS(std::move(running).get(), sk::cancelled);
}

TEST_CASE("a runtime's end cancels the trees that run", "[farm][divide][concurrent]")
{
    sk::future<int> running;
    {
        const skelrt::runtime rt;
        std::atomic<bool> begun{false};
        running =
            sk::divide_and_conquer([](int n) { return n > 1000; },
                                   [](int n) {
                                       return std::array{n + 1, n + 1};
                                   },
                                   [&](int) { return begun = true, 1; }, [](std::span<int> r) { return r[0] ^ r[1]; })
                .start(0);
        while (!begun) std::this_thread::yield();
    }
    CHECK(running.done());
    CHECK_THROWS_AS(running.get(), sk::cancelled);
}

TEST_CASE("divide and conquer in divide and conquer", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto outer = sk::divide_and_conquer([](const range& r) { return r.size() < 100; }, halves,
                                              [](range r) { return sum_by_ones(r); },
                                              [](std::span<std::int64_t> both) { return sum_of(both); });
    CHECK(outer(range{0, 20'000}) == std::int64_t{20'000} * 19'999 / 2);
}

TEST_CASE("farms, groups and skeleton calls in leaves", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto twice = sk::map(SKELRT_FN((float x) { return 2.0f * x; }));
    const auto total = sk::reduce(sk::plus, 0.0f);
    const auto tree = sk::divide_and_conquer([](const range& r) { return r.size() <= 10; }, halves,
                                             [&](range r) {
                                                 const auto one = [&](std::int64_t i) {
                                                     sk::vector<float> x(500, static_cast<float>(i));
                                                     x = twice(x);
                                                     return static_cast<std::int64_t>(float(total(x)) / 1000);
                                                 };
                                                 const std::vector<std::int64_t> all =
                                                     sk::farm(one)(std::views::iota(r.begin, r.end));
                                                 return sum_of(all);
                                             },
                                             [](std::span<std::int64_t> both) {
                                                 std::atomic<std::int64_t> sum{0};
                                                 sk::group g;
                                                 for (const std::int64_t x : both) g.run([&, x] { sum += x; });
                                                 g.wait();
                                                 return sum.load();
                                             });
    CHECK(tree(range{0, 200}) == 199 * 100);
}

TEST_CASE("trees in the items of a farm", "[farm][divide]")
{
    const skelrt::runtime rt;
    const auto all = sk::farm([](int n) { return fib(n % 16); })(std::views::iota(0, 160));
    CHECK(std::accumulate(all.begin(), all.end(), std::int64_t{0}) == 10 * 1596);
}

TEST_CASE("several threads divide and conquer at once", "[farm][divide][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) right += fib(16) == 987 && sum_by_ones({0, 3000}) == 4'498'500;
        });
    for (std::thread& t : threads) t.join();
    CHECK(right == 80);
}

TEST_CASE("slow parts are run by several threads", "[farm][divide][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<int> here{0}, most{0};
    const auto tree = sk::divide_and_conquer([](int n) { return n == 0; },
                                             [](int n) {
                                                 return std::array{n - 1, n - 1};
                                             },
                                             [&](int) {
                                                 const int now = ++here;
                                                 for (int m = most; m < now && !most.compare_exchange_weak(m, now);) {}
                                                 std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                                 --here;
                                             });
    tree(5);
    const int cores = static_cast<int>(rt.devices().front().cores);
    CHECK(most <= cores);
    CHECK((cores == 1 || most > 1));
}
