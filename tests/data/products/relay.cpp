// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/relay.hpp"

#include "src/data/parting/parting.hpp"
#include "src/lowering/ranks/needs/tags.hpp"
#include "src/lowering/ranks/products/panels.hpp"
#include "src/lowering/ranks/products/side_grid.hpp"

#include "tests/data/random_partings.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <utility>
#include <vector>

using namespace skelrt::detail;
using test::random_partings;

namespace
{

/// Ranks of one row of the result's grid, and which rows these are.
std::vector<relay_group> groups_of(const parting& result, const side_grid& side, const position_run& k)
{
    std::vector<relay_group> all;
    for (unsigned part = 0; part < result.rows.parts; ++part) {
        relay_group g;
        for (unsigned rank = 0; rank < result.ranks(); ++rank) {
            if (result.row_part(rank) != part || result.count_of(rank) == 0) continue;
            g.members.push_back(rank);
            g.wanted = side.part(held_grid(result, rank).rows, k);
        }
        if (!g.members.empty()) all.push_back(g);
    }
    return all;
}

/// Numbers of a grid's elements in their order.
std::vector<std::size_t> elements_of(const element_grid& g, std::size_t width)
{
    std::vector<std::size_t> all;
    for (const position_run& rows : g.rows)
        for (std::size_t r = rows.first; r < rows.end(); ++r)
            for (const position_run& cols : g.cols)
                for (std::size_t c = cols.first; c < cols.end(); ++c) all.push_back(r * width + c);
    return all;
}

using between_ranks = std::pair<unsigned, unsigned>; ///< from, to

/// Messages of all ranks, each sent when what it is made of is there. Fails if a rank waits for what nobody sends.
class delivery
{
public:
    delivery(const std::vector<relay>& all, const grid_of_rank& held, std::size_t width) : all_(all)
    {
        for (unsigned rank = 0; rank < all.size(); ++rank) {
            mine_.push_back(elements_of(held(rank), width));
            contents_.emplace_back(all[rank].messages.size());
            next_.push_back(0);
        }
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (unsigned rank = 0; rank < all.size(); ++rank) goes_on |= go_on(rank);
        }
    }
    void all_have_come() const
    {
        for (unsigned rank = 0; rank < all_.size(); ++rank) REQUIRE(next_[rank] == all_[rank].messages.size());
        for (const auto& [between, sent] : sent_) REQUIRE(taken_.at(between) == sent.size());
    }
    std::vector<std::size_t> put_together(unsigned rank) const
    {
        std::vector<std::size_t> got;
        for (const passage::piece& p : all_[rank].pieces) {
            const auto& from = p.message == passage::own ? mine_[rank] : contents_[rank].at(p.message);
            for (std::size_t i = p.first; i < p.first + p.count; ++i) got.push_back(from.at(i));
        }
        return got;
    }
    std::size_t most_between_two() const
    {
        std::size_t most = 0;
        for (const auto& [between, sent] : sent_) most = std::max(most, sent.size());
        return most;
    }

private:
    /// The rank's next message, if it can.
    bool go_on(unsigned rank)
    {
        if (next_[rank] == all_[rank].messages.size()) return false;
        const relayed_message& m = all_[rank].messages[next_[rank]];
        std::vector<std::size_t>& content = contents_[rank][next_[rank]];
        if (m.from == relayed_message::nobody) {
            for (const position_run& r : m.held)
                for (std::size_t i = r.first; i < r.end(); ++i) content.push_back(mine_[rank].at(i));
        } else {
            const between_ranks from{m.from, rank};
            if (taken_[from] == sent_[from].size()) return false;
            content = sent_[from][taken_[from]++];
        }
        REQUIRE(content.size() == m.count);
        if (m.next != relayed_message::nobody) sent_[{rank, m.next}].push_back(content);
        ++next_[rank];
        return true;
    }

    const std::vector<relay>& all_;
    std::vector<std::vector<std::size_t>> mine_;
    std::vector<std::vector<std::vector<std::size_t>>> contents_;
    std::vector<std::size_t> next_;
    std::map<between_ranks, std::vector<std::vector<std::size_t>>> sent_;
    std::map<between_ranks, std::size_t> taken_;
};

/// What comes to a rank is what it wants and does not hold, once.
void comes_once(const relay& x, const element_grid& held, const element_grid& wanted)
{
    std::size_t comes = 0, here = 0;
    for (const relayed_message& m : x.messages)
        if (m.from != relayed_message::nobody) comes += m.count;
    for (const numbered_run& r : common_elements(held, wanted)) here += r.count;
    REQUIRE(comes + here == wanted.count());
}

} // namespace

