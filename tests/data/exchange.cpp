// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/exchange.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <utility>

using namespace skelrt::detail;

namespace
{

class random_numbers
{
public:
    std::size_t next(std::size_t least, std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>(least, most)(source_);
    }

private:
    std::mt19937 source_{5};
};

/// Up to three runs of a container for each rank.
std::vector<std::vector<position_run>> random_wishes(random_numbers& numbers, unsigned ranks, std::size_t elements)
{
    std::vector<std::vector<position_run>> all(ranks);
    for (auto& runs : all) {
        for (std::size_t n = numbers.next(0, 3); n > 0; --n) {
            const std::size_t first = numbers.next(0, elements);
            runs.push_back({first, numbers.next(0, elements - first)});
        }
        runs = ascending(std::move(runs));
    }
    return all;
}

} // namespace

TEST_CASE("Runs in order hold the same positions, each once")
{
    random_numbers numbers;
    for (int round = 0; round < 5000; ++round) {
        std::vector<position_run> runs(numbers.next(0, 6));
        std::vector<int> wanted(40, 0), got(40, 0);
        for (position_run& r : runs) {
            r = {numbers.next(0, 30), numbers.next(0, 9)};
            for (std::size_t i = r.first; i < r.end(); ++i) wanted[i] = 1;
        }
        std::size_t end = 0;
        for (const position_run& r : ascending(runs)) {
            REQUIRE(r.count > 0);
            REQUIRE((end == 0 || r.first > end));
            end = r.end();
            for (std::size_t i = r.first; i < r.end(); ++i) ++got[i];
        }
        REQUIRE(got == wanted);
    }
}

TEST_CASE("What a rank wants it holds, or gets once, from who holds it")
{
    random_numbers numbers;
    for (int round = 0; round < 3000; ++round) {
        const auto ranks = static_cast<unsigned>(numbers.next(1, 64));
        const bool rows = numbers.next(0, 1) == 1;
        const std::size_t lines = numbers.next(0, 300), width = rows ? numbers.next(1, 4) : 1, n = lines * width;
        const parting held = rows ? balanced(lines, width, true, ranks) : balanced(1, lines, false, ranks);
        const auto wishes = random_wishes(numbers, ranks, n);
        const auto wanted = [&](unsigned rank) { return wishes[rank]; };
        for (unsigned rank = 0; rank < ranks; ++rank) {
            std::vector<int> want(n, 0), got(n, 0);
            for (const position_run& r : wishes[rank])
                for (std::size_t i = r.first; i < r.end(); ++i) want[i] = 1;
            const position_run own = held.block_of(rank);
            for (std::size_t i = own.first; i < own.end(); ++i) got[i] = want[i];
            for (const rank_piece& p : exchange_of(
                                           ranks, [&](unsigned r) { return held.block_of(r); }, wanted, rank)
                                           .in)
                for (std::size_t i = p.elements.first; i < p.elements.end(); ++i)
                    got[i] += held.owner(i / held.cols.extent, i % held.cols.extent) == p.rank ? 1 : 2;
            REQUIRE(got == want);
        }
    }
}

TEST_CASE("Both ends of every message know it, in the same order")
{
    random_numbers numbers;
    for (int round = 0; round < 1000; ++round) {
        const auto ranks = static_cast<unsigned>(numbers.next(1, 24));
        const std::size_t n = numbers.next(0, 200);
        const parting held = balanced(1, n, false, ranks);
        const auto wishes = random_wishes(numbers, ranks, n);
        const auto wanted = [&](unsigned rank) { return wishes[rank]; };
        using messages = std::map<std::pair<unsigned, unsigned>, std::vector<position_run>>;
        messages sent, received; // from, to
        for (unsigned rank = 0; rank < ranks; ++rank) {
            const exchange x = exchange_of(
                ranks, [&](unsigned r) { return held.block_of(r); }, wanted, rank);
            for (const rank_piece& p : x.out) sent[{rank, p.rank}].push_back(p.elements);
            for (const rank_piece& p : x.in) received[{p.rank, rank}].push_back(p.elements);
        }
        REQUIRE(sent == received);
    }
}
