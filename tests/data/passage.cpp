// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/passage.hpp"

#include "tests/data/random_partings.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using namespace skelrt::detail;
using test::random_partings;

namespace
{

/// Numbers of the elements of a container in the order in which a rank has them.
std::vector<std::size_t> elements_of(const element_grid& g, std::size_t width)
{
    std::vector<std::size_t> all;
    for (const position_run& rows : g.rows)
        for (std::size_t r = rows.first; r < rows.end(); ++r)
            for (const position_run& cols : g.cols)
                for (std::size_t c = cols.first; c < cols.end(); ++c) all.push_back(r * width + c);
    return all;
}

using messages = std::map<std::pair<unsigned, unsigned>, std::vector<std::size_t>>; ///< from, to

/// All messages by the lists of who sends them; no rank sends to another twice.
messages sent_between(const std::vector<passage>& all, const grid_of_rank& held, std::size_t width)
{
    messages sent;
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        const std::vector<std::size_t> mine = elements_of(held(rank), width);
        for (const outgoing_elements& out : all[rank].out) {
            std::vector<std::size_t>& message = sent[{rank, out.rank}];
            REQUIRE(message.empty());
            for (const position_run& r : out.held)
                for (std::size_t i = r.first; i < r.end(); ++i) message.push_back(mine.at(i));
        }
    }
    return sent;
}

/// What a rank has once all is there.
std::vector<std::size_t> received(const passage& x, unsigned rank, const messages& sent,
                                  const std::vector<std::size_t>& mine)
{
    std::vector<std::size_t> got;
    for (const passage::piece& p : x.pieces) {
        const auto& from = p.message == passage::own ? mine : sent.at({x.in.at(p.message).rank, rank});
        for (std::size_t i = p.first; i < p.first + p.count; ++i) got.push_back(from.at(i));
    }
    return got;
}

void check(unsigned ranks, const grid_of_rank& held, const grid_of_rank& wanted, std::size_t width)
{
    std::vector<passage> all;
    for (unsigned rank = 0; rank < ranks; ++rank) all.push_back(passage_of(ranks, held, wanted, rank));
    const messages sent = sent_between(all, held, width);
    std::size_t expected = 0;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        for (const incoming_elements& in : all[rank].in) REQUIRE(sent.at({in.rank, rank}).size() == in.count);
        expected += all[rank].in.size();
        REQUIRE(received(all[rank], rank, sent, elements_of(held(rank), width)) == elements_of(wanted(rank), width));
    }
    REQUIRE(sent.size() == expected); // nothing goes to who does not know of it
}

} // namespace

TEST_CASE("Between all partings each element gets to its place, once, and both ends list the same")
{
    random_partings random(11);
    for (int round = 0; round < 10000; ++round) {
        const unsigned ranks = random.ranks();
        const std::size_t rows = random.extent(30, 400), cols = random.extent(30, 400);
        const parting from = random.over(rows, cols, ranks), to = random.over(rows, cols, ranks);
        CAPTURE(ranks, rows, cols, from.rows.block, from.cols.parts, to.rows.block, to.cols.parts);
        check(
            ranks, [&](unsigned who) { return held_grid(from, who); }, [&](unsigned who) { return held_grid(to, who); },
            cols);
    }
}

TEST_CASE("Any rectangles that ranks want come to them, also to all")
{
    random_partings random(11);
    for (int round = 0; round < 3000; ++round) {
        const unsigned ranks = random.ranks();
        const std::size_t rows = random.number(1, 30), cols = random.number(1, 30);
        const parting from = random.over(rows, cols, ranks);
        std::vector<element_grid> wishes;
        for (unsigned who = 0; who < ranks; ++who) {
            const std::size_t row = random.number(0, rows), col = random.number(0, cols);
            wishes.push_back({{{row, random.number(0, rows - row)}}, {{col, random.number(0, cols - col)}}});
        }
        const bool whole = random.number(0, 4) == 0;
        check(
            ranks, [&](unsigned who) { return held_grid(from, who); },
            [&](unsigned who) { return whole ? whole_grid(rows, cols) : wishes[who]; }, cols);
    }
}

TEST_CASE("Where all have all, each takes its own")
{
    const parting to{{7, 2, 2}, {5, 2}};
    for (unsigned who = 0; who < 4; ++who) {
        const passage x = passage_here(whole_grid(7, 5), held_grid(to, who));
        std::vector<std::size_t> all(35);
        std::iota(all.begin(), all.end(), std::size_t{0});
        CHECK((x.in.empty() && x.out.empty()));
        CHECK(received(x, who, {}, all) == elements_of(held_grid(to, who), 5));
    }
}

TEST_CASE("Rows that lie whole in both partings are one run")
{
    const parting from = balanced(100, 8, true, 4), to = balanced(100, 8, true, 3);
    const auto runs = common_elements(held_grid(from, 0), held_grid(to, 0));
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].count == 25 * 8);
}
