// SPDX-License-Identifier: BSD-3-Clause
#include "../sparse/products.hpp"
#include "device.hpp"

#include "codelets/cuda/launch/launchers.hpp"

using skelrt::detail::skeleton;

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
    const device::buffer<std::uint64_t> begin(a.begin);
    const device::buffer<std::uint32_t> column(a.column);
    const device::buffer<T> value(a.value), dx(x), dz(z), dy(rows * width, T(99));
    device::call c(b.get(), matrix ? cols : rows, matrix);
    for (std::size_t first = 0, k = 0; first < rows; ++k) {
        const std::size_t size = std::min(rows - first, sizes[k % sizes.size()]);
        const auto part = [&](T* data) {
            return matrix ? device::matrix(data + first * cols, size, cols, cols) : device::flat(data + first, size);
        };
        const device::slot_view views[] = {
            device::flat(begin.data(), a.begin.size()), device::flat(column.data(), a.column.size()),
            device::flat(value.data(), a.value.size()),
            matrix ? device::matrix(dx.data(), columns, cols, cols) : device::flat(dx.data(), columns)};
        const device::segment where =
            matrix ? device::segment{size, cols, first, 0} : device::segment{1, size, 0, first};
        if (fused) c.add(where, {views[0], views[1], views[2], views[3], part(dz.data()), part(dy.data())});
        else c.add(where, {views[0], views[1], views[2], views[3], part(dy.data())});
        first += size;
    }
    c.run();
    CHECK((dy.read() == a.product(x, width, fused ? z : std::vector<T>{})));
}

} // namespace

TEMPLATE_TEST_CASE("sums of a sparse matrix's rows, whatever these are like", "[cuda][gpu]", double, float, int, short)
{
    for (const auto& lengths : products::all_kinds_of_rows())
        for (const bool fused : {false, true})
            for (const std::size_t cols : {0, 1, 3, 16, 20}) {
                check_product<TestType>(lengths, cols, fused, {lengths.size()});
                check_product<TestType>(lengths, cols, fused, {1, 700, 5000});
            }
}

TEST_CASE("they have a kernel of their own", "[cuda][gpu]")
{
    recipes::builder b(skeleton::map, "product");
    products::describe<double>(b, false, true);
    CHECK(skelrt::detail::cuda::program_for(b.get()).row_sums != nullptr);
}
