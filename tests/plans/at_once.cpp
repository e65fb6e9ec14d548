// SPDX-License-Identifier: BSD-3-Clause
/// Calls that the calling thread and the cores do at once, without a task: when they do, and that everybody sees what
/// they wrote. Exit code 77: no OpenCL device stands for a GPU here.

#include <skelrt/skelrt.hpp>

#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace sk = skelrt;
using sk::device;

namespace
{

/// One thread takes some 40 ms for a call: longer than calls on it may take here, and less than all cores may take even
/// where something else keeps them from it for a while.
constexpr std::size_t n = 10000;
constexpr const char* inline_us = "10000";

int after(int x)
{
    for (int i = 0; i < 800; ++i) x = (x * 31 + 7) % 10007;
    return x;
}

const auto steps = sk::map(SKELRT_FN((int x) {
    for (int i = 0; i < 800; ++i) x = (x * 31 + 7) % 10007;
    return x;
}));
const auto sum = sk::reduce(sk::plus, 0L);
const auto wide = sk::map(SKELRT_FN((int x) { return static_cast<long>(x); }));

sk::vector<int> numbers()
{
    sk::vector<int> x(n);
    auto view = sk::host(x);
    for (std::size_t i = 0; i < n; ++i) view[i] = static_cast<int>(i);
    return x;
}

/// What `times` calls of steps make of the numbers.
bool is_after(const sk::vector<int>& y, int times)
{
    const auto view = sk::host_read(y);
    for (std::size_t i = 0; i < n; ++i) {
        int x = static_cast<int>(i);
        for (int k = 0; k < times; ++k) x = after(x);
        if (view[i] != x) return false;
    }
    return true;
}

/// On a busy machine cores often take too long to be led by the calling thread.
constexpr int most_tries = 60;

/// Whether `run` made no task in one of some tries.
template <class Run>
bool goes_at_once(Run run)
{
    bool once = false;
    for (int i = 0; i < most_tries && !once; ++i) {
        tasks();
        run();
        once = once || tasks() == counts{0, 0};
    }
    return once;
}

} // namespace

TEST_CASE("calls on idle cores, on data in the host's memory, are no tasks", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto x = numbers();
    CHECK(goes_at_once([&] {
        const sk::vector<int> y = steps(x);
        CHECK(is_after(y, 1));
    }));
    sk::vector<int> z = numbers();
    int times = 0;
    CHECK(goes_at_once([&] {
        z = steps(z);
        CHECK(is_after(z, ++times));
    }));
    long expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += after(static_cast<int>(i));
    CHECK(goes_at_once([&] { CHECK(sum(wide(steps(x))) == expected); }));
}

TEST_CASE("other devices see what calls without tasks wrote", "[at_once]")
{
    sk::vector<int> y = numbers();
    bool once = false;
    int times = 0;
    for (int i = 0; i < most_tries && !once; ++i) {
        {
            const sk::only there(device::opencl);
            y = steps(y);
        }
        CHECK(is_after(y, ++times)); // both have it now
        tasks();
        {
            const sk::only here(device::cpu);
            y = steps(y), ++times;
        }
        once = once || tasks() == counts{0, 0};
    }
    CHECK(once);
    tasks();
    {
        const sk::only there(device::opencl);
        y = steps(y), ++times;
    }
    const sk::only here(device::cpu);
    y = steps(y), ++times;
    CHECK(is_after(y, times));
    CHECK(tasks().cpu == 1); // data that only OpenCL has comes by a task
}

TEST_CASE("other threads call while a function runs at once", "[at_once]")
{
    static std::atomic<bool> wanted, begun, answered;
    static std::atomic<int> in_vain;
    const auto meets = sk::map(SKELRT_FN((int x) {
        for (int i = 0; i < 800; ++i) x = (x * 31 + 7) % 10007;
        if (!wanted || !wanted.exchange(false)) return x;
        begun = true;
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        while (!answered && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        if (!answered) ++in_vain;
        return x;
    }));
    sk::vector<int> x = numbers(), other = numbers();
    x = steps(x); // tasks, or calls at once, know both
    other = steps(other);
    int times = 1;
    in_vain = 0;
    for (int i = 0; i < 4; ++i) {
        begun = answered = false;
        wanted = i > 0; // first it is learned what the call takes
        std::jthread second;
        if (wanted)
            second = std::jthread([&] {
                const sk::only there(device::opencl);
                while (!begun) std::this_thread::yield();
                static_cast<void>(sum(wide(other)).get());
                answered = true;
                x = steps(x); // after the call that runs now
            });
        {
            const sk::only here(device::cpu);
            x = meets(x);
            ++times;
        }
        if (second.joinable()) second.join(), ++times;
        CHECK(is_after(x, times));
    }
    CHECK(in_vain == 0);
}

TEST_CASE("a stencil without a task", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto blur = sk::stencil(SKELRT_FN((sk::hood2<int> u) {
                                      int x = 0;
                                      for (int i = 0; i < 200; ++i)
                                          x = (x * 31 + u(-1, 0) + 2 * u(1, 0) + 3 * u(0, -1) + 5 * u(0, 1)) % 10007;
                                      return x;
                                  }),
                                  sk::border::constant(0));
    constexpr std::ptrdiff_t side = 100;
    sk::matrix<int> a(side, side);
    {
        auto view = sk::host(a);
        for (std::ptrdiff_t i = 0; i < side * side; ++i) view.data()[i] = static_cast<int>(i * i % 1009);
    }
    CHECK(goes_at_once([&] {
        const sk::matrix<int> b = blur(a);
        const auto from = sk::host_read(a), to = sk::host_read(b);
        const auto at = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
            return r < 0 || c < 0 || r >= side || c >= side ? 0 : from.data()[r * side + c];
        };
        bool right = true;
        for (std::ptrdiff_t r = 0; r < side; ++r)
            for (std::ptrdiff_t c = 0; c < side; ++c) {
                int x = 0;
                for (int i = 0; i < 200; ++i)
                    x = (x * 31 + at(r - 1, c) + 2 * at(r + 1, c) + 3 * at(r, c - 1) + 5 * at(r, c + 1)) % 10007;
                right = right && to.data()[r * side + c] == x;
            }
        CHECK(right);
    }));
}

TEST_CASE("what a function throws without a task reaches whoever reads the result", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto picky = sk::map(sk::function(
        [](int x) {
            if (x == 4711) throw std::runtime_error("not this one");
            for (int i = 0; i < 800; ++i) x = (x * 31 + 7) % 10007;
            return x;
        },
        "(int x) { return x; }", __FILE__, __LINE__));
    CHECK(goes_at_once([&] {
        sk::vector<int> y = picky(numbers());
        const sk::vector<int> z = steps(y);
        CHECK_THROWS_WITH(sk::host_read(z), "not this one");
        CHECK_THROWS_WITH(sk::host_read(y), "not this one");
        y = steps(numbers());
        CHECK(is_after(y, 1));
    }));
}

TEST_CASE("calls that nobody waits for in between are no tasks either", "[at_once]")
{
    const sk::only here(device::cpu);
    constexpr int calls = 12;
    CHECK(goes_at_once([&] {
        sk::vector<int> y = numbers();
        for (int i = 0; i < calls; ++i) y = steps(y);
        CHECK(is_after(y, calls));
    }));
}

int main(int argc, char** argv)
{
    setenv("SKELRT_INLINE_US", inline_us, 1);
    return run_with_opencl(argc, argv, {});
}
