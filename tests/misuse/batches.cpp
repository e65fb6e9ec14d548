// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

/// A call that fails among small calls that became one task with it: who reads its results hears of it, nobody else.
/// And programs that end, or begin again, while such calls wait.

namespace
{

const auto fails_at_7 = sk::map(SKELRT_FN((int a) {
    if (a == 7) throw std::runtime_error("seven");
    return a;
}));

std::atomic<unsigned> elements_done{0};

const auto counted = sk::map(SKELRT_FN((int a) {
    ++elements_done;
    return a + 1;
}));

sk::options cpu_only(unsigned tiles)
{
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    o.tiles = tiles;
    return o;
}

/// Calls are known by then, and the others find the device at work.
void settle(std::size_t n)
{
    sk::vector<int> x(n, 1);
    for (int k = 0; k < 20; ++k) x = twice(fails_at_7(x)), x = add(x, x), x = sk::vector<int>(n, 1);
    for (int k = 0; k < 10; ++k) x = add(x, x);
}

} // namespace

TEST_CASE("one of several calls in a task fails", "[throw][batch]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0"), no_fusion("SKELRT_FUSION", "0");
    const with_variable calls("SKELRT_BATCH", GENERATE("1", "2", "8", "16"));
    const std::size_t n = GENERATE(10, 1000);
    const sk::runtime rt(cpu_only(GENERATE(1u, 3u)));
    for (int at = 0; at < 12; ++at) {
        settle(n);
        sk::vector<int> good(n, 1), bad(n, 7), reads, late, healed(n, 7);
        for (int k = 0; k < at; ++k) good = add(good, good);
        bad = fails_at_7(bad);
        reads = twice(bad);
        good = twice(good);
        late = add(reads, good);
        healed = fails_at_7(healed);
        healed = twice(good);
        const sk::scalar<int> of_bad = sum(late), of_good = sum(good);
        good = twice(good);
        REQUIRE(values(good) == std::vector<int>(n, 4 << at));
        REQUIRE(values(healed) == std::vector<int>(n, 4 << at));
        REQUIRE(of_good.get() == static_cast<int>(n) * (2 << at));
        REQUIRE_THROWS_WITH(values(bad), Contains("seven"));
        REQUIRE_THROWS_WITH(values(reads), Contains("seven"));
        REQUIRE_THROWS_WITH(sk::wait(late), Contains("seven"));
        REQUIRE_THROWS_WITH(of_bad.get(), Contains("seven"));
    }
}

TEST_CASE("the runtime ends while calls wait", "[batch]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const with_variable calls("SKELRT_BATCH", GENERATE("1", "2", "8", "16"));
    for (int length = 0; length < 40; ++length) {
        sk::vector<int> x(1000, length);
        {
            const sk::runtime rt(cpu_only(1));
            for (int k = 0; k < length; ++k)
                x = add(x, x), x = fails_at_7(x), x = add(x, x), x = sk::vector<int>(1000, k);
            x = twice(x);
        }
        REQUIRE(values(x) == std::vector<int>(1000, length > 0 ? 2 * (length - 1) : 0));
    }
}

TEST_CASE("calls are done although the host does nothing", "[batch]")
{
    using namespace std::chrono_literals;
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const with_variable calls("SKELRT_BATCH", GENERATE("1", "2", "8", "16"));
    const sk::runtime rt(cpu_only(1));
    settle(100);
    for (unsigned length = 1; length < 60; length += 3) {
        sk::vector<int> x(100, 0);
        elements_done = 0;
        for (unsigned k = 0; k < length; ++k) x = counted(x);
        const auto until = std::chrono::steady_clock::now() + 5s;
        while (elements_done < 100 * length && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(100us);
        REQUIRE(elements_done == 100 * length);
        REQUIRE(values(x) == std::vector<int>(100, static_cast<int>(length)));
    }
}

TEST_CASE("SKELRT_BATCH is a number of calls", "[batch]")
{
    const with_variable none("SKELRT_BATCH", "0");
    REQUIRE_THROWS_WITH(sk::runtime(cpu_only(1)), Contains("SKELRT_BATCH"));
}
