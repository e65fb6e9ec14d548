// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/needs.hpp"
#include "src/data/managed.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

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
    std::mt19937 source_{3};
};

/// A call with one operand in a container.
struct one_operand {
    storage data;
    call_site site;
    operand o;
    call c;

    one_operand(slot_kind kind, std::size_t rows, std::size_t cols)
    {
        data.shape_rows = rows;
        data.shape_cols = cols;
        site.what.slots = {{kind, "int", 4, 4}};
        o.data = &data;
        c.site = &site;
        c.operands = &o;
    }
    void set_space(bool matrix, std::size_t rows, std::size_t cols)
    {
        c.set_space({matrix ? 2 : 1, rows, cols});
        o.rows = rows;
        o.cols = cols;
    }
};

/// The number of an element of the container in a copy of the need, which has it.
std::size_t place_in_copy(const operand_need& n, std::size_t element, std::size_t width)
{
    const std::size_t row = n.as_one_row ? 0 : element / width, col = n.as_one_row ? element : element % width;
    REQUIRE((row >= n.rows.first && row < n.rows.end()));
    REQUIRE((col >= n.cols.first && col < n.cols.end()));
    return (row - n.rows.first) * n.cols.count + col - n.cols.first;
}

/// That the call finds its elements in the copy. Offsets count from the first of these lines.
void check_lines(const one_operand& x, const position_run& lines)
{
    const operand_need n = need_of(x.c, 0, lines);
    const std::size_t along = x.c.matrix ? x.c.cols : 1;
    for (std::size_t l = 0; l < lines.count; ++l)
        for (std::size_t k = 0; k < along; ++k) {
            const std::size_t step = x.c.matrix ? x.o.ld : x.o.stride, in_copy = x.c.matrix ? n.ld : n.stride;
            const std::size_t element = x.o.offset + (lines.first + l) * step + (x.c.matrix ? k * x.o.stride : 0);
            REQUIRE(place_in_copy(n, element, x.data.shape_cols) == l * in_copy + (x.c.matrix ? k * n.stride : 0));
        }
    if (lines.count * along == 0) REQUIRE(n.count() == 0);
}

/// That each line lies in one tile of the copy, however many there are, and each tile has something of the need.
void check_tiles_of_copy(const one_operand& x, const position_run& lines)
{
    const operand_need n = need_of(x.c, 0, lines);
    if (n.count() == 0) return;
    storage copy;
    copy.rows = n.copy.rows;
    copy.cols = n.copy.cols;
    copy.whole_rows = n.copy.whole_rows;
    copy.element_size = 4;
    const bool in_row = sees_vec(x.site.what.slots[0].kind);
    const std::size_t along = (x.c.matrix ? (in_row ? x.o.cols : x.c.cols) : 1) - 1;
    for (const std::size_t tiles : {1, 2, 3, 7, 64}) {
        const std::size_t per_tile = choose_tile_elements(copy, tiles, {});
        REQUIRE((copy.count() - 1) / per_tile * per_tile < n.count());
        REQUIRE(n.count() <= copy.count());
        for (std::size_t l = 0; l < lines.count; ++l) {
            const std::size_t first = l * (x.c.matrix ? n.ld : n.stride);
            REQUIRE(first / per_tile == (first + along * n.stride) / per_tile);
        }
    }
}

} // namespace

TEST_CASE("Rectangles of a container are what a share needs of it, and no more")
{
    random_numbers random;
    for (int round = 0; round < 5000; ++round) {
        const std::size_t rows = random.next(1, 12), cols = random.next(1, 12);
        const std::size_t row = random.next(0, rows - 1), col = random.next(0, cols - 1);
        const bool transposed = random.next(0, 1) == 1;
        one_operand x(transposed ? slot_kind::column_element : slot_kind::element, rows, cols);
        std::size_t height = random.next(1, rows - row), width = random.next(1, cols - col);
        x.o.offset = row * cols + col;
        x.o.ld = cols;
        x.o.stride = 1;
        if (transposed) std::swap(height, width), std::swap(x.o.ld, x.o.stride);
        x.set_space(true, height, width);
        const std::size_t first = random.next(0, height), count = random.next(0, height - first);
        CAPTURE(rows, cols, row, col, height, width, transposed, first, count);
        check_lines(x, {first, count});
        if (!transposed) check_tiles_of_copy(x, {first, count}); // what tasks read whole they ask for in all tiles
        REQUIRE(need_of(x.c, 0, {first, count}).count() == count * width);
    }
}

