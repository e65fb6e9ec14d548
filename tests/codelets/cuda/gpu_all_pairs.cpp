// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "device.hpp"
#include "types.hpp"

using namespace recipes;
using device::buffer;

namespace
{

const auto times = USER_FUNCTION((auto a, auto b) { return a * b; });
const auto add = USER_FUNCTION((auto a, auto b) { return a + b; });
// x -> factor * x + offset, the factor in the upper half, one behind the other: associative, and the order tells.
const auto line = USER_FUNCTION((auto a, auto b) { return (2 * a + 3) * (1 << 4 * sizeof a) + 7 * b + 100; });
const auto behind = USER_FUNCTION((auto f, auto g) {
    const int half = 4 * sizeof f, mask = (1 << half) - 1, factor = f >> half;
    return (factor * (g >> half) << half) | ((factor * (g & mask) + (f & mask)) & mask);
});

template <class T>
struct side {
    std::vector<T> values;
    std::size_t length;    ///< elements of a row
    std::size_t near, far; ///< steps along a row and from row to row
    std::size_t shift = 0; ///< off the best alignment
    T at(std::size_t row, std::size_t k) const { return values[row * far + k * near]; }
};

template <class T>
side<T> rows_of(std::size_t rows, std::size_t depth, std::size_t pad, unsigned seed)
{
    side<T> s{std::vector<T>(rows * (depth + pad)), depth, 1, depth + pad};
    for (std::size_t i = 0; i < s.values.size(); ++i) s.values[i] = static_cast<T>((i * seed) % 11) - T{5};
    return s;
}

template <class T>
side<T> transposed(const side<T>& from, std::size_t rows)
{
    side<T> s{std::vector<T>(rows * from.length), from.length, rows, 1};
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < from.length; ++k) s.values[k * rows + r] = from.at(r, k);
    return s;
}

/// In front of each result comes `start`, if it is not null: as a start value, or as what the result holds.
template <class T, class Zip, class Op>
void check(const Zip& zip, const Op& op, const side<T>& a, const side<T>& b, std::size_t rows, std::size_t cols,
           const T* start, bool begun = false, unsigned block = 0)
{
    builder what(skeleton::all_pairs, "all pairs");
    what.slots({slot<T>(slot_kind::row_vec), slot<T>(slot_kind::column_vec), element<T>()})
        .template call<T>(zip, {operand(0), operand(1)})
        .combine(op)
        .template result<T>();
    const std::size_t depth = a.length, upper = rows / 3 / 4 * 4;
    const buffer<T> x(a.values, a.shift), y(b.values, b.shift), z(rows * cols, begun ? *start : T{});
    const slot_view right = device::matrix(y.data(), cols, depth, b.near, b.far);
    const auto left = [&](std::size_t first, std::size_t count) {
        return device::matrix(x.data() + first * a.far, count, depth, a.far, a.near);
    };
    const std::vector<segment> segments{{upper, cols, 0, 0}, {rows - upper, cols, upper, 0}};
    const std::vector<slot_view> slots{left(0, upper),
                                       right,
                                       device::matrix(z.data(), upper, cols, cols),
                                       left(upper, rows - upper),
                                       right,
                                       device::matrix(z.data() + upper * cols, rows - upper, cols, cols)};
    work w{what.get(), true, cols, segments, slots};
    w.depth = depth;
    w.start = begun ? nullptr : start;
    w.begun = begun;
    w.block = block;
    cuda::launch(w, nullptr);
    const auto got = z.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            const auto pair = [&](std::size_t k) { return static_cast<T>(zip.call(a.at(i, k), b.at(j, k))); };
            T v = start ? static_cast<T>(op.call(*start, pair(0))) : pair(0);
            for (std::size_t k = 1; k < depth; ++k) v = static_cast<T>(op.call(v, pair(k)));
            wrong += got[i * cols + j] != v;
        }
    CHECK(wrong == 0);
}

template <class T>
void check_all(std::size_t rows, std::size_t cols, std::size_t depth)
{
    CAPTURE(rows, cols, depth);
    const T start = 2;
    for (const std::size_t pad : {0, 4, 1})
        for (const std::size_t shift : {0, 1}) {
            auto a = rows_of<T>(rows, depth, pad, 7), b = rows_of<T>(cols, depth, pad, 5);
            a.shift = shift;
            check<T>(times, add, a, b, rows, cols, nullptr);
            check<T>(times, add, a, transposed(b, cols), rows, cols, &start);
            check<T>(times, add, a, b, rows, cols, &start, true);
        }
}

} // namespace

TEST_CASE("all pairs: sizes, alignments, either orientation", "[cuda][gpu]")
{
    for (const std::size_t rows : {1, 64, 131, 256})
        for (const std::size_t cols : {1, 4, 128, 260})
            for (const std::size_t depth : {1, 4, 8, 21, 64}) {
                check_all<float>(rows, cols, depth);
                check_all<double>(rows, cols, depth);
            }
}

TEST_CASE("all pairs: blocks of any size", "[cuda][gpu]")
{
    const float start = 2;
    for (const unsigned block : {32, 64, 128, 512, 1024})
        for (const std::size_t depth : {1, 21, 64}) {
            CAPTURE(block, depth);
            const auto a = rows_of<float>(131, depth, 3, 7), b = rows_of<float>(260, depth, 0, 5);
            check<float>(times, add, a, b, 131, 260, nullptr, false, block);
            check<float>(times, add, a, transposed(b, 260), 131, 260, &start, true, block);
            const auto c = rows_of<int>(130, depth, 0, 7), d = rows_of<int>(67, depth, 0, 5);
            check<int>(line, behind, c, d, 130, 67, nullptr, false, block);
        }
}

TEST_CASE("all pairs: small and odd types, deep rows, the order of a loop", "[cuda][gpu]")
{
    const int start = 17 + 5 * 65536;
    for (const std::size_t depth : {50, 128, 129, 5000}) {
        const auto a = rows_of<int>(130, depth, 0, 7), b = rows_of<int>(67, depth, 0, 5);
        check<int>(line, behind, a, b, 130, 67, nullptr);
        check<int>(line, behind, a, transposed(b, 67), 130, 67, &start);
        check<int>(line, behind, a, transposed(b, 67), 130, 67, &start, true);
    }
    const auto c = rows_of<short>(130, 300, 0, 7), d = rows_of<short>(67, 300, 0, 5);
    check<short>(line, behind, c, d, 130, 67, nullptr);
    const auto e = rows_of<signed char>(33, 9, 0, 7), f = rows_of<signed char>(34, 9, 0, 5);
    check<signed char>(times, add, e, f, 33, 34, nullptr);
}
