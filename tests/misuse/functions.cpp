#include "misuse.hpp"

#include <atomic>
#include <stdexcept>

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

TEST_CASE("a skeleton call inside a user function", "[nested]")
{
    for (const char* limit : {"0", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt(cpu_only());
        const auto nested = sk::map(SKELRT_FN((int a) {
            const sk::vector<int> inner(10'000, a);
            return sum(twice(inner)).get();
        }));
        const sk::vector<int> x(3, 1);
        sk::vector<int> y;
        try {
            y = nested(x);
            const std::vector<int> got = values(y);      // outside REQUIRE, which would take the error for a failure
            REQUIRE(got == std::vector<int>(3, 20'000)); // inline, it may simply work
            REQUIRE(std::string(limit) != "0");
        } catch (const sk::error& e) {
            REQUIRE_THAT(e.what(), Contains("user function"));
        }
        REQUIRE(values(sk::vector<int>(twice(x))) == std::vector<int>(3, 2));
    }
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
