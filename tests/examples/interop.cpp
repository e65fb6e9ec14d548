// SPDX-License-Identifier: BSD-3-Clause
/// The code of docs/interop.md that needs no GPU, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#if EXAMPLE_HAS_EIGEN
#include <Eigen/Core>
#endif

namespace sk = skelrt;

namespace
{

const auto twice = sk::map(SKELRT_FN((double v) { return 2 * v; }));

void borrowed_memory()
{
    std::vector<double> mine(1000, 1.0);
    {
        sk::vector<double> x(sk::borrow, mine.data(), mine.size()); // no copy
        x = twice(x);
        sk::task([](std::span<double> part) { part[0] = 7; }, sk::inout(x.range(500, 10)));
    } // waits: the results are in `mine`
    expect(mine[0] == 2 && mine[500] == 7, "borrowed memory");
}

/// What some library offers.
double norm1(const double* x, int n) { return std::accumulate(x, x + n, 0.0); }

void host_views()
{
    sk::vector<double> x(1000, 1.0);
    x = twice(x);
    {
        const auto h = sk::host_read(x); // waits for x, and brings it to the host
        const std::span<const double> all(h);
        expect(norm1(h.data(), static_cast<int>(h.size())) == 2000, "a library on a host view");
        expect(std::ranges::max(all) == 2, "a std::span on a host view");
    } // calls and tasks may write x again
}

void libraries_in_tasks()
{
    sk::vector<double> x(1000, 1.0);
    sk::scalar<double> n;
    sk::task([](std::span<const double> v, double& to) { to = norm1(v.data(), static_cast<int>(v.size())); }, sk::in(x),
             sk::out(n));
    expect(n.get() == 1000, "a library in a task");
}

template <class T>
struct grid { // as std::mdspan with std::layout_stride
    T* data;
    std::array<std::size_t, 2> extents, strides;
    T& operator()(std::size_t i, std::size_t j) const
    {
        return data[static_cast<std::ptrdiff_t>(i * strides[0] + j * strides[1])];
    }
    grid transposed() const { return {data, {extents[1], extents[0]}, {strides[1], strides[0]}}; }
};
template <class T>
grid<T> grid_on(const sk::host_matrix<T>& h)
{
    return {h.data(), {h.rows(), h.cols()}, {h.cols(), 1}};
}
template <class T>
grid<T> grid_on(const sk::host_block<T>& h)
{
    return {h.data(), {h.rows(), h.cols()}, {h.ld(), h.stride()}};
}

/// What some library offers for whatever has two indices.
template <class Matrix>
double row_sum(const Matrix& m, std::size_t i)
{
    double sum = 0;
    for (std::size_t j = 0; j < m.extents[1]; ++j) sum += m(i, j);
    return sum;
}

void grids_on_views()
{
    sk::matrix<double> m(20, 30, 1.0);
    m = twice(m);
    expect(row_sum(grid_on(sk::host_read(m)), 19) == 60, "a grid on a host view");
    {
        const auto h = sk::host(m.sub(2, 3, 10, 20));
        const grid part = grid_on(h), turned = part.transposed();
        turned(19, 0) = 5; // row 2, column 22 of m
        expect(row_sum(part, 0) == 43 && row_sum(turned, 19) == 23, "a grid on a part");
    }
    {
        const auto h = sk::host_read(m);
        expect(row_sum(grid_on(h), 2) == 63 && h(2, 22) == 5, "what was written by a grid");
    }
}

#if EXAMPLE_HAS_EIGEN
using rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void eigen_on_views()
{
    sk::matrix<double> m(20, 30, 1.0);
    {
        const auto h = sk::host(m);
        Eigen::Map<rows> e(h.data(), static_cast<Eigen::Index>(h.rows()), static_cast<Eigen::Index>(h.cols()));
        e.row(3) *= 5;
    }
    expect(sk::host_read(m)(3, 29) == 5, "Eigen on a host view");
}

template <class T>
auto map_of(sk::block<T> b)
{
    using matrix = std::conditional_t<std::is_const_v<T>, const rows, rows>;
    const auto index = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
    return Eigen::Map<matrix, 0, Eigen::OuterStride<>>(b.data(), index(b.rows()), index(b.cols()),
                                                       Eigen::OuterStride<>(index(b.ld())));
}

void eigen_in_tasks()
{
    sk::matrix<double> a(40, 40, 1.0), c(40, 40, 0.0);
    sk::task([](sk::block<const double> x, sk::block<double> y) { map_of(y).noalias() = map_of(x) * map_of(x); },
             sk::in(a.sub(0, 0, 20, 20)), sk::out(c.sub(20, 20, 20, 20)));
    expect(sk::host_read(c)(39, 39) == 20, "Eigen on blocks with gaps between rows");
}
#else
void eigen_on_views() {}
void eigen_in_tasks() {}
#endif

} // namespace

int main()
{
    const sk::runtime rt;
    borrowed_memory();
    host_views();
    libraries_in_tasks();
    grids_on_views();
    eigen_on_views();
    eigen_in_tasks();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
