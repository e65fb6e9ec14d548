// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/load_board.hpp"
#include "src/program/program.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace
{

using namespace skelrt::detail;

std::shared_ptr<progress> under_way() { return std::make_shared<progress>(1u); }
void end(const std::shared_ptr<progress>& p) { p->task_done(nullptr); }

} // namespace

TEST_CASE("a program's own work is not in its way", "[load board]")
{
    static std::array<program, 2> programs;
    const program &mine = programs[0], &others = programs[1];
    load_board board(2);
    REQUIRE_FALSE(board.any());
    const auto a = under_way(), b = under_way();
    board.add_call(0, mine, 10, a);
    board.add_call(1, others, 20, b);
    REQUIRE(board.of_others(0, mine) == 0);
    REQUIRE(board.of_others(1, mine) == 20);
    REQUIRE(board.of_others(0, others) == 10);
    REQUIRE(board.has_others(mine));
    end(b);
    REQUIRE(board.of_others(1, mine) == 0);
    REQUIRE_FALSE(board.has_others(mine));
    REQUIRE(board.has_others(others));
    end(a);
    REQUIRE_FALSE(board.has_others(others));
    REQUIRE_FALSE(board.any());
}

TEST_CASE("tasks are in the way of others' calls, and apart from them", "[load board]")
{
    static std::array<program, 2> programs;
    load_board board(2);
    const auto call = under_way(), task = under_way();
    board.add_call(1, programs[0], 5, call);
    board.add_task(1, programs[0], 7, task);
    CHECK(board.of_others(1, programs[1]) == 12);
    CHECK(board.calls_of_others(1, programs[1]) == 5);
    CHECK(board.of_others(1, programs[0]) == 0);
    CHECK(board.of_all(1) == 12);
    CHECK(board.of_all(0) == 0);
    end(call);
    CHECK(board.of_others(1, programs[1]) == 7);
    CHECK(board.has_others(programs[1]));
    end(task);
    CHECK(board.of_all(1) == 0);
    CHECK_FALSE(board.any());
}

TEST_CASE("one call that does not end holds up no others' end", "[load board]")
{
    static std::array<program, 2> programs;
    load_board board(1);
    const auto endless = under_way();
    board.add_call(0, programs[0], 1000, endless);
    for (int k = 0; k < 10'000; ++k) {
        const auto one = under_way();
        board.add_call(0, programs[0], 1, one);
        end(one);
    }
    REQUIRE(board.of_others(0, programs[1]) < 1000 + 200); // the rest was swept away
    end(endless);
    REQUIRE(board.of_others(0, programs[1]) == 0);
}

TEST_CASE("random work: as a plain list has it, once all before it has ended", "[load board]")
{
    static std::array<program, 3> programs;
    struct work {
        std::size_t target, by;
        double us;
        std::shared_ptr<progress> until;
    };
    std::mt19937 random(1);
    load_board board(4);
    std::vector<work> all;
    std::size_t ended = 0;
    for (int step = 0; step < 20'000; ++step) {
        if (random() % 2 == 0 || ended == all.size()) {
            all.push_back({random() % 4, random() % 3, static_cast<double>(random() % 100), under_way()});
            board.add_call(all.back().target, programs[all.back().by], all.back().us, all.back().until);
        } else {
            end(all[ended++].until); // in their order
        }
        const std::size_t target = random() % 4, mine = random() % 3;
        double us = 0;
        for (std::size_t k = ended; k < all.size(); ++k)
            if (all[k].target == target && all[k].by != mine) us += all[k].us;
        REQUIRE(board.of_others(target, programs[mine]) == Approx(us).margin(1e-6));
    }
}
