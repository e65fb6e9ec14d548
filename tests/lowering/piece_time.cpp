// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/piece_time.hpp"
#include "src/lowering/plan/cost.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

constexpr std::size_t million = std::size_t{1} << 20;

models known;

/// A recipe that nobody else observes; a million elements take 100 us on a GPU.
const recipe& measured(skeleton kind, std::uint64_t key)
{
    auto& r = *new recipe;
    r.kind = kind;
    r.key = key;
    r.bytes_per_element = 8;
    known.observe(r, executor::cuda, million, 100);
    known.observe(r, executor::cuda, 16 * million, 1600);
    return r;
}

double piece_us(const recipe& r, std::size_t elements, std::size_t depth = 1)
{
    return piece_time_us(known, r, executor::cuda, elements, depth, 1, 8);
}

} // namespace

TEST_CASE("a sixteenth of a map takes its share", "[pieces]")
{
    const recipe& r = measured(skeleton::map, 9'000'001);
    REQUIRE(piece_us(r, million) < 20);
    REQUIRE(piece_us(r, 16 * million) == Approx(100));
}

TEST_CASE("a part of a product is taken for one that fills the GPU, until one was measured", "[pieces]")
{
    const recipe& r = measured(skeleton::all_pairs, 9'000'002);
    REQUIRE(piece_us(r, million) == Approx(100));     // as long as the whole
    REQUIRE(piece_us(r, 4 * million) == Approx(100)); // as a million
    REQUIRE(piece_us(r, 16 * million) == Approx(100));
    REQUIRE(piece_us(r, 64 * million, 64) == Approx(6400)); // a million pairs of 64 elements each
    known.observe(r, executor::cuda, million / 16, 30);
    REQUIRE(piece_us(r, million) == Approx(30));
}
