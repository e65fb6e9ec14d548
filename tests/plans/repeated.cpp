// SPDX-License-Identifier: BSD-3-Clause
/// Which calls are planned, by what the log says. OpenCL on the CPU stands for a GPU. Exit code 77: there is none.

#include <skelrt/skelrt.hpp>

#include "../stderr_of.hpp"
#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace sk = skelrt;
using sk::device;

namespace
{

constexpr std::size_t n = 1 << 20;

const auto scaled = sk::map(SKELRT_FN((unsigned f, unsigned x) { return f * x + 1u; }));
const auto same = sk::map(SKELRT_FN((unsigned x) { return x; }));
const auto looked_up = sk::map(SKELRT_FN((unsigned x, sk::vec<unsigned> table) { return table[x % table.size()]; }));

sk::vector<unsigned> numbers()
{
    sk::vector<unsigned> x(n);
    x.set_tiles(8);
    const auto view = sk::host(x);
    for (std::size_t i = 0; i < n; ++i) view[i] = static_cast<unsigned>(i);
    return x;
}

/// One call, of which the program looks at all elements.
void call(sk::vector<unsigned>& y, const sk::vector<unsigned>& x, unsigned f)
{
    y = scaled(f, x);
    const auto view = sk::host_read(y);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += view[i] != f * static_cast<unsigned>(i) + 1u;
    REQUIRE(wrong == 0);
}

bool held(const std::string& said) { return said.find(" as before; planned in ") != std::string::npos; }

} // namespace

TEST_CASE("a plan that came out twice holds, until the data lies elsewhere or models are forgotten", "[repeated]")
{
    sk::vector<unsigned> x = numbers(), y(n);
    y.set_tiles(8);
    // Of most calls; where something else keeps the cores busy, plans change to and fro.
    const auto until_it_holds = [&] {
        for (unsigned f = 0; f < 1000; ++f)
            if (held(stderr_of([&] { call(y, x, f); }))) return true;
        return false;
    };
    REQUIRE(until_it_holds());
    {
        const sk::only elsewhere(device::opencl);
        x = same(x); // it is there alone, where no call before found it
    }
    CHECK_FALSE(held(stderr_of([&] { call(y, x, 6); })));

    REQUIRE(until_it_holds());
    sk::forget_models();
    CHECK_FALSE(held(stderr_of([&] { call(y, x, 7); })));
}

TEST_CASE("a plan does not hold for another operand that all see, of another size", "[repeated]")
{
    const auto x = numbers();
    const sk::vector<unsigned> small(1000, 3u);
    sk::vector<unsigned> y(n);
    y.set_tiles(8);
    const auto look_up_in = [&](const sk::vector<unsigned>& table, unsigned want) {
        return held(stderr_of([&] {
            y = looked_up(x, table);
            REQUIRE(sk::host_read(y)[n - 1] == want);
        }));
    };
    const auto until_it_holds = [&](const sk::vector<unsigned>& table, unsigned want) {
        for (int i = 0; i < 1000; ++i)
            if (look_up_in(table, want)) return true;
        return false;
    };
    for (std::size_t k = 1; k <= 5; ++k) {
        REQUIRE(until_it_holds(small, 3));
        CHECK_FALSE(look_up_in(sk::vector<unsigned>(1000 + 100 * k, 4u), 4));
    }
}

int main(int argc, char** argv)
{
    setenv("SKELRT_LOG", "debug", 1);
    setenv("SKELRT_EPISODES", "0", 1); // whose ways are not the planner's
    return run_with_opencl(argc, argv, {});
}
