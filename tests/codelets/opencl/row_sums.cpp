// SPDX-License-Identifier: BSD-3-Clause
#include "../sparse/products.hpp"
#include "device.hpp"

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;

namespace
{

/// In segments of such numbers of rows in turn.
template <class T>
void check_product(const std::vector<std::size_t>& lengths, std::size_t cols, bool fused,
                   const std::vector<std::size_t>& sizes)
{
    const bool matrix = cols != 0;
    const std::size_t width = std::max<std::size_t>(cols, 1), columns = 3001, rows = lengths.size();
    CAPTURE(rows, cols, fused, sizes.size());
    recipes::builder b(skeleton::map, "product");
    products::describe<T>(b, matrix, fused);
    const products::sparse_matrix<T> a(lengths, columns);
    const auto x = products::small_numbers<T>(columns * width, 5), z = products::small_numbers<T>(rows * width, 3);
    const on_device<std::uint64_t> begin(a.begin, 1);
    const on_device<std::uint32_t> column(a.column, 3);
    const on_device<T> value(a.value, 2), dx(x), dz(z, 1), dy(std::vector<T>(rows * width, T(99)));
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    for (std::size_t first = 0, k = 0; first < rows; ++k) {
        const std::size_t size = std::min(rows - first, sizes[k % sizes.size()]);
        const auto part = [&](const on_device<T>& all) {
            return matrix ? all.view(size, cols, cols, 1, first * cols) : all.view(1, size, size, 1, first);
        };
        segments.push_back(matrix ? segment{size, cols, first, 0} : segment{1, size, 0, first});
        slots.insert(slots.end(), {begin.row(), column.row(), value.row()});
        slots.push_back(matrix ? dx.view(columns, cols, cols) : dx.row());
        if (fused) slots.push_back(part(dz));
        slots.push_back(part(dy));
        first += size;
    }
    run({b.get(), matrix, matrix ? cols : rows, segments, slots});
    CHECK((dy.read() == a.product(x, width, fused ? z : std::vector<T>{})));
}

} // namespace

TEMPLATE_TEST_CASE("sums of a sparse matrix's rows, whatever these are like", "[opencl][map]", double, int)
{
    for (const auto& lengths : products::all_kinds_of_rows())
        for (const bool fused : {false, true})
            for (const std::size_t cols : {0, 3, 20}) {
                check_product<TestType>(lengths, cols, fused, {lengths.size()});
                check_product<TestType>(lengths, cols, fused, {1, 700, 5000});
            }
}
