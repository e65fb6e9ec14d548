// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"
#include "tests/tasks/add_kernel.hpp"
#include "tests/tasks/values_of.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// What a task gets and gives, and in which order tasks, calls and views go.

namespace sk = skelrt;
using Catch::Contains;

TEST_CASE("a part is a block, a span or one element", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(10, 1);
    sk::matrix<int> m(4, 5, 2);
    sk::scalar<int> s(3);
    sk::task([](std::span<int> v) { std::iota(v.begin(), v.end(), 0); }, sk::out(x.range(2, 5)));
    sk::task(
        [](sk::block<const int> column, std::span<const int> row, int& sum) {
            for (std::size_t r = 0; r < column.rows(); ++r) sum += column(r, 0);
            for (const int v : row) sum += v;
        },
        sk::in(m.column(3)), sk::in(m.row(1)), sk::inout(s));
    sk::task([](int value, sk::block<int> b) { b(1, 1) = value; }, sk::in(s), sk::inout(m.sub(2, 0, 2, 2)));
    CHECK(values_of(x) == std::vector{1, 1, 0, 1, 2, 3, 4, 1, 1, 1});
    CHECK(s.get() == 3 + 4 * 2 + 5 * 2);
    CHECK(sk::host_read(m)(3, 1) == 21);
}

TEST_CASE("a span of a part with gaps is refused, and the message says what to take", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m(4, 5, 2);
    const auto t = sk::task([](std::span<int>) {}, sk::inout(m.sub(0, 0, 2, 2)));
    CHECK_THAT(message_of([&] { t.get(); }), Contains("tasks.cpp:") && Contains("sk::block"));
    sk::task([](std::span<int> all) { std::ranges::fill(all, 1); }, sk::out(m));
    CHECK(sk::host_read(m)(3, 4) == 1);
}

TEST_CASE("parts of no elements are seen as such", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> none, x(5, 1);
    sk::matrix<int> flat(0, 7);
    const auto t = sk::task(
        [](std::span<const int> a, std::span<int> b, sk::block<int> c) { return a.size() + b.size() + c.size(); },
        sk::in(none), sk::inout(x.range(3, 0)), sk::inout(flat));
    CHECK(t.get() == 0);
    const auto first = sk::task([](int& v) { v = 2; }, sk::inout(x.range(3, 0)));
    CHECK_THAT(message_of([&] { first.get(); }), Contains("tasks.cpp:") && Contains("has no elements"));
}

TEST_CASE("a task's value goes on to others", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(100, 2);
    const auto sum = sk::task([](std::span<const int> v) { return std::accumulate(v.begin(), v.end(), 0); }, sk::in(x));
    const auto text = sk::task([](const int& n, const std::string& unit) { return std::to_string(n) + unit; }, sum,
                               std::string(" m"));
    CHECK(text.get() == "200 m");
    CHECK(sum.get() == 200);
    CHECK(sum.done());
}

TEST_CASE("tasks wait for futures, of items as well", "[task]")
{
    const skelrt::runtime rt;
    std::atomic<int> order{0};
    sk::group g;
    const auto item = g.run([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return ++order;
    });
    const auto first = sk::task({.after = {item}}, [&] { return ++order; });
    const auto second = sk::task({.after = {first, item}}, [&] { return ++order; });
    const auto third = sk::task([&](const int& n) { return n + ++order; }, second);
    CHECK(third.get() == 3 + 4);
    CHECK(item.get() == 1);
    g.wait();
}

TEST_CASE("a future of nothing is refused, and nothing has changed", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(3, 1);
    sk::scalar<int> total(5);
    const sk::future<int> nothing;
    CHECK_THAT(message_of([&] {
                   sk::task([](const int&, std::span<int>, int&) {}, nothing, sk::inout(x),
                            sk::reduction(sk::plus, total));
               }),
               Contains("tasks.cpp:") && Contains("of nothing"));
    CHECK_THAT(message_of([&] {
                   sk::task(
                       {.after = {nothing}}, [](std::span<int>) {}, sk::inout(x));
               }),
               Contains("tasks.cpp:") && Contains("of nothing"));
    CHECK(values_of(x) == std::vector{1, 1, 1});
    CHECK(total.get() == 5);
}

TEST_CASE("a reduction adds in the order of its tasks", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<float> x(1000);
    {
        const auto h = sk::host_write(x);
        for (std::size_t i = 0; i < h.size(); ++i) h[i] = 1.0f / static_cast<float>(i + 1);
    }
    std::array<float, 2> totals{};
    for (float& t : totals) {
        sk::scalar<float> total(0.5f), largest(-1.0f);
        for (std::size_t i = 0; i < 100; ++i) {
            sk::task(
                [](std::span<const float> v, float& mine) {
                    for (const float e : v) mine += e;
                },
                sk::in(x.range(10 * i, 10)), sk::reduction(sk::plus, total));
            sk::task(
                [](std::span<const float> v, float& mine) {
                    for (const float e : v) mine = std::max(mine, e);
                },
                sk::in(x.range(10 * i, 10)), sk::reduction(sk::maximum, largest));
        }
        CHECK(largest.get() == 1.0f);
        t = total.get();
    }
    CHECK(totals[0] == totals[1]);
    CHECK(totals[0] == Approx(0.5 + 7.4854708605503449));
}

