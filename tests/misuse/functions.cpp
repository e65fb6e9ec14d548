// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

/// User functions that throw, and that do what they must not. All on the CPU: devices know no exceptions.

namespace
{

std::atomic<int> calls_after_failure{0};

const auto fails_at_7 = sk::map(SKELRT_FN((int a) {
    if (a == 7) throw std::runtime_error("seven");
    return a;
}));
const auto counted = sk::map(SKELRT_FN((int a) {
    ++calls_after_failure;
    return a;
}));

sk::vector<int> with_a_7(std::size_t n)
{
    sk::vector<int> x(n, 1);
    sk::host(x)[n / 2] = 7;
    return x;
}

sk::options cpu_only()
{
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    return o;
}

} // namespace

TEST_CASE("a function that throws in a task: the error waits with the data", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const std::size_t n = GENERATE(1, 10'000);
    sk::options o = cpu_only();
    o.tiles = GENERATE(1, 7);
    const sk::runtime rt(o);
    sk::vector<int> x = with_a_7(n), good(n, 3), y, z;
    y = fails_at_7(x);
    z = twice(y);
    good = twice(good);
    REQUIRE(values(good) == std::vector<int>(n, 6)); // nobody else notices
    REQUIRE_THROWS_WITH(values(y), Contains("seven"));
    REQUIRE_THROWS_WITH(values(z), Contains("seven"));
    REQUIRE_THROWS_WITH(sk::wait(z), Contains("seven"));
    y = twice(good); // a new value is a new start
    REQUIRE(values(y) == std::vector<int>(n, 12));
    x = twice(x);
    REQUIRE(values(x)[n / 2] == 14);
}

TEST_CASE("calls on failed data are skipped", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const sk::runtime rt(cpu_only());
    calls_after_failure = 0;
    sk::vector<int> y = fails_at_7(sk::vector<int>(5000, 7));
    y = counted(y);
    y = counted(y);
    const sk::scalar<int> s = sum(counted(y));
    REQUIRE_THROWS_WITH(s.get(), Contains("seven"));
    REQUIRE_THROWS_WITH(values(y), Contains("seven"));
    REQUIRE(calls_after_failure == 0);
    const sk::vector<int> fine = counted(sk::vector<int>(5000, 1)); // the counter does count
    sk::wait(fine);
    REQUIRE(calls_after_failure == 5000);
}

TEST_CASE("a reduction of a function that throws", "[throw]")
{
    for (const char* limit : {"0", "2", "1000000"}) { // tasks; all cores, led by this thread; this thread alone
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt(cpu_only());
        const sk::vector<int> x = with_a_7(10'000);
        REQUIRE_THROWS_WITH(sum(fails_at_7(x)).get(), Contains("seven"));
        REQUIRE(sum(x).get() == 10'006);
    }
}

TEST_CASE("a red-black iteration whose function throws ends on all cores", "[throw]")
{
    for (const char* limit : {"0", "2", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt(cpu_only());
        const auto relax = sk::stencil(SKELRT_FN((sk::hood2<int> u) {
                                           if (u(0, 0) == 7) throw std::runtime_error("seven");
                                           return u(-1, 0) + u(1, 0) - u(0, -1) - u(0, 1) + u(0, 0);
                                       }),
                                       sk::border::constant(0));
        sk::matrix<int> x(64, 64, 1);
        sk::host(x)(3, 5) = 7;
        REQUIRE_THROWS_WITH((x = relax.red_black(20, x), sk::wait(x)), Contains("seven"));
    }
}

TEST_CASE("a function that throws inline: at once, and the destination is as usable as before", "[throw]")
{
    const with_variable always_inline("SKELRT_INLINE_US", "1000000");
    const sk::runtime rt(cpu_only());
    const sk::vector<int> x = with_a_7(100);
    sk::vector<int> y(100, 3);
    REQUIRE_THROWS_WITH(
        [&] {
            y = fails_at_7(x);
            sk::wait(y); // where it was not inline all the same
        }(),
        Contains("seven"));
    y = twice(x);
    REQUIRE(values(y)[0] == 2);
}

TEST_CASE("errors that nobody waits for end with the runtime", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::vector<int> outlives;
    {
        const sk::runtime rt(cpu_only());
        outlives = fails_at_7(sk::vector<int>(5000, 7));
        const sk::vector<int> dies = fails_at_7(sk::vector<int>(5000, 7));
    }
    REQUIRE_THROWS_WITH(values(outlives), Contains("seven"));
}

TEST_CASE("a skeleton call inside a user function: the same error inline and in a task", "[nested]")
{
    for (const char* limit : {"0", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt(cpu_only());
        const auto nested = sk::map(SKELRT_FN((int a) {
            const sk::vector<int> inner(10'000, a);
            return sum(twice(inner)).get();
        }));
        const sk::vector<int> x(3, 1);
        REQUIRE_THROWS_WITH(values(sk::vector<int>(nested(x))), Contains("user function"));
        REQUIRE(values(sk::vector<int>(twice(x))) == std::vector<int>(3, 2));
    }
}

TEST_CASE("a call inside an operator that combines", "[nested]")
{
    for (const char* limit : {"0", "2", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        sk::options o = cpu_only();
        o.tiles = GENERATE(1, 3);
        const sk::runtime rt(o);
        static sk::vector<int> other;
        other = twice(sk::vector<int>(100'000, 1));
        const auto nested = sk::reduce(SKELRT_FN((int a, int b) { return a + b + sum(other).get(); }), 0);
        const sk::vector<int> x(10'000, 1);
        REQUIRE_THROWS_WITH(nested(x).get(), Contains("user function"));
        REQUIRE(sum(other).get() == 200'000);
        other = {};
    }
}

TEST_CASE("a skeleton call inside a function of values alone", "[nested]")
{
    const sk::runtime rt(cpu_only());
    const auto nested = sk::map(SKELRT_FN((int a) { return a + sum(sk::vector<int>(10, 1)).get(); }));
    const sk::scalar<int> one = sum(sk::vector<int>(1, 1));
    int got = 0;
    REQUIRE_THROWS_WITH(got = nested(one), Contains("user function"));
    REQUIRE(got == 0);
    REQUIRE(sum(sk::vector<int>(10, 1)).get() == 10);
}

TEST_CASE("waiting inside a user function", "[nested]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    static sk::vector<int>* other = nullptr;
    sk::vector<int> target(20'000, 1);
    other = &target;
    const sk::runtime rt(cpu_only());
    target = twice(target);
    const auto waits = sk::map(SKELRT_FN((int a) { return a + sk::host_read(*other)[0]; }));
    sk::vector<int> y(3, 1);
    y = waits(y);
    REQUIRE_THROWS_WITH(values(y), Contains("user function"));
    REQUIRE(values(target) == std::vector<int>(20'000, 2));
}

namespace
{

/// What the function of `meets` does when it is called first: say so, and wait for the answer, or for long enough.
struct meeting {
    std::atomic<bool> wanted{false}, begun{false}, answered{false};
    std::chrono::milliseconds longest{5000};
    void begin_or_wait()
    {
        if (!wanted.exchange(false)) return;
        begun = true;
        const auto until = std::chrono::steady_clock::now() + longest;
        while (!answered && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    }
    /// What another thread does meanwhile. Returns whether it was done before the function went on.
    bool hold(const std::function<void()>& call, const std::function<void()>& other)
    {
        begun = answered = false;
        wanted = true;
        bool in_time = false;
        std::jthread second([&] {
            while (!begun) std::this_thread::yield();
            const auto start = std::chrono::steady_clock::now();
            other();
            in_time = std::chrono::steady_clock::now() - start < longest;
            answered = true;
        });
        call();
        begun = true;
        second.join();
        return in_time;
    }
};
meeting meets_here;

const auto meets = sk::map(SKELRT_FN((int a) {
    meets_here.begin_or_wait();
    return a + 1;
}));
/// That tasks know, in one tile: what a plan wants in pieces is done by tasks.
sk::vector<int> known(std::size_t n, int value)
{
    const sk::follow by_tasks(sk::plan({{.kind = sk::device::cpu, .pieces = 1}}));
    sk::vector<int> x(n, value), y = sk::map(SKELRT_FN((int a) { return a; }))(x);
    sk::wait(y);
    return y;
}

} // namespace

TEST_CASE("other threads call while a function runs in the calling thread", "[threads]")
{
    const with_variable few_us("SKELRT_INLINE_US", "200"), tiles("SKELRT_TILES", "1");
    const sk::runtime rt(cpu_only());
    sk::vector<int> x = known(50, 1), y = known(50, 0), other = known(50, 3);
    meets_here.longest = std::chrono::milliseconds(5000);
    const auto both = [&] {
        return meets_here.hold([&] { y = meets(x); }, [&] { REQUIRE(values(other = twice(other))[0] > 0); });
    };
    CHECK(both()); // the first time, what an element takes is found out
    y = meets(x);
    CHECK(both());
    REQUIRE(values(y) == std::vector<int>(50, 2));
}

TEST_CASE("who wants what a function works on in another thread waits", "[threads]")
{
    const with_variable few_us("SKELRT_INLINE_US", "200"), tiles("SKELRT_TILES", "1");
    const sk::runtime rt(cpu_only());
    sk::vector<int> x = known(50, 1), y = known(50, 0), z = known(50, 0);
    for (int k = 0; k < 3; ++k) y = meets(x);
    meets_here.longest = std::chrono::milliseconds(20);
    const auto call = [&] { y = meets(x); };
    x = twice(x);
    meets_here.hold(call, [&] { z = twice(y); });
    CHECK(values(z) == std::vector<int>(50, 6));
    x = twice(x);
    std::vector<int> seen;
    meets_here.hold(call, [&] { seen = values(y); });
    CHECK(seen == std::vector<int>(50, 5));
    x = twice(x);
    meets_here.hold(call, [&] { z = y; });
    CHECK(values(z) == std::vector<int>(50, 9));
    meets_here.hold(call, [&] { x = twice(x); });
    CHECK(values(y) == std::vector<int>(50, 9));
    meets_here.hold(call, [&] { sk::host(x)[49] = 7; });
    CHECK(values(y) == std::vector<int>(50, 17));
    CHECK(values(x)[49] == 7);
}

TEST_CASE("accumulators that cannot be", "[accumulate]")
{
    const sk::runtime rt;
    const auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) { out.add((size_t)v, 1); }));
    sk::vector<int> x(100, 1);
    sk::matrix<int> m(10, 10, 0);
    REQUIRE_THROWS_WITH(count(x, x), Contains("adds to"));
    REQUIRE_THROWS_WITH(count(x, m.column(1)), Contains("follow each other"));
    const auto add_one = sk::for_each(SKELRT_FN((int by, sk::accumulator<int> out) { out.add(0, by); }));
    REQUIRE_THROWS_WITH(add_one(1, x), Contains("shape"));
    add_one(sk::shape(10), 1, x);
    REQUIRE(sk::host_read(x)[0] == 11);
    const auto turn = sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::out_vec<int> y) { y.set(99 - i.i, v); }));
    REQUIRE_THROWS_WITH(turn(x, x), Contains("operand 1 is the container that the call sets"));
    REQUIRE_THROWS_WITH(turn(x, m.column(1)), Contains("follow each other"));
}

TEST_CASE("an exception in a function of for_each reaches the waiter", "[accumulate]")
{
    for (const char* limit : {"0", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt;
        const sk::only cpu(sk::device::cpu);
        const auto fails = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) {
            if (v == 7) throw std::runtime_error("seven");
            out.add(0, v);
        }));
        sk::vector<int> x(1000, 7), to(5, 0);
        REQUIRE_THROWS_WITH((fails(x, to), sk::wait(to)), Contains("seven"));
    }
}
