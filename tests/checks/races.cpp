// SPDX-License-Identifier: BSD-3-Clause
/// SKELRT_CHECK=races: items that use the same elements, one of them writing, without waiting for each other; and what
/// must not be taken for that.

#include "../message_of.hpp"
#include "../stderr_of.hpp"

#include "run_cases.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>
#include <skelrt/task.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace sk = skelrt;
namespace
{

using Catch::Matchers::Contains;
using ints = sk::vector<int>;

constexpr std::size_t n = 1000;
const auto doubled = sk::map(SKELRT_FN((int a) { return 2 * a; }));

void fill(std::span<int> x, int value)
{
    for (int& v : x) v = value;
}

} // namespace

TEST_CASE("a call in one item writes what a call in another reads", "[races]")
{
    ints x(n, 1), y(n, 1);
    auto both = sk::farm(sk::item("writer", [&] { x.range(0, n) = doubled(y); }),
                         sk::item("reader", [&] { const ints z = doubled(x); }));
    const std::string text = message_of([&] { both.named("pair")(); });
    CHECK_THAT(text, Contains("map (") && Contains("races.cpp:") && Contains("item 0 (writer) of") &&
                         Contains("item 1 (reader) of") && Contains("farm pair") && Contains("neither waits") &&
                         Contains("SKELRT_CHECK=races"));
}

TEST_CASE("tasks of two items, and the host", "[races]")
{
    ints x(n, 1);
    const auto write = [&](std::size_t first, std::size_t count) {
        return [&x, first, count] { sk::task({.name = "fill"}, fill, sk::out(x.range(first, count)), 3); };
    };
    CHECK_THAT(message_of([&] { sk::farm(write(0, 500), write(499, 501))(); }),
               Contains("sk::task fill in item 1") && Contains("that") && Contains("sk::task fill in item 0"));
    x = ints(n, 1);
    sk::farm(write(0, 500), write(500, 500))(); // parts that share nothing
    std::atomic<int> ran{0};
    const auto started = sk::farm([&] { write(0, 500)(), ++ran; }, [&] { write(500, 500)(), ++ran; }).start();
    while (ran < 2) std::this_thread::yield();
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(x)[0]); }),
               Contains("sk::host reads") && Contains("sk::task fill in item"));
    started.wait();
    CHECK(sk::host_read(x)[0] == 3);
}

TEST_CASE("host views of parts, and another item's tasks", "[races]")
{
    ints x(n, 1);
    std::atomic<bool> fills{false}; // where the view came first, the task would say what it found open
    const auto run = [&](std::size_t first) {
        fills = false;
        sk::farm(
            [&] {
                sk::task({.name = "fill"}, fill, sk::out(x.range(0, 500)), 3);
                fills = true;
            },
            [&, first] {
                while (!fills) std::this_thread::yield();
                static_cast<void>(sk::host_read(x.range(first, 100))[0]);
            })();
    };
    run(500);
    CHECK_THAT(message_of([&] { run(400); }), Contains("sk::host") && Contains("sk::task fill in item 0"));
}

TEST_CASE("two items assign to one container", "[races]")
{
    ints x(n, 1), y(n, 2);
    std::string told;
    const std::string log =
        stderr_of([&] { told = message_of([&] { sk::farm(sk::into(x, doubled(y)), sk::into(x, doubled(y)))(); }); });
    CHECK_THAT(told + log, Contains("neither waits") && Contains("item 0 of") && Contains("item 1 of"));
}

TEST_CASE("what waits is in order", "[races]")
{
    ints x(n, 1);
    const auto change = [&] { x = doubled(x); };
    change();
    sk::farm(change)();
    change();
    auto started = sk::farm(change).start();
    started.wait();
    change();
    sk::group g("one by one");
    for (int k = 0; k < 3; ++k) g.run(change).wait();
    g.run(change);
    g.wait();
    change();
    sk::farm([&] { sk::farm(change)(), change(); })();
    CHECK(sk::host_read(x)[0] == 1 << 12);
}

TEST_CASE("an item waits for another's task", "[races]")
{
    ints x(n, 1);
    sk::group g("two");
    auto first = g.run([&] { return sk::task(fill, sk::out(x.range(0, n)), 5); });
    auto second = g.run([&, first] {
        const auto filled = first.get();
        sk::task([](std::span<int> v, std::monostate) { v[0] = 6; }, sk::inout(x.range(0, n)), filled);
        sk::task({.after = {filled}}, fill, sk::out(x.range(0, 10)), 7);
    });
    second.wait();
    first.wait();
    g.wait();
    CHECK(sk::host_read(x)[n - 1] == 5);
}

TEST_CASE("each hands results over in order", "[races]")
{
    int sum = 0;
    ints all(n, 0);
    const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
    sk::farm([](int k) {
        return ints(doubled(ints(n, k)));
    }).each(std::vector<int>{1, 2, 3, 4}, [&](std::size_t, ints r) {
        all = add(all, r);
        ++sum;
    });
    CHECK(sk::host_read(all)[7] == 20);
    CHECK(sum == 4);
}

TEST_CASE("changes in any order, and sums", "[races]")
{
    ints x(n, 1);
    sk::scalar<int> total;
    total = 0;
    sk::farm([&](int k) {
        sk::task([](std::span<int> v, int by) { v[0] += by; }, sk::commute(x), k);
        sk::task([](int& mine, int by) { mine += by; }, sk::reduction(sk::plus, total), k);
    })(std::vector<int>{1, 2, 3});
    CHECK(sk::host_read(x)[0] == 7);
    CHECK(int(total) == 6);
}

int main(int argc, char* argv[])
{
    const sk::runtime rt;
    return test::run_cases(argc, argv);
}