TEST_CASE("what a task throws reaches its future, its data and who depends on it", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m(4, 4, 1);
    sk::vector<int> y(3, 0);
    const auto bad = sk::task(
        {.name = "potrf"}, [](sk::block<int>) { throw std::runtime_error("not definite"); },
        sk::inout(m.sub(0, 0, 2, 2)));
    std::atomic<bool> ran{false};
    const auto behind = sk::task(
        {.name = "trsm"}, [&](sk::block<const int>, std::span<int>) { ran = true; }, sk::in(m.sub(1, 1, 1, 1)),
        sk::inout(y));
    const auto beside = sk::task(
        [](sk::block<int> b) {
            b(0, 0) = 7;
            return 1;
        },
        sk::inout(m.sub(2, 2, 2, 2)));
    CHECK(beside.get() == 1);
    CHECK_THROWS_AS(bad.get(), sk::item_error);
    CHECK_THAT(message_of([&] { bad.get(); }), Contains("tasks.cpp:") && Contains("sk::task potrf: not definite"));
    CHECK_THROWS_AS(behind.get(), sk::skipped);
    CHECK_THAT(message_of([&] { behind.get(); }), Contains("sk::task trsm was skipped: ") && Contains("not definite"));
    CHECK_FALSE(ran);
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(y)); }), Contains("trsm was skipped"));
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(m)); }), Contains("not definite"));
    sk::wait(m.sub(2, 2, 2, 2)); // these are right

    sk::task([](sk::block<int> b) { b(0, 0) = b(0, 1) = b(1, 0) = b(1, 1) = 5; }, sk::out(m.sub(0, 0, 2, 2)));
    CHECK(sk::host_read(m)(1, 1) == 5); // written anew
    CHECK(sk::host_read(m)(2, 2) == 7);
}

TEST_CASE("what cannot be done is said at once", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(10, 1);
    const auto nothing = [](std::span<int>, std::span<int>) {};
    CHECK_THAT(message_of([&] { sk::task(nothing, sk::inout(x.range(0, 6)), sk::out(x.range(5, 5))); }),
               Contains("tasks.cpp:") && Contains("parts 1") && Contains("share elements"));
    static const sk::kernel gpu_only("gpu only", sk::on_cuda([](sk::cuda_stream, sk::block<int>) {}));
    if (!rt.devices().empty() && rt.devices().back().kind != sk::device::cuda)
        CHECK_THAT(message_of([&] { sk::task(gpu_only, sk::inout(x)); }),
                   Contains("no device can run it") && Contains("cores: there is no implementation"));
    {
        const auto h = sk::host(x);
        CHECK_THAT(message_of([&] { sk::task([](std::span<const int>) {}, sk::in(x)); }), Contains("host view"));
    }
    CHECK_THAT(message_of([] { const sk::kernel k("", sk::on_cpu([] {})); }), Contains("no name"));
    const auto t = sk::task([&](std::span<int>) { sk::task([] {}); }, sk::inout(x));
    CHECK_THAT(message_of([&] { t.get(); }), Contains("nothing may wait"));
    CHECK_THROWS(sk::host_read(x)); // said there, too
}

TEST_CASE("a part is read while a host view of its container reads", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(100, 1);
    sk::task([](std::span<int> v) { v[0] = 2; }, sk::inout(x.range(10, 10)));
    const auto h = sk::host_read(x);
    const auto sum =
        sk::task([](std::span<const int> v) { return std::accumulate(v.begin(), v.end(), 0); }, sk::in(x.range(5, 10)));
    CHECK(sum.get() == 11);
    CHECK(h[10] == 2);
}

TEST_CASE("a task that was cancelled before it began does not run", "[task][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> go{false}, ran{false};
    sk::vector<int> x(3, 1);
    sk::task(
        [&](std::span<int>) {
            while (!go) std::this_thread::yield();
        },
        sk::inout(x));
    const auto t = sk::task([&](std::span<int>) { ran = true; }, sk::inout(x));
    t.cancel();
    go = true;
    CHECK_THROWS_AS(t.get(), sk::cancelled);
    CHECK_FALSE(ran);
    CHECK_THROWS_AS(sk::host_read(x), sk::cancelled);
}