TEST_CASE("each panel comes to all who want it, and both ends know of each message", "[products]")
{
    random_partings next(7);
    for (int round = 0; round < 600; ++round) {
        const unsigned ranks = next.ranks();
        const std::size_t rows = next.extent(24, 300), cols = next.extent(24, 300), depth = next.extent(24, 300);
        if (rows * cols * depth == 0) continue;
        const bool turned = next.number(0, 1) == 1;
        const std::size_t width = turned ? rows + 2 : depth + 2, height = turned ? depth + 3 : rows + 3;
        const parting result = next.over(rows, cols, ranks), lies = next.over(height, width, ranks);
        const side_place place{width + 2, turned ? 1 : width, turned ? width : 1, width}; // a part of a matrix
        const auto side = as_grid(place, rows, depth);
        REQUIRE(side);
        CAPTURE(round, ranks, rows, cols, depth, turned, result.cols.parts, lies.cols.parts);
        const auto held = [&](unsigned who) { return held_grid(lies, who); };
        const panel_cut cut{depth, next.number(1, depth)};
        for (std::size_t panel = 0; panel < cut.count(); ++panel) {
            const std::vector<relay_group> groups = groups_of(result, *side, cut.run(panel));
            std::vector<relay> all;
            for (unsigned rank = 0; rank < ranks; ++rank) all.push_back(relay_of(ranks, held, groups, rank));
            const delivery d(all, held, width);
            d.all_have_come();
            for (const relay_group& g : groups)
                for (const unsigned rank : g.members) {
                    REQUIRE(d.put_together(rank) == elements_of(g.wanted, width));
                    comes_once(all[rank], held(rank), g.wanted);
                }
        }
    }
}

TEST_CASE("panels cover all, and their messages can be told apart", "[products]")
{
    random_partings next(7);
    for (int round = 0; round < 60; ++round) {
        const unsigned ranks = next.ranks();
        const std::size_t rows = next.number(1, 500), depth = next.number(1, 200000);
        const parting result = next.over(rows, 40, ranks), lies = next.over(rows, depth, ranks);
        const auto side = as_grid({0, depth, 1, depth}, rows, depth);
        REQUIRE(side);
        std::size_t longest = 0;
        bool scattered = false;
        for (unsigned rank = 0; rank < ranks; ++rank) {
            longest = std::max(longest, result.rows_of(rank));
            scattered |= held_grid(result, rank).rows.size() > 1;
        }
        const panel_source source{lies.cols, lies.rows, longest, scattered};
        const panel_cut cut = cut_panels(depth, {&source, 1});
        CAPTURE(round, ranks, rows, depth, cut.width, lies.cols.parts, lies.cols.block, lies.rows.parts,
                lies.rows.block);
        std::size_t end = 0;
        for (std::size_t panel = 0; panel < cut.count(); ++panel) {
            const position_run k = cut.run(panel);
            REQUIRE(k.first == end);
            REQUIRE(k.count > 0);
            end = k.end();
        }
        REQUIRE(end == depth);
        if (cut.count() * ranks > 400) continue; // it takes long
        std::map<between_ranks, std::size_t> between;
        for (std::size_t panel = 0; panel < cut.count(); ++panel)
            for (unsigned rank = 0; rank < ranks; ++rank)
                for (const relayed_message& m : relay_of(
                                                    ranks, [&](unsigned who) { return held_grid(lies, who); },
                                                    groups_of(result, *side, cut.run(panel)), rank)
                                                    .messages)
                    if (m.next != relayed_message::nobody) ++between[{rank, m.next}];
        for (const auto& [who, messages] : between) REQUIRE(messages <= most_messages);
    }
}

TEST_CASE("owners in blocks end with a panel", "[products]")
{
    const panel_source four{axis_split{4096, 4}, axis_split{4096, 2}, 2048, false};
    CHECK(cut_panels(4096, {&four, 1}).width == 256);
    const panel_source three{axis_split{1500, 3}, axis_split{10, 1}, 10, false};
    CHECK(cut_panels(1500, {&three, 1}).width == 250);
    const panel_source many{axis_split{1000, 64}, axis_split{10, 1}, 10, false}; // of 16 elements
    CHECK(cut_panels(1000, {&many, 1}).width == 256);
    CHECK(cut_panels(7, {}).width == 7);
}
