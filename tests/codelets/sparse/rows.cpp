// SPDX-License-Identifier: BSD-3-Clause
#include "products.hpp"

#include "codelets/sparse/row_blocks.hpp"
#include "src/function/own/row_sum.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace skelrt::detail;

namespace
{

struct product : recipes::builder {
    product(bool matrix, bool fused) : builder(skeleton::map, "product")
    {
        products::describe<double>(*this, matrix, fused);
    }
};

/// A call over rows of such lengths in segments of such numbers of rows; operands but the first have no memory.
struct call_over_rows {
    product described;
    products::sparse_matrix<double> a;
    std::size_t cols;
    std::vector<segment> segments;
    std::vector<slot_view> slots;

    /// No columns: the product of a vector.
    call_over_rows(const std::vector<std::size_t>& lengths, std::size_t columns, const std::vector<std::size_t>& sizes)
        : described(columns > 0, false), a(lengths, 10), cols(columns)
    {
        std::size_t first = 0;
        for (const std::size_t n : sizes) {
            segments.push_back(cols > 0 ? segment{n, cols, first, 0} : segment{1, n, 0, first});
            slots.push_back({a.begin.data(), 0, 1, a.begin.size(), a.begin.size(), 1});
            slots.push_back({nullptr, 0, 1, a.column.size(), a.column.size(), 1});
            slots.push_back({nullptr, 0, 1, a.value.size(), a.value.size(), 1});
            slots.insert(slots.end(), 2, slot_view{});
            first += n;
        }
    }
    work what() const { return {described.get(), cols > 0, cols > 0 ? cols : a.rows(), segments, slots}; }
    row_sum sum() const { return *row_sum_of(described.get()); }
};

} // namespace

TEST_CASE("products of sparse matrices are found in maps", "[sparse]")
{
    for (const bool matrix : {false, true})
        for (const bool fused : {false, true}) {
            const auto found = row_sum_of(product(matrix, fused).get());
            REQUIRE(found);
            CHECK(found->call == 0);
            CHECK((found->row_begin == 0 && found->column == 1 && found->value == 2 && found->x == 3));
            CHECK(found->matrix == matrix);
        }
    const product twice(false, false), reduced(false, false);
    recipes::builder flags(skeleton::map, "bools");
    auto& calls = const_cast<recipe&>(twice.get()).calls;
    calls.push_back(calls[0]);
    const_cast<recipe&>(reduced.get()).kind = skeleton::reduce;
    products::describe<bool>(flags, false, false);
    CHECK_FALSE(row_sum_of(twice.get()));
    CHECK_FALSE(row_sum_of(reduced.get()));
    CHECK_FALSE(row_sum_of(flags.get()));
}

TEST_CASE("rows that end within so many items", "[sparse]")
{
    const std::vector<std::uint64_t> begin{7, 9, 9, 12}; // rows of 2, 0 and 3 entries: 3, 1 and 4 items
    std::vector<std::size_t> found;
    for (std::size_t item = 0; item <= 8; ++item) found.push_back(sparse::row_at(begin.data(), 3, item));
    CHECK(found == std::vector<std::size_t>{0, 0, 0, 1, 2, 2, 2, 2, 3});
    CHECK(sparse::row_at(begin.data(), 0, 5) == 0);
}

TEST_CASE("shares have whole rows, all of them, and about as many entries", "[sparse]")
{
    const std::size_t cols = GENERATE(0, 3), shares = GENERATE(1, 2, 7, 100);
    for (const auto& lengths : products::all_kinds_of_rows()) {
        const std::size_t half = lengths.size() / 2;
        const call_over_rows c(lengths, cols, {half, 0, lengths.size() - half});
        const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
        const std::size_t all = c.a.begin.back() + lengths.size(), width = std::max<std::size_t>(cols, 1);
        std::size_t before = 0;
        bool even = true;
        for (std::size_t k = 0; k <= shares; ++k) {
            const std::size_t first = sparse::share_begin(c.what(), c.sum(), k, shares);
            REQUIRE(first % width == 0);
            REQUIRE(first / width >= before);
            REQUIRE(first / width <= lengths.size());
            const std::size_t row = first / width;
            even = even && c.a.begin[row] - c.a.begin[before] + row - before <= all / shares + longest + 2;
            before = row;
            if (k == 0) CHECK(first == 0);
        }
        CHECK(even);
        CHECK(before == lengths.size());
    }
}

TEST_CASE("columns of a block: all of a few, else powers of two that leave few threads idle", "[sparse]")
{
    const auto widths = [](std::initializer_list<std::size_t> cols) {
        std::vector<std::size_t> all;
        for (const std::size_t n : cols) all.push_back(sparse::block_width(n));
        return all;
    };
    CHECK(widths({1, 2, 3, 4, 5, 7, 8, 16}) == std::vector<std::size_t>{1, 2, 4, 4, 4, 8, 8, 16});
    CHECK(widths({17, 20, 24, 32, 100}) == std::vector<std::size_t>{4, 8, 8, 16, 16});
}

TEST_CASE("blocks for as many items as a tile holds on average", "[sparse]")
{
    const call_over_rows even(std::vector<std::size_t>(17'920, 15), 0, {17'920});
    const sparse::row_blocks one = sparse::row_blocks_for(even.what(), even.sum(), 2048);
    CHECK((one.width == 1 && one.across == 1 && one.items == 1792 && one.down == 160));
    const call_over_rows wide(std::vector<std::size_t>(1792, 15), 32, {792, 1000});
    const sparse::row_blocks many = sparse::row_blocks_for(wide.what(), wide.sum(), 2048);
    CHECK((many.width == 16 && many.across == 2 && many.items == 112 && many.down == 143));
    const call_over_rows empty({0}, 0, {1});
    CHECK(sparse::row_blocks_for(empty.what(), empty.sum(), 2048).down == 1);
}

TEST_CASE("long rows are cut into pieces", "[sparse]")
{
    const auto begins = [](const std::vector<std::size_t>& lengths) {
        std::vector<std::uint64_t> all{0};
        for (const std::size_t n : lengths) all.push_back(all.back() + n);
        return all;
    };
    CHECK(pieces_of({0}).begin.empty());
    CHECK(pieces_of(begins({4096, 0, 4096})).begin.empty());
    const row_pieces cut = pieces_of(begins({3, 4097, 0, 10'000}));
    CHECK(cut.begin == std::vector<std::uint64_t>{0, 3, 4099, 4100, 4100, 8196, 12'292, 14'100});
    CHECK(cut.first_piece == std::vector<std::uint64_t>{0, 1, 3, 4, 7});
    const row_pieces one = pieces_of({0, std::uint64_t{1} << 40}); // as many pieces as occupy a device
    CHECK(one.begin.size() == 4097);
    CHECK(one.first_piece == std::vector<std::uint64_t>{0, 4096});
}
