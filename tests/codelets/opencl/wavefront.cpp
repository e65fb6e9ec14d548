// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <skelrt/before.hpp>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
namespace sk = skelrt;

namespace
{

const auto mix = SKELRT_FN((sk::index2 at, sk::before2<int> d, int x) {
    return (d.left() + 2 * d.above() - d.diagonal() + x + (int)(3 * at.row + at.col)) % 1000;
});

/// Slots: the corner or what lies all around, an operand, the edges if there are any, the result.
void describe(recipe& r, bool edges)
{
    r.kind = skeleton::wavefront;
    r.name = "test";
    r.has_edges = edges;
    r.slots = {slot<int>(slot_kind::uniform, "int"), slot<int>(slot_kind::element, "int")};
    for (int k = 0; edges && k < 2; ++k) r.slots.push_back(slot<int>(slot_kind::vec, "int"));
    r.slots.push_back(slot<int>(slot_kind::element, "int"));
    r.calls.push_back({&mix.source(),
                       "int",
                       sizeof(int),
                       {{argument_kind::index2, 0}, {argument_kind::before, 0}, {argument_kind::slot, 1}}});
    r.root = {argument_kind::call, 0};
    r.result = "int";
    r.result_size = sizeof(int);
    r.result_align = alignof(int);
}

int number(std::size_t i, int seed) { return static_cast<int>(i * 7919 + static_cast<std::size_t>(seed)) % 97; }

std::vector<int> numbers(std::size_t n, int seed)
{
    std::vector<int> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(number(i, seed));
    return all;
}

} // namespace

TEST_CASE("a wavefront through several segments, amid one value and within edges", "[opencl][wavefront]")
{
    const bool edges = GENERATE(false, true);
    const std::vector<std::size_t> heights =
        GENERATE(std::vector<std::size_t>{1}, std::vector<std::size_t>{300}, std::vector<std::size_t>{5, 70, 1, 129});
    const std::size_t cols = GENERATE(1, 63, 64, 200);
    CAPTURE(edges, heights, cols);
    recipe r;
    describe(r, edges);
    std::size_t rows = 0;
    for (const std::size_t n : heights) rows += n;
    const int corner = 13;
    const auto x = numbers(rows * cols, 1);
    const auto above = edges ? numbers(cols, 2) : std::vector<int>(cols, corner);
    const auto left = edges ? numbers(rows, 3) : std::vector<int>(rows, corner);
    const std::size_t ld = cols + 3;
    const on_device<int> operand(x, 2), top(above, 1), side(left), result(std::vector<int>(rows * ld, -1), 5);
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    for (std::size_t row = 0; const std::size_t n : heights) {
        segments.push_back({n, cols, row, 0});
        slots.push_back({const_cast<int*>(&corner), 0, 1, 1, 1, 1});
        slots.push_back(operand.view(n, cols, cols, 1, row * cols));
        if (edges) slots.insert(slots.end(), {top.row(), side.row()});
        slots.push_back(result.view(n, cols, ld, 1, row * ld));
        row += n;
    }
    run({r, true, cols, segments, slots});

    std::vector<int> expected(rows * ld, -1);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            const int before = j > 0 ? expected[i * ld + j - 1] : left[i];
            const int over = i > 0 ? expected[(i - 1) * ld + j] : above[j];
            const int between = i > 0 && j > 0 ? expected[(i - 1) * ld + j - 1]
                                : i > 0        ? left[i - 1]
                                : j > 0        ? above[j - 1]
                                               : corner;
            expected[i * ld + j] = mix(sk::index2{i, j}, sk::before2<int>(before, over, between), x[i * cols + j]);
        }
    CHECK(result.read() == expected);
}
