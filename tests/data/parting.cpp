// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/parting.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// Random splits of axes of 0 to 1000 positions among 1 to 64 ranks.
class random_splits
{
public:
    axis_split next()
    {
        const bool in_turn = number(0, 2) == 0;
        return {number(0, 1) ? number(0, 1000) : number(0, 70), static_cast<unsigned>(number(1, 64)),
                in_turn ? number(1, 40) : 0};
    }

private:
    std::size_t number(std::size_t least, std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>(least, most)(source_);
    }
    std::mt19937 source_{7};
};

std::vector<std::size_t> sizes_of(const axis_split& a)
{
    std::vector<std::size_t> sizes;
    for (unsigned p = 0; p < a.parts; ++p) sizes.push_back(a.held(p));
    return sizes;
}

} // namespace

TEST_CASE("Every position of an axis has one owner, and a number there")
{
    random_splits splits;
    for (int round = 0; round < 2000; ++round) {
        const axis_split a = splits.next();
        CAPTURE(a.extent, a.parts, a.block);
        std::vector<std::size_t> next(a.parts, 0); // local numbers ascend without gaps
        bool right = true;
        for (std::size_t i = 0; i < a.extent; ++i) {
            const unsigned p = a.owner(i);
            right = right && p < a.parts && a.local(i) == next[p]++ && a.global(p, a.local(i)) == i;
        }
        REQUIRE(right);
        REQUIRE(next == sizes_of(a));
    }
}

TEST_CASE("Balanced parts differ by one at most, and empty ones come last")
{
    random_splits splits;
    for (int round = 0; round < 2000; ++round) {
        axis_split a = splits.next();
        a.block = 0;
        const std::vector<std::size_t> sizes = sizes_of(a);
        REQUIRE(std::ranges::is_sorted(sizes, std::ranges::greater{}));
        REQUIRE(sizes.front() - sizes.back() <= 1);
        REQUIRE(std::reduce(sizes.begin(), sizes.end()) == a.extent);
    }
}

TEST_CASE("Runs are what a part holds, in order, and as long as can be")
{
    random_splits splits;
    for (int round = 0; round < 1000; ++round) {
        const axis_split a = splits.next();
        CAPTURE(a.extent, a.parts, a.block);
        bool right = true;
        for (unsigned p = 0; p < a.parts; ++p) {
            std::size_t local = 0, end = 0;
            for (std::size_t n = 0; n < a.runs(p); ++n) {
                const position_run run = a.run(p, n);
                right = right && run.count > 0 && (n == 0 || run.first > end);
                for (std::size_t i = run.first; i < run.end(); ++i) right = right && a.global(p, local++) == i;
                end = run.end();
            }
            right = right && local == a.held(p);
        }
        REQUIRE(right);
    }
}

TEST_CASE("Every element of a grid of ranks has one owner, who has room for it")
{
    random_splits splits;
    for (int round = 0; round < 200; ++round) {
        axis_split rows = splits.next(), cols = splits.next();
        rows.extent %= 50, cols.extent %= 50;
        rows.parts = rows.parts % 8 + 1, cols.parts = cols.parts % 8 + 1;
        const parting p{rows, cols};
        std::vector<std::size_t> held(p.ranks(), 0);
        for (std::size_t r = 0; r < rows.extent; ++r)
            for (std::size_t c = 0; c < cols.extent; ++c) ++held.at(p.owner(r, c));
        for (unsigned rank = 0; rank < p.ranks(); ++rank) REQUIRE(held[rank] == p.count_of(rank));
    }
}

TEST_CASE("Blocks of a container follow each other in the order of ranks")
{
    for (const unsigned ranks : {1u, 2u, 3u, 7u, 64u})
        for (const bool whole_rows : {false, true})
            for (const std::size_t lines : {0, 1, 5, 100}) {
                const parting p = whole_rows ? balanced(lines, 3, true, ranks) : balanced(1, lines, false, ranks);
                REQUIRE(p.ranks() == ranks);
                REQUIRE(p.is_in_blocks());
                std::size_t at = 0;
                for (unsigned rank = 0; rank < ranks; ++rank) {
                    const position_run block = p.block_of(rank);
                    REQUIRE(block == position_run{at, p.count_of(rank)});
                    at = block.end();
                }
                REQUIRE(at == lines * (whole_rows ? 3 : 1));
            }
    CHECK_FALSE(parting{{100, 4, 5}, {10, 1}}.is_in_blocks());
    CHECK_FALSE(parting{{100, 2}, {10, 2}}.is_in_blocks());
}

TEST_CASE("A vector as long as a matrix has rows is cut at the same places")
{
    for (const std::size_t n : {0, 3, 10, 1001})
        for (unsigned rank = 0; rank < 6; ++rank)
            REQUIRE(balanced(n, 8, true, 6).rows_of(rank) == balanced(1, n, false, 6).cols_of(rank));
}

TEST_CASE("Equal partings are one object")
{
    const parting* const one = intern(balanced(1, 100, false, 4));
    CHECK(intern(balanced(1, 100, false, 4)) == one);
    CHECK(intern(balanced(1, 101, false, 4)) != one);
    CHECK(intern(balanced(1, 100, false, 5)) != one);
    CHECK(intern({{1, 1}, {100, 4, 7}}) != one);
    CHECK(*one == balanced(1, 100, false, 4));
}
