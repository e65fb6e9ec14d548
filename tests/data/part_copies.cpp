// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/part_copies.hpp"
#include "src/data/parts/dealt_part.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <list>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// The same list, as slow as it is simple: the newest copies last.
class plain_copies
{
public:
    explicit plain_copies(std::size_t most) : most_(most) {}

    bool use(const rectangle& part, unsigned rank)
    {
        const auto at = std::ranges::find(all_, std::pair(rank, part));
        const bool known = at != all_.end();
        if (known) all_.erase(at);
        all_.emplace_back(rank, part);
        while (elements_at(rank) > most_ && copies_at(rank) > 1)
            all_.erase(std::ranges::find(all_, rank, [](const auto& c) { return c.first; }));
        return known;
    }
    void forget(const rectangle& written)
    {
        all_.remove_if([&](const auto& c) { return overlap(c.second, written); });
    }
    std::size_t elements_at(unsigned rank) const
    {
        std::size_t n = 0;
        for (const auto& [r, part] : all_) n += r == rank ? part.size() : 0;
        return n;
    }
    std::size_t copies_at(unsigned rank) const
    {
        return static_cast<std::size_t>(std::ranges::count(all_, rank, [](const auto& c) { return c.first; }));
    }
    bool empty() const { return all_.empty(); }

private:
    const std::size_t most_;
    std::list<std::pair<unsigned, rectangle>> all_;
};

} // namespace

TEST_CASE("copies of parts are known alike on all ranks, and bounded")
{
    std::mt19937 random(5);
    const auto draw = [&](std::size_t below) { return random() % below; };
    for (int round = 0; round < 200; ++round) {
        const unsigned grid_rows = 1 + static_cast<unsigned>(draw(3)), grid_cols = 1 + static_cast<unsigned>(draw(3));
        const std::size_t rows = 1 + draw(30), cols = 1 + draw(30);
        const parting dealt{{rows, grid_rows}, {cols, grid_cols}};
        const unsigned ranks = dealt.ranks();
        part_copies first(dealt, 0), last(dealt, ranks - 1);
        plain_copies plain(first.most_elements());
        for (int step = 0; step < 200; ++step) {
            const std::size_t row = draw(rows), col = draw(cols);
            const rectangle part{row, col, 1 + draw(std::min<std::size_t>(rows - row, 4)),
                                 1 + draw(std::min<std::size_t>(cols - col, 4))};
            if (draw(4) == 0) {
                first.forget(part), last.forget(part), plain.forget(part);
            } else {
                const auto rank = static_cast<unsigned>(draw(ranks));
                const bool known = plain.use(part, rank);
                REQUIRE(first.use(part, rank) == known);
                REQUIRE(last.use(part, rank) == known);
                REQUIRE(first.elements_at(rank) == plain.elements_at(rank));
                REQUIRE(last.elements_at(rank) <= std::max(last.most_elements(), part.size()));
            }
            REQUIRE(first.empty() == plain.empty());
        }
        first.forget_all();
        REQUIRE(first.empty());
        REQUIRE(first.elements_at(0) == 0);
    }
}

TEST_CASE("a part lies with the ranks that hold its elements")
{
    std::mt19937 random(6);
    const auto draw = [&](std::size_t below) { return random() % below; };
    for (int round = 0; round < 3000; ++round) {
        const auto axis = [&] {
            const std::size_t block = draw(2) * (1 + draw(4));
            return axis_split{1 + draw(20), 1 + static_cast<unsigned>(draw(5)), block};
        };
        const parting dealt{axis(), axis()};
        const std::size_t row = draw(dealt.rows.extent), col = draw(dealt.cols.extent);
        const rectangle part{row, col, 1 + draw(dealt.rows.extent - row), 1 + draw(dealt.cols.extent - col)};
        const dealt_part found = find_part(dealt, part);
        std::set<unsigned> owners;
        for (std::size_t i = part.row; i < part.row_end(); ++i)
            for (std::size_t j = part.col; j < part.col_end(); ++j) owners.insert(dealt.owner(i, j));
        REQUIRE(std::set<unsigned>(found.owners.begin(), found.owners.end()) == owners);
        REQUIRE(found.owners.size() == owners.size());
        if (!found.lies_with_one_rank()) continue;
        for (std::size_t i = 0; i < part.rows; ++i) REQUIRE(dealt.rows.local(part.row + i) == found.local.row + i);
        for (std::size_t j = 0; j < part.cols; ++j) REQUIRE(dealt.cols.local(part.col + j) == found.local.col + j);
    }
}
