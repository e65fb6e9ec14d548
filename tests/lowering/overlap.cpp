// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/overlap.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using skelrt::detail::may_overlap;
using skelrt::detail::operand;

namespace
{

operand part(std::size_t offset, std::size_t rows, std::size_t cols, std::size_t ld, std::size_t stride)
{
    return {nullptr, nullptr, offset, rows, cols, ld, stride};
}

bool do_overlap(const operand& a, const operand& b)
{
    std::vector<bool> in_a;
    const auto at = [](const operand& o, std::size_t r, std::size_t c) { return o.offset + r * o.ld + c * o.stride; };
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < a.cols; ++c) {
            in_a.resize(std::max(in_a.size(), at(a, r, c) + 1));
            in_a[at(a, r, c)] = true;
        }
    for (std::size_t r = 0; r < b.rows; ++r)
        for (std::size_t c = 0; c < b.cols; ++c)
            if (at(b, r, c) < in_a.size() && in_a[at(b, r, c)]) return true;
    return false;
}

class parts_of_matrix
{
public:
    operand any()
    {
        switch (upto(3)) {
        case 0: // of a row
            return row_part(upto(rows_ - 1));
        case 1: { // of a column
            const std::size_t first = upto(rows_ - 1), n = upto(rows_ - first);
            return part(first * cols_ + upto(cols_ - 1), 1, n, n * cols_, cols_);
        }
        case 2: { // of several rows, as a vector would have them
            const std::size_t first = upto(rows_ * cols_ - 1), n = upto(rows_ * cols_ - first);
            return part(first, 1, n, n, 1);
        }
        default:
            const std::size_t row = upto(rows_ - 1), col = upto(cols_ - 1);
            return part(row * cols_ + col, upto(rows_ - row), upto(cols_ - col), cols_, 1);
        }
    }
    operand strided()
    {
        const std::size_t offset = upto(30), rows = upto(3), cols = upto(6), stride = 1 + upto(4), ld = upto(20);
        return turned(part(offset, rows, cols, ld, stride));
    }

    /// Every so many rows of some columns, perhaps backwards.
    operand stepped()
    {
        const std::size_t row = upto(rows_ - 1), col = upto(cols_ - 1), down = 1 + upto(2), along = 1 + upto(2);
        return turned(part(row * cols_ + col, upto((rows_ - 1 - row) / down + 1), upto((cols_ - 1 - col) / along + 1),
                           down * cols_, along));
    }

private:
    operand turned(operand o)
    {
        if (o.rows * o.cols > 0 && upto(1) > 0) o.offset += (o.rows - 1) * o.ld, o.ld = 0 - o.ld;
        if (o.rows * o.cols > 0 && upto(1) > 0) o.offset += (o.cols - 1) * o.stride, o.stride = 0 - o.stride;
        return o;
    }
    operand row_part(std::size_t row)
    {
        const std::size_t first = upto(cols_ - 1), n = upto(cols_ - first);
        return part(row * cols_ + first, 1, n, n, 1);
    }
    std::size_t upto(std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random_); }

    std::mt19937 random_{7};
    std::size_t rows_ = 5, cols_ = 7;
};

} // namespace

TEST_CASE("parts that share an element are never told apart", "[overlap]")
{
    parts_of_matrix parts;
    std::size_t wrong = 0, disjoint = 0;
    for (int k = 0; k < 200'000; ++k) {
        const operand a = parts.strided(), b = k % 2 ? parts.strided() : parts.any();
        wrong += !may_overlap(a, b) && do_overlap(a, b);
        disjoint += !may_overlap(a, b);
    }
    CHECK(wrong == 0);
    CHECK(disjoint > 50'000);
}

TEST_CASE("rows, columns and rectangles of a matrix: exactly", "[overlap]")
{
    parts_of_matrix parts;
    std::size_t wrong = 0, overlapping = 0;
    for (int k = 0; k < 200'000; ++k) {
        const operand a = parts.any(), b = parts.any();
        // Rows that a vector goes on through are no rectangle.
        const auto through = [](const operand& o) { return o.rows == 1 && o.stride == 1 && o.offset % 7 + o.cols > 7; };
        const bool may = may_overlap(a, b), do_so = do_overlap(a, b);
        wrong += through(a) || through(b) ? do_so && !may : may != do_so;
        overlapping += do_so;
    }
    CHECK(wrong == 0);
    CHECK(overlapping > 20'000);
}

TEST_CASE("rows and columns with steps: never told apart when they share, mostly when they do not", "[overlap]")
{
    parts_of_matrix parts;
    std::size_t wrong = 0, disjoint = 0, told = 0;
    for (int k = 0; k < 200'000; ++k) {
        const operand a = parts.stepped(), b = k % 2 ? parts.stepped() : parts.any();
        wrong += !may_overlap(a, b) && do_overlap(a, b);
        disjoint += !do_overlap(a, b);
        told += !may_overlap(a, b);
    }
    CHECK(wrong == 0);
    CHECK(told > disjoint / 10 * 9);
}

TEST_CASE("even and odd elements share nothing", "[overlap]")
{
    CHECK(!may_overlap(part(0, 1, 10, 20, 2), part(1, 1, 10, 20, 2)));
    CHECK(may_overlap(part(0, 1, 10, 20, 2), part(4, 1, 10, 20, 2)));
    CHECK(!may_overlap(part(0, 1, 10, 20, 2), part(3, 1, 4, 16, 4)));
    CHECK(may_overlap(part(0, 1, 10, 40, 4), part(6, 1, 10, 60, 6)));
    CHECK(!may_overlap(part(0, 1, 10, 40, 4), part(5, 1, 10, 60, 6)));
}

TEST_CASE("a call writes in place what shares nothing with its operands", "[overlap]")
{
    skelrt::detail::storage matrix, other;
    const auto of = [](skelrt::detail::storage& s, operand o) {
        o.data = &s;
        return o;
    };
    const operand row0 = part(0, 1, 10, 10, 1), row2 = part(20, 1, 10, 10, 1), shifted = part(5, 1, 10, 10, 1);
    skelrt::detail::recipe r;
    r.slots.resize(3);
    for (auto& s : r.slots) s = {skelrt::detail::slot_kind::element, "int", 4, 4};
    const auto may = [&](const operand& a, const operand& b, const operand& result) {
        const operand all[] = {of(matrix, a), of(matrix, b), of(matrix, result)};
        return may_write_in_place(r, all, all[2]);
    };
    CHECK(may(row2, row2, row0));
    CHECK(may(row2, row0, row0)); // the very same elements
    CHECK(!may(row2, shifted, row0));
    r.slots[1].kind = skelrt::detail::slot_kind::vec;
    CHECK(!may(row2, row2, row0)); // a tile that others write, too
    const operand all[] = {of(matrix, row2), of(other, row0), of(matrix, row0)};
    CHECK(may_write_in_place(r, all, all[2]));
}
