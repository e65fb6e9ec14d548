// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/sample.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <deque>
#include <numeric>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// Runs the copies in host memory: what the sample's operands hold then.
std::vector<int> copied(const sample& s, const work& w)
{
    std::vector<std::byte> memory(s.operand_bytes);
    for (const sample_copy& c : s.copies) {
        const auto* from = static_cast<const std::byte*>(w.slot(c.segment, c.slot).data) + c.from;
        for (std::size_t r = 0; r < c.rows; ++r)
            std::memcpy(memory.data() + c.to + r * c.row_bytes, from + r * c.pitch, c.row_bytes);
    }
    std::vector<int> all;
    for (const sample_values& v : s.operands)
        for (std::size_t i = 0; i < v.count; ++i) {
            int value;
            std::memcpy(&value, memory.data() + v.offset + i * sizeof value, sizeof value);
            all.push_back(value);
        }
    return all;
}

recipe& recipe_of(skeleton kind, std::vector<slot_kind> slots)
{
    static std::deque<recipe> all;
    recipe& r = all.emplace_back();
    r.kind = kind;
    for (const slot_kind k : slots) r.slots.push_back({k, "int", 4, 4});
    r.result = "int";
    r.result_size = r.result_align = 4;
    return r;
}

std::vector<int> numbered(std::size_t n)
{
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    return v;
}

constexpr std::size_t enough = 1 << 20;

} // namespace

TEST_CASE("a sample of a map: the first elements, the last, and some in between", "[sample]")
{
    const recipe& r = recipe_of(skeleton::map, {slot_kind::element, slot_kind::element});
    std::vector<int> a = numbered(100), b(100);
    const std::vector<segment> segments{{1, 40, 0, 0}, {1, 60, 0, 40}};
    const std::vector<slot_view> views{{a.data(), 0, 1, 40, 100, 1},
                                       {b.data(), 0, 1, 40, 100, 1},
                                       {a.data() + 40, 0, 1, 60, 100, 1},
                                       {b.data() + 40, 0, 1, 60, 100, 1}};
    const work w{r, false, 100, segments, views};
    const auto s = make_sample(w, enough);
    REQUIRE(s);
    REQUIRE(s->segments.size() == 1);
    REQUIRE(s->segments[0].cols == 48);
    const std::vector<int> got = copied(*s, w);
    REQUIRE(got.size() == 48);
    for (std::size_t i = 0; i < 16; ++i) {
        REQUIRE(got[i] == static_cast<int>(i));
        REQUIRE(got[16 + i] == static_cast<int>(62 + i));
        REQUIRE(got[32 + i] == static_cast<int>(84 + i));
    }
    REQUIRE(s->results.size() == 3);
    const std::size_t positions[] = {0, 40 + 22, 100 - 16};
    for (std::size_t k = 0; k < 3; ++k) {
        REQUIRE(s->results[k].offset == s->views[1].offset + k * 16 * sizeof(int));
        REQUIRE(s->results[k].col0 == positions[k]);
        REQUIRE(s->results[k].count == 16);
    }
    REQUIRE(s->views[1].offset >= s->operand_bytes);
}

TEST_CASE("where functions ask for their position, the parts of a sample stay apart", "[sample]")
{
    recipe& r = recipe_of(skeleton::map, {slot_kind::element, slot_kind::element});
    r.calls.push_back({nullptr, "int", 4, {{argument_kind::index1, 0}, {argument_kind::slot, 0}}});
    std::vector<int> a = numbered(100), b(100);
    const std::vector<segment> segments{{1, 100, 0, 0}};
    const std::vector<slot_view> views{{a.data(), 0, 1, 100, 100, 1}, {b.data(), 0, 1, 100, 100, 1}};
    const auto s = make_sample(work{r, false, 100, segments, views}, enough);
    REQUIRE(s);
    REQUIRE(s->segments.size() == 3);
    REQUIRE(s->segments[0].col0 == 0);
    REQUIRE(s->segments[1].col0 == 42);
    REQUIRE(s->segments[2].col0 == 100 - 16);
}

