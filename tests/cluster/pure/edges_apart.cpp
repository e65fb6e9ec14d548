// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/edges_apart.hpp"

#include "src/model/times/handle_cost.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace skelrt::detail;

namespace
{

/// 2 edges of a share of 1000 us in 1000 lines, of which one travels in 100 us.
share_with_edges share()
{
    share_with_edges s;
    s.lines = 1000;
    s.edges = 2;
    s.deep = 1;
    s.bytes = 8000;
    s.message_us = 100;
    s.task_us = 5;
    s.work_us = 1000;
    return s;
}

/// Of a stencil that looks one line up and two down.
struct stencil_share {
    call_site site;
    call c;
    std::array<operand, 2> operands{};
    storage grid;

    stencil_share(border_rule border, std::size_t first, std::size_t lines, std::size_t whole)
    {
        site.what.kind = skeleton::stencil;
        site.what.stencil.rank = 2;
        site.what.stencil.border = border;
        site.what.stencil.before[1] = 1, site.what.stencil.after[1] = 2;
        site.what.slots = {{slot_kind::hood, {}, 8, 8}, {slot_kind::element, {}, 8, 8}};
        operands[0].data = operands[1].data = &grid;
        c.site = &site;
        c.operands = operands.data();
        c.matrix = true;
        c.rank = 2;
        c.rows = lines, c.cols = 10;
        c.first_line = first, c.whole_lines = whole;
    }
};

} // namespace

TEST_CASE("edges go first where that hides a message", "[edges]")
{
    const share_with_edges s = share();
    const std::size_t tiles = tiles_for_edges(s);
    REQUIRE(tiles >= 3);
    // All of it: what is left is the cost of two more tasks, and of the handles.
    const double gain = gain_of_edges_us(s, edge_lines(s, tiles), tiles);
    CHECK(gain == Approx(100 - edges_cost_us(s, tiles)));
    CHECK(edges_cost_us(s, tiles) == Approx(2 * 5 + 2 * handle_us * static_cast<double>(tiles - 1)));
    CHECK(tiles == 3); // a third of 1000 us is enough, and more tiles cost more
}

TEST_CASE("no other number of tiles gains more", "[edges]")
{
    for (const double message_us : {20.0, 300.0, 900.0, 5000.0})
        for (const double work_us : {50.0, 400.0, 2000.0, 50000.0})
            for (const unsigned edges : {1u, 2u}) {
                share_with_edges s = share();
                s.message_us = message_us, s.work_us = work_us, s.edges = edges;
                const std::size_t best = tiles_for_edges(s);
                const double gained = best > 0 ? gain_of_edges_us(s, edge_lines(s, best), best) : 0;
                CHECK((best == 0 || is_worth_edges(s, gained)));
                for (std::size_t tiles = 3; tiles <= 16; ++tiles) {
                    const double other = gain_of_edges_us(s, edge_lines(s, tiles), tiles);
                    CHECK((best > 0 ? gained >= other : !is_worth_edges(s, other)));
                }
            }
}

TEST_CASE("a share stays in one piece where edges gain nothing", "[edges]")
{
    share_with_edges s = share();
    s.message_us = -1; // nobody knows the network
    CHECK(tiles_for_edges(s) == 0);
    s = share();
    s.message_us = 15; // less than two tasks and some handles
    CHECK(tiles_for_edges(s) == 0);
    s = share();
    s.message_us = 40; // less than a twentieth
    s.work_us = 1e5;
    CHECK(tiles_for_edges(s) == 0);
    s = share();
    s.edges = 0;
    CHECK(tiles_for_edges(s) == 0);
    s = share();
    s.lines = 2; // no inside
    CHECK(tiles_for_edges(s) == 0);
    s = share();
    s.deep = 400; // what travels would lie in two tiles
    CHECK(tiles_for_edges(s) == 0);
    CHECK(gain_of_edges_us(s, s.lines, 3) < 0);
}

TEST_CASE("a share has edges where others hold what its hoods reach", "[edges]")
{
    using enum border_rule;
    for (const border_rule border : {constant, nearest, none}) {
        CHECK(edges_of(stencil_share(border, 0, 30, 90).c).edges == 1);
        CHECK(edges_of(stencil_share(border, 30, 30, 90).c).edges == 2);
        CHECK(edges_of(stencil_share(border, 60, 30, 90).c).edges == 1);
        CHECK(edges_of(stencil_share(border, 0, 90, 90).c).edges == 0);
        CHECK(sides_with_others(stencil_share(border, 0, 30, 90).c).back);
        CHECK(sides_with_others(stencil_share(border, 60, 30, 90).c).front);
    }
    CHECK(edges_of(stencil_share(cyclic, 0, 30, 90).c).edges == 2);
    CHECK(edges_of(stencil_share(cyclic, 0, 90, 90).c).edges == 0);
    stencil_share deep(cyclic, 0, 30, 90);
    deep.c.steps = 4;
    CHECK(edges_of(deep.c).deep == 8);
    CHECK(edges_of(deep.c).bytes == 8 * 10 * 8);
    CHECK(edges_of(deep.c).lines == 30);
    stencil_share up(constant, 30, 30, 90);
    up.site.what.stencil.after[1] = 0;
    CHECK(edges_of(up.c).edges == 1);
    up.site.what.kind = skeleton::map;
    CHECK(edges_of(up.c).edges == 0);
}