TEST_CASE("blocks of a matrix cover it", "[task]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m(50, 33, 0);
    const sk::blocks b(m, 16, 16);
    REQUIRE(b.rows() == 4);
    REQUIRE(b.cols() == 3);
    for (std::size_t i = 0; i < b.rows(); ++i)
        for (std::size_t j = 0; j < b.cols(); ++j)
            sk::task(add_kernel::add_number(), sk::inout(b(i, j)), static_cast<int>(10 * i + j));
    CHECK_THAT(message_of([&] { static_cast<void>(b(4, 0)); }), Contains("sk::blocks"));
    const auto h = sk::host_read(m);
    bool right = true;
    for (std::size_t r = 0; r < 50; ++r)
        for (std::size_t c = 0; c < 33; ++c) right = right && h(r, c) == static_cast<int>(10 * (r / 16) + c / 16);
    CHECK(right);
}

TEST_CASE("kernels run where sk::only and sk::how say", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(1000, 0);
    for (const sk::device_info& d : rt.devices()) {
        sk::task({.on = d.kind}, add_kernel::add_number(), sk::inout(x.range(10, 500)), 1);
        const sk::only here(d.kind);
        sk::task(add_kernel::add_number(), sk::inout(x), 1);
    }
    const int n = static_cast<int>(rt.devices().size());
    const std::vector<int> all = values_of(x);
    CHECK(all[9] == n);
    CHECK(all[10] == 2 * n);
    CHECK(all[509] == 2 * n);
    CHECK(all[510] == n);
}

TEST_CASE("a text that does not compile is refused with the compiler's words", "[task][errors]")
{
    const skelrt::runtime rt;
    static const sk::kernel wrong("wrong",
                                  sk::on_cuda(sk::cuda_text("extern \"C\" __global__ void f(int* x) { y = 1; }", "f")),
                                  sk::on_opencl(sk::opencl_text("__kernel void f(__global int* x) { y = 1; }", "f")));
    sk::vector<int> x(10, 1);
    bool has_gpu = false;
    for (const sk::device_info& d : rt.devices()) has_gpu = has_gpu || d.kind != sk::device::cpu;
    CHECK_THAT(message_of([&] { sk::task(wrong, sk::inout(x)); }),
               Contains("no device can run it") && (has_gpu ? Contains("y") : Contains("cores")));
}

TEST_CASE("more tasks than may be in flight", "[task]")
{
    const skelrt::runtime rt;
    std::array<sk::scalar<int>, 3> s{0, 0, 0};
    for (int i = 0; i < 30'000; ++i) sk::task([](int& v) { ++v; }, sk::inout(s[static_cast<std::size_t>(i % 3)]));
    sk::wait_all();
    for (const auto& v : s) CHECK(v.get() == 10'000);
}

TEST_CASE("farm items make tasks, each on its part", "[task]")
{
    const skelrt::runtime rt;
    sk::matrix<int> m(64, 64, 0);
    const auto work = sk::farm([&](int i) {
        const auto part = m.sub(static_cast<std::size_t>(i) * 8, 0, 8, 64);
        for (int k = 0; k < 10; ++k) sk::task(add_kernel::add_number(), sk::inout(part), 1);
        return sk::task([](sk::block<const int> b) { return b(7, 63); }, sk::in(part)).get();
    });
    const std::vector<int> rows{0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(work(rows) == std::vector(8, 10));
}

TEST_CASE("a call finds what a task left on another device in a part", "[task]")
{
    const skelrt::runtime rt;
    const auto add_one = sk::map(SKELRT_FN((int a) { return a + 1; }));
    sk::how there;
    for (const sk::device_info& d : rt.devices())
        if (d.kind != sk::device::cpu) there.on = d.kind;
    sk::matrix<int> m(4, 32, 0);
    for (int round = 1; round <= 60; ++round) {
        const auto part = m.sub(1, 0, 2, 32);
        sk::task(there, add_kernel::add_number(), sk::inout(part), 10).wait();
        std::this_thread::sleep_for(std::chrono::microseconds(200)); // until nobody uses the container any more
        m.sub(1, 0, 2, 32) = add_one(part);
        const auto h = sk::host_read(m);
        for (std::size_t c = 0; c < 64; ++c) REQUIRE(h(1 + c / 32, c % 32) == 11 * round);
    }
}

TEST_CASE("containers go while tasks use them", "[task]")
{
    const skelrt::runtime rt;
    std::atomic<int> ran{0};
    for (int i = 0; i < 200; ++i) {
        sk::vector<int> x(100, i);
        for (std::size_t k = 0; k < 4; ++k)
            sk::task([&ran](std::span<int> v) { v[0] = 1, ++ran; }, sk::inout(x.range(25 * k, 20)));
    }
    sk::wait_all();
    CHECK(ran == 800);
}