TEST_CASE("parts that are equally far apart are one copy", "[sample]")
{
    const recipe& r = recipe_of(skeleton::map, {slot_kind::element, slot_kind::element});
    std::vector<int> a = numbered(100), b(100);
    const std::vector<segment> segments{{1, 100, 0, 0}};
    const std::vector<slot_view> views{{a.data(), 0, 1, 100, 100, 1}, {b.data(), 0, 1, 100, 100, 1}};
    const work w{r, false, 100, segments, views};
    const auto s = make_sample(w, enough);
    REQUIRE(s);
    REQUIRE(s->copies.size() == 1);
    REQUIRE(s->copies[0].rows == 3);
    const std::vector<int> got = copied(*s, w);
    REQUIRE(got.size() == 48);
    for (std::size_t i = 0; i < 48; ++i) REQUIRE(got[i] == static_cast<int>(i / 16 * 42 + i % 16));
}

TEST_CASE("strided elements, and a few that are all", "[sample]")
{
    const recipe& r = recipe_of(skeleton::map, {slot_kind::element, slot_kind::element});
    std::vector<int> a = numbered(30), b(5);
    const std::vector<segment> segments{{1, 5, 0, 0}};
    const std::vector<slot_view> views{{a.data(), 0, 1, 5, 30, 6}, {b.data(), 0, 1, 5, 5, 1}};
    const work w{r, false, 5, segments, views};
    const auto s = make_sample(w, enough);
    REQUIRE(s);
    REQUIRE(s->segments.size() == 1);
    REQUIRE(copied(*s, w) == std::vector<int>{0, 6, 12, 18, 24});
    REQUIRE(s->views[0].stride == 1);
}

TEST_CASE("operands that are read whole come with it, if there is room", "[sample]")
{
    const recipe& r = recipe_of(skeleton::map, {slot_kind::vec, slot_kind::element});
    std::vector<int> a = numbered(1000), b(3);
    const std::vector<segment> segments{{1, 3, 0, 0}};
    const std::vector<slot_view> views{{a.data(), 0, 1, 1000, 1000, 1}, {b.data(), 0, 1, 3, 3, 1}};
    const work w{r, false, 3, segments, views};
    const auto s = make_sample(w, enough);
    REQUIRE(s);
    REQUIRE(s->places[0] == sample::place::whole);
    REQUIRE(s->views[0].cols == 1000);
    REQUIRE(copied(*s, w) == a);
    REQUIRE_FALSE(make_sample(w, 2000));
}

TEST_CASE("a small grid of a large one, with the lines around it where the grid is cyclic", "[sample]")
{
    recipe& r = recipe_of(skeleton::stencil, {slot_kind::hood, slot_kind::element});
    r.stencil.rank = 2;
    r.stencil.before[1] = r.stencil.after[1] = 1;
    r.stencil.before[2] = r.stencil.after[2] = 1;
    r.stencil.border = border_rule::cyclic;
    std::vector<int> a = numbered(20 * 30), b(20 * 30);
    const std::vector<segment> segments{{20, 30, 0, 0}};
    const std::vector<slot_view> views{{a.data(), 0, 20, 30, 30, 1}, {b.data(), 0, 20, 30, 30, 1}};
    const std::vector<hood_view> hoods(1);
    work w{r, true, 30, segments, views};
    w.hoods = hoods;
    const auto s = make_sample(w, enough);
    REQUIRE(s);
    REQUIRE(s->grid[1] == 6);
    REQUIRE(s->grid[2] == 6);
    const std::vector<int> got = copied(*s, w);
    for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t col = 0; col < 6; ++col) REQUIRE(got[row * 6 + col] == static_cast<int>((7 + row) * 30 + col));
    REQUIRE(s->hoods.size() == 1);
    REQUIRE(s->hoods[0].before.ld == 6);
    const auto line_at = [&](std::size_t offset) {
        std::vector<int> line(6);
        for (const sample_copy& c : s->copies)
            for (std::size_t k = 0; k < c.rows; ++k)
                if (c.to + k * c.row_bytes == offset)
                    std::memcpy(line.data(), reinterpret_cast<const std::byte*>(a.data()) + c.from + k * c.pitch,
                                c.row_bytes);
        return line;
    };
    REQUIRE(line_at(s->hoods[0].before.offset)[0] == 12 * 30); // the last line
    REQUIRE(line_at(s->hoods[0].after.offset)[0] == 7 * 30);   // the first
}

TEST_CASE("nothing can be said of work without elements", "[sample]")
{
    const recipe& r = recipe_of(skeleton::map, {slot_kind::element});
    const std::vector<segment> segments{{1, 0, 0, 0}};
    const std::vector<slot_view> views(1);
    REQUIRE_FALSE(make_sample(work{r, false, 0, segments, views}, enough));
    REQUIRE_FALSE(make_sample(work{r, false, 0, {}, {}}, enough));
}
