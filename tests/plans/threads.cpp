// SPDX-License-Identifier: BSD-3-Clause
/// The threads of a plan's share for the cores: counted where they call the user's function. Exit code 77: no OpenCL
/// device.

#include <skelrt/skelrt.hpp>

#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace sk = skelrt;
using sk::device;

namespace
{

constexpr std::size_t n = 1 << 20;
constexpr unsigned cores = 2;

std::atomic<unsigned> round_now{1}, threads_seen{0};

__attribute__((noinline)) void seen_here()
{
    static thread_local unsigned last = 0;
    const unsigned now = round_now.load(std::memory_order_relaxed);
    if (last == now) return;
    last = now;
    ++threads_seen;
}

/// Who runs `call` on cores.
template <class Call>
unsigned threads_of(const Call& call)
{
    the_runtime->wait();
    threads_seen = 0;
    ++round_now;
    call();
    the_runtime->wait();
    return threads_seen;
}

constexpr unsigned tries = 20;
const sk::plan one({{device::cpu, 1, 0, 1, 1}}), two({{device::cpu, 1, 0, 1, 2}}), all({{device::cpu, 1, 0, 1}}),
    shared({{device::opencl, 0.5, 0, 1}, {device::cpu, 0.5, 0, 1, 1}});

template <class Call>
void check_one(const Call& call, const sk::plan& p)
{
    call(p); // where a function first runs on a device, the host calls it, too, and compares
    for (unsigned i = 0; i < tries; ++i) REQUIRE(threads_of([&] { call(p); }) == 1);
}

/// Both take part now and then: on a busy machine, one may do all before the other is there.
template <class Call>
void check_both(const Call& call, const sk::plan& p)
{
    unsigned most = 0;
    for (unsigned i = 0; i < tries && most < cores; ++i) most = std::max(most, threads_of([&] { call(p); }));
    CHECK(most == cores);
}

template <class Call>
void check_threads(const Call& call)
{
    check_one(call, one);
    check_both(call, two);
    check_both(call, all);
    check_one(call, shared);
}

// Devices get the text, without the counting.
const auto next = sk::function(
    [](int x) {
        seen_here();
        return x + 1;
    },
    "(int x) { return x + 1; }", __FILE__, __LINE__);
const auto added = sk::function(
    [](int a, int b) {
        seen_here();
        return a + b;
    },
    "(int a, int b) { return a + b; }", __FILE__, __LINE__);

} // namespace

TEST_CASE("so many threads take part in a map", "[threads]")
{
    auto f = sk::map(next);
    const sk::vector<int> x(n, 1);
    check_threads([&](const sk::plan& p) {
        const sk::vector<int> y = f.use(p)(x);
        CHECK(sk::host_read(y)[n - 1] == 2);
    });
}

TEST_CASE("so many threads take part in a reduction", "[threads]")
{
    auto sum = sk::reduce(sk::plus, 0); // who waits for the value adds, too
    const auto f = sk::map(next);
    const sk::vector<int> x(n, 1);
    check_threads([&](const sk::plan& p) { CHECK(int(sum.use(p)(f(x))) == static_cast<int>(2 * n)); });
}

TEST_CASE("so many threads take part in a scan", "[threads]")
{
    auto running = sk::scan(added);
    const sk::vector<int> x(n, 1);
    check_threads([&](const sk::plan& p) {
        const sk::vector<int> y = running.use(p)(x);
        CHECK(sk::host_read(y)[n - 1] == static_cast<int>(n));
    });
}

TEST_CASE("so many threads take part in a sort", "[threads]")
{
    const auto less = sk::function(
        [](int a, int b) {
            seen_here();
            return a < b;
        },
        "(int a, int b) { return a < b; }", __FILE__, __LINE__);
    const auto falling = sk::generate(SKELRT_FN((sk::index1 i) { return -(int)i.i; }));
    const sk::vector<int> x = falling(sk::shape(n / 16));
    const auto call = [&](const sk::plan& p) {
        const sk::follow sorts(p);
        const sk::vector<int> y = sk::sort(x, less);
        CHECK(sk::host_read(y)[0] == -static_cast<int>(n / 16 - 1));
    };
    check_one(call, one); // a sort is one device's
    check_both(call, two);
    check_both(call, all);
}

int main(int argc, char** argv) { return run_with_opencl(argc, argv, {}); }
