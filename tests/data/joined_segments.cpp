// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/joined_segments.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <numeric>
#include <vector>

using namespace skelrt::detail;

namespace
{

constexpr std::size_t element_size = 4, cols = 10;

/// Rows of a matrix, cut as `heights` says; operands are told by where each segment's lies.
class cut_call
{
public:
    cut_call(std::vector<slot_kind> kinds, std::vector<std::size_t> heights) : heights_(std::move(heights))
    {
        for (const slot_kind kind : kinds) {
            slot_type s{};
            s.kind = kind;
            s.size = element_size;
            what_.slots.push_back(s);
        }
        std::size_t row = 0;
        for (const std::size_t rows : heights_) {
            segments_.push_back({rows, cols, row, 0});
            for (const slot_kind kind : kinds) {
                const std::size_t moved = moves(kind) && kind != slot_kind::column_vec ? row * ld * element_size : 0;
                slots_.push_back({memory_.data() + moved, 0, rows, cols, ld, 1});
            }
            row += rows;
        }
    }
    slot_view& slot(std::size_t s, std::size_t k) { return slots_[s * what_.slots.size() + k]; }
    recipe& what() { return what_; }
    /// How many rows each segment has.
    std::vector<std::size_t> joined()
    {
        const work w = join_segments({what_, true, {cols}, segments_, slots_}, room_);
        std::vector<std::size_t> rows;
        for (std::size_t s = 0; s < w.segments.size(); ++s) {
            rows.push_back(w.segments[s].rows);
            REQUIRE(w.slot(s, 0).rows == w.segments[s].rows);
        }
        return rows;
    }

private:
    static constexpr std::size_t ld = 12;
    recipe what_;
    std::vector<std::size_t> heights_;
    std::vector<segment> segments_;
    std::vector<slot_view> slots_;
    std::vector<std::byte> memory_ = std::vector<std::byte>(100 * ld * element_size);
    joined_segments room_;
};

using rows = std::vector<std::size_t>;

} // namespace

TEST_CASE("segments that follow each other in memory become one", "[joined]")
{
    cut_call c({slot_kind::element, slot_kind::uniform, slot_kind::row_element, slot_kind::column_vec, slot_kind::mat,
                slot_kind::element},
               {4, 4, 3});
    CHECK(c.joined() == rows{11});
}

TEST_CASE("what sums up is cut the same way wherever its tiles lie", "[joined]")
{
    const auto kept_apart = {skeleton::reduce,    skeleton::reduce_rows,  skeleton::reduce_columns, skeleton::scan,
                             skeleton::scan_rows, skeleton::scan_columns, skeleton::filter};
    for (const skeleton kind : kept_apart) {
        for (const bool follow : {true, false}) {
            cut_call c({slot_kind::element, slot_kind::element}, {4, 4, 3});
            c.what().kind = kind;
            if (!follow) c.slot(1, 0).data = static_cast<std::byte*>(c.slot(1, 0).data) + 4096;
            CHECK(c.joined() == rows{4, 4, 3});
        }
    }
}

TEST_CASE("where an operand lies elsewhere a segment begins", "[joined]")
{
    cut_call c({slot_kind::element, slot_kind::element}, {4, 4, 3, 1});
    c.slot(2, 1).data = static_cast<std::byte*>(c.slot(2, 1).data) + 4096;
    c.slot(3, 1).data = static_cast<std::byte*>(c.slot(3, 1).data) + 4096;
    CHECK(c.joined() == rows{8, 4});
}

TEST_CASE("parts of vectors are joined by their step, which may go back", "[joined]")
{
    recipe what;
    what.slots.resize(2);
    for (slot_type& s : what.slots) s.kind = slot_kind::element, s.size = element_size;
    std::vector<std::byte> memory(400 * element_size);
    const auto at = [&](std::size_t i) { return memory.data() + i * element_size; };
    const std::size_t back = 0 - std::size_t{2};
    const std::vector<segment> segments{{1, 50, 0, 0}, {1, 50, 0, 50}, {1, 20, 0, 100}};
    const std::vector<slot_view> slots{{at(0), 0, 1, 50, 1, 1},   {at(399), 0, 1, 50, 1, back},
                                       {at(50), 0, 1, 50, 1, 1},  {at(299), 0, 1, 50, 1, back},
                                       {at(100), 0, 1, 20, 1, 1}, {at(198), 0, 1, 20, 1, back}};
    joined_segments room;
    const work w = join_segments({what, false, {120}, segments, slots}, room);
    REQUIRE(w.segments.size() == 2); // the last one begins one further
    CHECK(w.segments[0].cols == 100);
    CHECK(w.slot(0, 1).cols == 100);
    CHECK(w.slot(1, 1).data == at(198));
}

TEST_CASE("what is around joined segments is around the first and the last", "[joined]")
{
    recipe what;
    what.kind = skeleton::stencil;
    what.slots.resize(2);
    what.slots[0].kind = slot_kind::hood;
    what.slots[1].kind = slot_kind::element;
    for (slot_type& s : what.slots) s.size = element_size;
    std::vector<std::byte> memory(300 * element_size), halo(20);
    const auto at = [&](std::size_t row) { return memory.data() + row * cols * element_size; };
    const std::vector<segment> segments{{4, cols, 0, 0}, {4, cols, 4, 0}};
    const std::vector<slot_view> slots{{at(0), 0, 4, cols, cols, 1},
                                       {at(10), 0, 4, cols, cols, 1},
                                       {at(4), 0, 4, cols, cols, 1},
                                       {at(14), 0, 4, cols, cols, 1}};
    std::vector<hood_view> hoods(2);
    hoods[0].after.data = at(4);
    hoods[1].before.data = at(3);
    hoods[1].after.data = halo.data();
    work w{what, true, {cols}, segments, slots};
    w.hoods = hoods;
    joined_segments room;
    const work all = join_segments(w, room);
    REQUIRE(all.segments.size() == 1);
    REQUIRE(all.hoods.size() == 1);
    CHECK(all.hoods[0].before.data == nullptr);
    CHECK(all.hoods[0].after.data == halo.data());
}
