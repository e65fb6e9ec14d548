// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"
#include "tests/tasks/add_kernel.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

/// The host's views of parts: what they show, whom they wait for, and who has to keep away.

namespace sk = skelrt;
using Catch::Contains;

static_assert(std::random_access_iterator<sk::host_range<float>::iterator>);
static_assert(std::is_same_v<decltype(sk::host_read(std::declval<sk::view1<int>>())), sk::host_range<const int>>);
static_assert(std::is_same_v<decltype(sk::host(std::declval<sk::view2<int>>())), sk::host_block<int>>);

namespace
{

sk::matrix<int> counted(std::size_t rows, std::size_t cols)
{
    sk::matrix<int> m(rows, cols);
    const auto h = sk::host_write(m);
    std::iota(h.begin(), h.end(), 0);
    return m;
}

/// A task on a part that does not end before somebody says so.
class held_task
{
public:
    template <class Part>
    explicit held_task(const Part& p)
        : future_(sk::task(
              [this](sk::block<int> x) {
                  while (!go_) std::this_thread::yield();
                  add_kernel::add_all(x, 100);
              },
              sk::inout(p)))
    {
    }
    ~held_task() { end(); }
    void end()
    {
        go_ = true;
        future_.wait();
    }

private:
    std::atomic<bool> go_{false};
    sk::future<std::monostate> future_;
};

} // namespace

TEST_CASE("host views of parts show these elements", "[task][host parts]")
{
    std::optional<sk::runtime> rt;
    if (GENERATE(false, true)) rt.emplace();
    sk::matrix<int> m = counted(6, 5);
    sk::vector<int> x(10, 1);
    {
        const auto part = sk::host(x.range(2, 3));
        part[0] = 7;
        std::fill(part.begin() + 1, part.end(), 8);
        CHECK(part.size() == 3);
    }
    const auto row = sk::host_read(m.row(2)), column = sk::host_read(m.column(1));
    CHECK(std::accumulate(row.begin(), row.end(), 0) == 10 + 11 + 12 + 13 + 14);
    CHECK(std::vector(column.begin(), column.end()) == std::vector{1, 6, 11, 16, 21, 26});
    CHECK(column[4] == 21);
    CHECK(column.end() - column.begin() == 6);
    const auto block = sk::host_read(m.sub(1, 2, 3, 2));
    CHECK(block(2, 1) == 18);
    CHECK(block[1][0] == 12);
    CHECK((block.rows() == 3 && block.cols() == 2 && block.ld() == 5));
    const auto h = sk::host_read(x);
    CHECK(std::vector(h.begin(), h.end()) == std::vector{1, 1, 7, 8, 8, 1, 1, 1, 1, 1});
    CHECK(sk::host_read(x.range(3, 0)).empty());
}

TEST_CASE("elements of a column can be sorted in place", "[task][host parts]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m = counted(9, 4);
    sk::task(add_kernel::add_number(), sk::inout(m.sub(3, 0, 6, 4)), -50);
    {
        const auto column = sk::host(m.column(2));
        std::ranges::sort(column);
        CHECK(std::ranges::is_sorted(column));
    }
    const auto h = sk::host_read(m);
    CHECK((h(0, 2) == 14 - 50 && h(8, 2) == 10 && h(8, 1) == 33 - 50));
}

TEST_CASE("a view of a part waits for tasks on it, and for no others", "[task][host parts][concurrent]")
{
    const skelrt::runtime rt;
    if (rt.devices().size() > 1) return; // where data comes home the leading core cuts, and may be late's
    sk::vector<int> x(100, 1);
    sk::task(add_kernel::add_number(), sk::inout(x.range(0, 50)), 1);
    held_task late(x.range(60, 20));
    CHECK(sk::host_read(x.range(20, 40))[0] == 2);
    CHECK(sk::host_read(x.range(80, 20))[19] == 1);
    CHECK(sk::host_read(x.range(59, 1))[0] == 1);
    {
        const auto part = sk::host(x.range(10, 10));
        part[0] = 30;
    }
    late.end();
    CHECK(sk::host_read(x.range(60, 1))[0] == 101);
    CHECK(sk::host_read(x)[10] == 30);
}

TEST_CASE("tasks use other parts while a view is open", "[task][host parts]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m(40, 40, 0);
    const sk::blocks b(m, 10, 10);
    if (GENERATE(false, true)) m = sk::map(SKELRT_FN((int v) { return v; }))(m); // tiles, and no parts
    {
        const auto mine = sk::host(b(1, 1));
        for (std::size_t r = 0; r < 10; ++r) std::ranges::fill(mine[r], 5);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                if (i != 1 || j != 1) sk::task(add_kernel::add_number(), sk::inout(b(i, j)), 1).wait();
        const auto beside = sk::host_write(b(0, 0));
        beside(3, 3) = 9;
        sk::task(add_kernel::add_first(), sk::in(m.sub(25, 0, 2, 40)), sk::inout(m.sub(30, 7, 3, 20))).wait();
    }
    const auto h = sk::host_read(m);
    CHECK((h(15, 15) == 5 && h(9, 10) == 1 && h(3, 3) == 9 && h(31, 8) == 2));
}

TEST_CASE("sk::wait waits for calls and tasks, and for no view", "[task][host parts]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(100, 1);
    const auto add = [](std::span<int> v) { v[0] += 1; };
    sk::task(add, sk::inout(x));
    {
        const auto part = sk::host(x.range(0, 3));
        sk::task(add, sk::inout(x.range(50, 10)));
        sk::wait(x);
        CHECK(part[0] == 2);
    }
    const auto all = sk::host(x);
    sk::wait(x);
    CHECK(all[50] == 2);
}

