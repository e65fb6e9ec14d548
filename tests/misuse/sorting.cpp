// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <stdexcept>

/// Comparators that throw. All on the CPU: devices know no exceptions.

namespace
{

const auto fails_at_7 = SKELRT_FN((int a, int b) {
    if (a == 7 || b == 7) throw std::runtime_error("seven");
    return a < b;
});

sk::options cpu_only()
{
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    return o;
}

sk::vector<int> with_a_7(std::size_t n)
{
    sk::vector<int> x(n, 1);
    sk::host(x)[n / 2] = 7;
    return x;
}

} // namespace

TEST_CASE("a comparator that throws: the error waits with the data", "[throw][sort]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const std::size_t n = GENERATE(2, 20'000);
    sk::options o = cpu_only();
    o.tiles = GENERATE(1, 7);
    const sk::runtime rt(o);
    const sk::vector<int> x = with_a_7(n);
    sk::vector<int> y = sk::sort(x, fails_at_7), keys = x, along(n, 3);
    const sk::vector<int> z = twice(y);
    REQUIRE_THROWS_WITH(values(y), Contains("seven"));
    REQUIRE_THROWS_WITH(values(z), Contains("seven"));
    sk::sort_by_key(keys, along, fails_at_7);
    REQUIRE_THROWS_WITH(values(along), Contains("seven"));
    REQUIRE_THROWS_WITH(values(keys), Contains("seven"));
    y = sk::sort(x); // a new value is a new start
    REQUIRE(values(y)[n - 1] == 7);
}

TEST_CASE("a comparator that throws inline", "[throw][sort]")
{
    const with_variable always_inline("SKELRT_INLINE_US", "1000000");
    const sk::runtime rt(cpu_only());
    const sk::vector<int> x = with_a_7(100);
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(
        [&] {
            y = sk::sort(x, fails_at_7);
            sk::wait(y);
        }(),
        Contains("seven"));
    y = sk::sort(x);
    REQUIRE(values(y)[99] == 7);
}