TEST_CASE("Vectors: ranges, rows, columns, and what is no rectangle")
{
    random_numbers random;
    for (int round = 0; round < 5000; ++round) {
        const std::size_t rows = random.next(1, 8), cols = random.next(1, 8), n = rows * cols;
        one_operand x(slot_kind::element, rows, cols);
        x.o.offset = random.next(0, n - 1);
        x.o.stride = random.next(0, 2) == 0 ? cols : random.next(1, 3);
        x.o.ld = n;
        const std::size_t count = random.next(1, (n - 1 - x.o.offset) / x.o.stride + 1);
        x.set_space(false, 1, count);
        const std::size_t first = random.next(0, count), some = random.next(0, count - first);
        CAPTURE(rows, cols, x.o.offset, x.o.stride, count, first, some);
        check_lines(x, {first, some});
        check_tiles_of_copy(x, {first, some});
    }
}

TEST_CASE("Planes, and rows that begin anywhere, are copied to where no tile ends within a line")
{
    random_numbers random;
    for (int round = 0; round < 5000; ++round) {
        const std::size_t rows = random.next(1, 8), cols = random.next(1, 40), n = rows * cols;
        one_operand x(random.next(0, 1) == 1 ? slot_kind::element : slot_kind::row_vec, rows, cols);
        x.o.offset = random.next(0, n - 1);
        x.o.ld = random.next(1, n);
        x.o.stride = random.next(0, 3) == 0 ? cols : 1;
        const std::size_t behind = n - 1 - x.o.offset, lines = random.next(1, behind / x.o.ld + 1);
        x.set_space(true, lines, random.next(1, (behind - (lines - 1) * x.o.ld) / x.o.stride + 1));
        const std::size_t first = random.next(0, lines), some = random.next(0, lines - first);
        CAPTURE(rows, cols, x.o.offset, x.o.ld, x.o.stride, x.c.rows, x.c.cols, first, some);
        check_tiles_of_copy(x, {first, some});
    }
}

TEST_CASE("A row and a column of a matrix are what they are")
{
    one_operand x(slot_kind::element, 10, 7);
    x.o = {&x.data, nullptr, 3 * 7, 1, 7, 7, 1}; // row 3
    x.set_space(false, 1, 7);
    CHECK(need_of(x.c, 0, {2, 3}).grid() == element_grid{{{3, 1}}, {{2, 3}}});
    x.o = {&x.data, nullptr, 4, 1, 10, 70, 7}; // column 4
    x.set_space(false, 1, 10);
    CHECK(need_of(x.c, 0, {2, 5}).grid() == element_grid{{{2, 5}}, {{4, 1}}});
    CHECK(need_of(x.c, 0, {2, 5}).stride == 1);
}

TEST_CASE("Rows of one element are the same for all positions on the other axis, in a copy, too")
{
    one_operand left(slot_kind::row_vec, 9, 1);
    left.set_space(true, 9, 5);
    left.o.cols = 1, left.o.ld = 1, left.o.stride = 0;
    const operand_need of_left = need_of(left.c, 0, {2, 3});
    CHECK(of_left.ld == 1);
    CHECK(of_left.stride == 0);
    CHECK(of_left.count() == 3);

    one_operand right(slot_kind::column_vec, 5, 1);
    right.set_space(true, 9, 5);
    right.o.rows = 5, right.o.cols = 1, right.o.ld = 0, right.o.stride = 1;
    const operand_need of_right = need_of(right.c, 0, {2, 3});
    CHECK(of_right.ld == 0);
    CHECK(of_right.stride == 1);
    CHECK(of_right.count() == 5);
}

TEST_CASE("What is read whole is needed by whoever has lines")
{
    one_operand x(slot_kind::mat, 10, 7);
    x.o = {&x.data, nullptr, 7 + 2, 4, 5, 7, 1};
    x.c.set_space({1, 1, 100});
    CHECK(need_of(x.c, 0, {50, 3}).grid() == element_grid{{{1, 4}}, {{2, 5}}});
    CHECK(need_of(x.c, 0, {50, 3}).ld == 5);
    CHECK(need_of(x.c, 0, {50, 0}).count() == 0);
}