TEST_CASE("borrowed memory may go under a view that may write", "[task][host parts]")
{
    const skelrt::runtime rt;
    std::vector<int> raw(10, 1);
    const auto add = [](std::span<int> v) { v[0] += 1; };
    {
        const auto seen = [&] {
            sk::vector<int> x(sk::borrow, raw.data(), raw.size());
            sk::task(add, sk::inout(x));
            return sk::host(x);
        }();
        CHECK(seen[0] == 2);
        seen[1] = 7;
    }
    CHECK((raw[0] == 2 && raw[1] == 7));
    sk::vector<int> x(sk::borrow, raw.data(), raw.size());
    sk::task(add, sk::inout(x));
    const auto seen = sk::host(x);
    x.clear();
    CHECK(seen[0] == 3);
}

TEST_CASE("who wants elements of an open view is refused", "[task][host parts][errors]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(100, 1);
    const bool managed = GENERATE(false, true);
    if (managed) sk::task(add_kernel::add_number(), sk::inout(x.range(0, 30)), 0).wait();
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    {
        const auto part = sk::host(x.range(20, 20));
        CHECK_THAT(message_of([&] { sk::task(add_kernel::add_number(), sk::inout(x.range(39, 2)), 1); }),
                   Contains("host view"));
        CHECK_THAT(message_of([&] { sk::task([](std::span<const int>) {}, sk::in(x)); }), Contains("host view"));
        CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(x.range(0, 21))); }), Contains("host_parts.cpp:"));
        CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(x)); }), Contains("view"));
        CHECK_THAT(message_of([&] { x = twice(x); }), Contains("host view"));
        CHECK_NOTHROW(static_cast<void>(sk::host(x.range(0, 20))));
        part[0] = 2;
    }
    {
        const auto part = sk::host_read(x.range(20, 20)), same = sk::host_read(x.range(15, 10));
        CHECK(part[0] == same[5]);
        CHECK_THROWS_AS(sk::task(add_kernel::add_number(), sk::inout(x.range(24, 1)), 1), sk::error);
        CHECK_THROWS_AS(sk::host(x.range(24, 1)), sk::error);
        CHECK_THROWS_AS(sk::host(x), sk::error);
        const auto sum = sk::task([](std::span<const int> v) { return std::accumulate(v.begin(), v.end(), 0); },
                                  sk::in(x.range(10, 20)));
        CHECK(sum.get() == 21);
        if (managed) CHECK_THAT(message_of([&] { const sk::vector<int> copy = x; }), Contains("host view of part"));
    }
    {
        const auto all = sk::host_read(x);
        CHECK(sk::host_read(x.range(20, 1))[0] == 2);
        CHECK_THROWS_AS(sk::host(x.range(20, 1)), sk::error);
    }
    x = twice(x);
    CHECK(sk::host_read(x)[20] == 4);
}

TEST_CASE("a view of a part throws that part's error", "[task][host parts][errors]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(30, 1);
    const auto bad =
        sk::task([](std::span<int>) { throw std::runtime_error("on purpose"); }, sk::inout(x.range(10, 10)));
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(x.range(15, 10))); }), Contains("on purpose"));
    CHECK(sk::host_read(x.range(0, 10))[9] == 1);
    CHECK_THROWS_AS(sk::host(x.range(12, 1)), sk::item_error);
    const auto fresh = [&](std::size_t first, std::size_t n) {
        std::ranges::fill(sk::host_write(x.range(first, n)), 3);
    };
    fresh(10, 5);
    CHECK(sk::host_read(x.range(5, 10))[9] == 3);
    CHECK_THROWS_AS(sk::host_read(x.range(5, 11)), sk::item_error);
    fresh(15, 5);
    CHECK(sk::host_read(x)[19] == 3);
    CHECK_THROWS_AS(bad.get(), sk::item_error);
}

TEST_CASE("views of parts may outlive the runtime, and end in tasks", "[task][host parts][concurrent]")
{
    sk::vector<int> x(100, 1);
    {
        std::optional<sk::runtime> rt(std::in_place);
        sk::task(add_kernel::add_number(), sk::inout(x.range(0, 50)), 1);
        auto part = std::make_shared<std::optional<sk::host_range<int>>>(sk::host(x.range(20, 20)));
        (**part)[0] = 5;
        sk::task([part] { part->reset(); }).wait();
        part.reset();
        sk::task(add_kernel::add_number(), sk::inout(x.range(20, 10)), 1);
        const auto open = sk::host(x.range(60, 10));
        rt.reset();
        open[0] = 9;
    }
    const auto h = sk::host_read(x);
    CHECK((h[20] == 6 && h[21] == 3 && h[60] == 9 && h[0] == 2 && h[99] == 1));
}

TEST_CASE("items of a farm have views and tasks of parts of one vector", "[task][host parts]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(1000, 0);
    sk::farm([&](std::size_t k) {
        const auto part = x.range(100 * k, 100);
        for (int round = 0; round < 20; ++round) {
            sk::task(add_kernel::add_number(), sk::inout(part), 1);
            const auto h = sk::host(part.range(10, 80));
            for (int& v : h) ++v;
            sk::task(add_kernel::add_number(), sk::inout(part.range(0, 10)), 1).wait();
        }
    })(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto h = sk::host_read(x);
    bool right = true;
    for (std::size_t i = 0; i < x.size(); ++i) right = right && h[i] == (i % 100 < 90 ? 40 : 20);
    CHECK(right);
}
