// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/lane_board.hpp"
#include "src/jit/lanes/point_table.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// The same as the table, a byte at a time.
class shadow
{
public:
    explicit shadow(std::size_t bytes) : bytes_(bytes) {}
    points before(const memory_use& m) const
    {
        points all{};
        for (std::uintptr_t b = m.begin; b < m.end; ++b) {
            if (bytes_[b].written) add_to(all, bytes_[b].writer);
            if (!m.writes) continue;
            for (const point& r : bytes_[b].readers) add_to(all, r);
        }
        return all;
    }
    void add(const memory_use& m, const point& by)
    {
        for (std::uintptr_t b = m.begin; b < m.end; ++b) {
            if (m.writes) bytes_[b] = {true, by, {}};
            else bytes_[b].readers.push_back(by);
        }
    }

private:
    struct byte {
        bool written = false;
        point writer{};
        std::vector<point> readers;
    };
    std::vector<byte> bytes_;
};

points without_passed(points all, const points& passed)
{
    for (std::size_t lane = 0; lane < most_lanes; ++lane)
        if (all[lane] <= passed[lane]) all[lane] = 0;
    return all;
}

std::size_t below(std::mt19937& random, std::size_t n) { return random() % n; }

} // namespace

TEST_CASE("who uses memory waits for just those who touched its bytes", "[lanes]")
{
    const auto seed = GENERATE(range(1u, 41u));
    std::mt19937 random(seed);
    const std::size_t size = 1 + below(random, seed % 2 ? 60 : 4000), lanes = 1 + below(random, most_lanes);
    point_table table;
    shadow reference(size);
    points newest{}, passed{};
    for (int step = 0; step < 600; ++step) {
        memory_use m;
        m.begin = below(random, size + 1);
        m.end = std::min(m.begin + below(random, size / 8 + 4), size);
        m.writes = below(random, 3) == 0;
        REQUIRE(without_passed(table.before(m), passed) == without_passed(reference.before(m), passed));
        const std::size_t lane = below(random, lanes);
        const point by{lane, ++newest[lane]};
        table.add(m, by);
        reference.add(m, by);
        const std::size_t some = below(random, lanes);
        passed[some] += below(random, newest[some] - passed[some] + 1);
        table.forget(passed);
    }
}

TEST_CASE("a table forgets what is over", "[lanes]")
{
    point_table table;
    for (std::uint64_t n = 1; n <= 100000; ++n) {
        table.add({16 * n, 16 * n + 16, n % 2 == 0}, {n % 3, n});
        table.forget({n, n, n});
        REQUIRE(table.size() <= 512);
    }
}

TEST_CASE("a task that follows another's end goes to its lane", "[lanes]")
{
    lane_board board(4);
    const point first = board.add(board.choose({}), 100);
    const point other = board.add(board.choose({}), 10);
    CHECK(other.lane != first.lane);
    points before{};
    add_to(before, first);
    CHECK(board.choose(before) == first.lane);
    board.add(first.lane, 1); // now something else is behind it
    CHECK(board.choose(before) != first.lane);
}

TEST_CASE("tasks that wait for nothing go to the lane with least to do", "[lanes]")
{
    lane_board board(3);
    std::set<std::size_t> used;
    for (int i = 0; i < 3; ++i) used.insert(board.add(board.choose({}), i == 1 ? 10 : 100).lane);
    CHECK(used == std::set<std::size_t>{0, 1, 2});
    const std::size_t least = board.choose({});
    CHECK(board.add(least, 1000).lane == 1);
    board.pass_one(2);
    CHECK(board.choose({}) == 2);
}

TEST_CASE("a lane goes behind a point once", "[lanes]")
{
    lane_board board(2);
    const point a = board.add(0, 1), b = board.add(0, 1);
    points before{};
    add_to(before, a);
    CHECK(board.catch_up(1, before)[0] == a.number);
    CHECK(board.catch_up(1, before) == points{});
    add_to(before, b);
    board.pass_one(0);
    board.pass_one(0);
    CHECK(board.catch_up(1, before) == points{}); // passed
    CHECK(board.catch_up(0, before) == points{}); // its own
}

TEST_CASE("lanes choose so that points in random programs are passed in order", "[lanes]")
{
    const auto seed = GENERATE(range(1u, 21u));
    std::mt19937 random(seed);
    const std::size_t lanes = 1 + below(random, 8);
    lane_board board(lanes);
    for (int step = 0; step < 500; ++step) {
        points before{};
        const points newest = board.newest();
        for (std::size_t lane = 0; lane < most_lanes; ++lane)
            if (below(random, 3) == 0) before[lane] = below(random, newest[lane] + 1);
        const std::size_t lane = board.choose(before);
        REQUIRE(lane < lanes);
        const points missing = board.catch_up(lane, before);
        for (std::size_t other = 0; other < most_lanes; ++other) {
            REQUIRE((missing[other] == 0 || missing[other] == before[other]));
            REQUIRE((missing[other] == 0 || missing[other] > board.passed()[other]));
        }
        REQUIRE(board.add(lane, 1 + static_cast<double>(below(random, 9))).number == newest[lane] + 1);
        for (std::size_t other = 0; other < most_lanes; ++other)
            if (board.under_way(other) > 0 && below(random, 2) == 0) board.pass_one(other);
        REQUIRE(board.busy_us() >= 0);
    }
}
