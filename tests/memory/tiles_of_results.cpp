// SPDX-License-Identifier: BSD-3-Clause
/// Results take over the memory of containers that were let go of, but not their tiles.

#include "src/data/managed.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>

namespace sk = skelrt;
using namespace skelrt::detail;

namespace
{

constexpr std::size_t n = 4 << 20, fine = n / 8;

const auto one_more = sk::map(SKELRT_FN((float x) { return x + 1; }));

managed_state& tiles_of(const sk::vector<float>& x) { return *x.storage()->managed.load(); }

/// A result of `x`, whose data is at home.
sk::vector<float> result_of(sk::runtime& rt, const sk::vector<float>& x)
{
    sk::vector<float> y = one_more(x);
    rt.wait(); // while calls are in flight, nothing is cut again
    return y;
}

/// Leaves a container behind that is cut more finely. Returns where it lies.
const std::byte* leave_fine_one(sk::runtime& rt, const sk::vector<float>& x)
{
    const auto y = result_of(rt, x);
    cut_again(tiles_of(y), fine, true);
    return y.storage()->data;
}

void check(const sk::vector<float>& y)
{
    const auto view = sk::host_read(y);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += view[i] != 2;
    REQUIRE(wrong == 0);
}

} // namespace

TEST_CASE("a result is cut as its operand", "[results]")
{
    sk::runtime rt;
    const sk::vector<float> x(n, 1.0f);
    const std::byte* const left = leave_fine_one(rt, x);
    const auto y = result_of(rt, x);
    CHECK(y.storage()->data == left);
    REQUIRE(tiles_of(y).tile_elements == tiles_of(x).tile_elements);
    REQUIRE(tiles_of(y).tile_elements != fine);
    check(y);
}

TEST_CASE("of two that were let go of, a result takes the one that is cut as its operand", "[results]")
{
    sk::runtime rt;
    const sk::vector<float> x(n, 1.0f);
    const std::byte* coarse = nullptr;
    {
        const auto other = result_of(rt, x); // both live at a time, and the fine one goes first
        leave_fine_one(rt, x);
        coarse = other.storage()->data;
    }
    const auto y = result_of(rt, x), z = result_of(rt, x);
    CHECK(y.storage()->data == coarse);
    for (const auto* r : {&y, &z}) {
        REQUIRE(tiles_of(*r).tile_elements == tiles_of(x).tile_elements);
        check(*r);
    }
}

TEST_CASE("a finely cut operand has finely cut results", "[results]")
{
    sk::runtime rt;
    const sk::vector<float> x(n, 1.0f);
    leave_fine_one(rt, x);
    {
        const auto coarse = result_of(rt, x), another = result_of(rt, x);
    }
    leave_fine_one(rt, x);
    cut_again(tiles_of(x), fine, true);
    const auto y = result_of(rt, x), z = result_of(rt, x);
    for (const auto* r : {&y, &z}) {
        REQUIRE(tiles_of(*r).tile_elements == fine);
        check(*r);
    }
}
