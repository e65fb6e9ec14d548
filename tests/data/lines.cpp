// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/lines.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace skelrt::detail;

namespace
{

/// Views of containers that are dealt out, as operands of calls.
class random_operands
{
public:
    struct one {
        line_operand operand;
        std::size_t lines;
    };

    one next(unsigned ranks)
    {
        const bool matrix = number(0, 1);
        const std::size_t rows = number(1, 80), cols = matrix ? number(1, 9) : 1;
        const parting* const dealt =
            intern(matrix ? balanced(rows, cols, true, ranks) : balanced(1, rows, false, ranks));
        const std::size_t first = number(0, rows - 1);
        switch (number(0, 3)) {
        case 0: // a row, as a vector
            return {{dealt, first * cols, 1}, cols};
        case 1: // a column, or rows of a rectangle
            return {{dealt, first * cols + number(0, cols - 1), cols}, number(1, rows - first)};
        case 2: // all
            return {{dealt, 0, cols}, rows};
        default: // every rank has it
            return {{nullptr, first, cols}, number(1, rows)};
        }
    }
    std::size_t number(std::size_t least, std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>(least, most)(source_);
    }

private:
    std::mt19937 source_{11};
};

bool holds(const line_operand& o, unsigned rank, std::size_t line)
{
    if (!o.dealt) return true;
    const std::size_t element = o.offset + line * o.step, cols = o.dealt->cols.extent;
    return o.dealt->owner(element / cols, element % cols) == rank;
}

} // namespace

TEST_CASE("A rank has the lines whose elements it holds")
{
    random_operands operands;
    for (int round = 0; round < 10000; ++round) {
        const auto ranks = static_cast<unsigned>(operands.number(1, 64));
        const auto [o, lines] = operands.next(ranks);
        bool right = true;
        for (unsigned rank = 0; rank < ranks; ++rank) {
            const position_run mine = lines_at(o, lines, rank);
            for (std::size_t line = 0; line < lines; ++line)
                right = right && holds(o, rank, line) == (line >= mine.first && line < mine.end());
        }
        CAPTURE(ranks, o.offset, o.step, lines);
        REQUIRE(right);
    }
}

TEST_CASE("Operands are aligned where no rank needs another's elements")
{
    random_operands operands;
    int aligned = 0, dealt = 0;
    for (int round = 0; round < 10000; ++round) {
        const auto ranks = static_cast<unsigned>(operands.number(1, 16));
        auto [guide, lines] = operands.next(ranks);
        auto [o, others] = operands.next(ranks);
        lines = std::min(lines, others);
        bool wanted = true;
        for (unsigned rank = 0; rank < ranks; ++rank) {
            const position_run mine = lines_at(guide, lines, rank);
            for (std::size_t line = mine.first; line < mine.end(); ++line) wanted = wanted && holds(o, rank, line);
        }
        CAPTURE(ranks, guide.offset, guide.step, o.offset, o.step, lines);
        REQUIRE(is_aligned(o, guide, lines, ranks) == wanted);
        aligned += wanted && o.dealt;
        dealt += o.dealt != nullptr;
    }
    CHECK(aligned > 100);
    CHECK(dealt - aligned > 100);
}

TEST_CASE("The first rank that has lines has the first of them")
{
    random_operands operands;
    for (int round = 0; round < 1000; ++round) {
        const auto ranks = static_cast<unsigned>(operands.number(1, 16));
        const auto [o, lines] = operands.next(ranks);
        const position_run first = lines_at(o, lines, first_with_lines(o, lines, ranks));
        CHECK(first.first == 0);
        CHECK(first.count > 0);
    }
}
