/// Calls that the calling thread and the cores do at once, without a task: when they do, and that everybody sees what they wrote.
/// Exit code 77: no OpenCL device stands for a GPU here.

#include <skelrt/skelrt.hpp>

#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>

namespace sk = skelrt;
using sk::device;

namespace
{

/// One thread takes some five times as long as calls on it may take, which is far from what all cores may take.
constexpr std::size_t n = 10000;
constexpr const char* inline_us = "100";

int after(int x)
{
    for (int i = 0; i < 50; ++i) x = (x * 31 + 7) % 10007;
    return x;
}

const auto steps = sk::map(SKELRT_FN((int x) {
    for (int i = 0; i < 50; ++i) x = (x * 31 + 7) % 10007;
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

constexpr counts none{0, 0};

} // namespace

TEST_CASE("calls on idle cores, on data in the host's memory, are no tasks", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto x = numbers();
    tasks();
    for (int i = 0; i < 5; ++i) {
        const sk::vector<int> y = steps(x);
        CHECK(is_after(y, 1));
    }
    CHECK(tasks() == none);
    sk::vector<int> z = numbers();
    for (int i = 1; i <= 5; ++i) {
        z = steps(z);
        CHECK(is_after(z, i));
    }
    CHECK(tasks() == none);
    const long total = sum(wide(steps(x)));
    long expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += after(static_cast<int>(i));
    CHECK(total == expected);
    CHECK(tasks() == none);
}

TEST_CASE("other devices see what calls without tasks wrote", "[at_once]")
{
    sk::vector<int> y = numbers();
    for (int i = 0; i < 4; ++i) {
        {
            const sk::only there(device::opencl);
            y = steps(y);
        }
        CHECK(is_after(y, 2 * i + 1)); // both have it now
        tasks();
        {
            const sk::only here(device::cpu);
            y = steps(y);
        }
        CHECK(tasks() == none);
    }
    {
        const sk::only there(device::opencl);
        y = steps(y);
    }
    CHECK(is_after(y, 9));
    tasks();
    const sk::only here(device::cpu); // data that only OpenCL has comes by a task
    {
        const sk::only there(device::opencl);
        y = steps(y);
    }
    y = steps(y);
    CHECK(is_after(y, 11));
    CHECK(tasks().cpu == 1);
}

TEST_CASE("a stencil without a task", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto blur = sk::stencil(SKELRT_FN((sk::hood2<int> u) {
                                      int x = 0;
                                      for (int i = 0; i < 20; ++i)
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
    tasks();
    for (int round = 0; round < 3; ++round) {
        const sk::matrix<int> b = blur(a);
        const auto from = sk::host_read(a), to = sk::host_read(b);
        const auto at = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
            return r < 0 || c < 0 || r >= side || c >= side ? 0 : from.data()[r * side + c];
        };
        bool right = true;
        for (std::ptrdiff_t r = 0; r < side; ++r)
            for (std::ptrdiff_t c = 0; c < side; ++c) {
                int x = 0;
                for (int i = 0; i < 20; ++i)
                    x = (x * 31 + at(r - 1, c) + 2 * at(r + 1, c) + 3 * at(r, c - 1) + 5 * at(r, c + 1)) % 10007;
                right = right && to.data()[r * side + c] == x;
            }
        CHECK(right);
    }
    CHECK(tasks() == none);
}

TEST_CASE("what a function throws without a task reaches whoever reads the result", "[at_once]")
{
    const sk::only here(device::cpu);
    const auto picky = sk::map(sk::function(
        [](int x) {
            if (x == 4711) throw std::runtime_error("not this one");
            for (int i = 0; i < 50; ++i) x = (x * 31 + 7) % 10007;
            return x;
        },
        "(int x) { return x; }", __FILE__, __LINE__));
    tasks();
    sk::vector<int> y = picky(numbers());
    const sk::vector<int> z = steps(y);
    CHECK_THROWS_WITH(sk::host_read(z), "not this one");
    CHECK_THROWS_WITH(sk::host_read(y), "not this one");
    y = steps(numbers());
    CHECK(is_after(y, 1));
    CHECK(tasks() == none);
}

TEST_CASE("many calls that nobody waits for in between are tasks", "[at_once]")
{
    const sk::only here(device::cpu);
    constexpr int calls = 40;
    for (int round = 0; round < 2; ++round) {
        tasks();
        sk::vector<int> y = numbers();
        for (int i = 0; i < calls; ++i) y = steps(y);
        CHECK(is_after(y, calls));
        CHECK(tasks().cpu > 0);
    }
    const sk::vector<int> y = steps(numbers()); // a single one, at first taken for another row
    CHECK(is_after(y, 1));
    tasks();
    const sk::vector<int> z = steps(numbers());
    CHECK(is_after(z, 1));
    CHECK(tasks() == none);
}

int main(int argc, char** argv)
{
    setenv("SKELRT_INLINE_US", inline_us, 1);
    return run_with_opencl(argc, argv, {});
}
