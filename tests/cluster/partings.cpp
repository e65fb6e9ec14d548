// SPDX-License-Identifier: BSD-3-Clause
/// Containers that are dealt out to ranks in grids, in turn, and as copies, against plain references: partings FOLDER,
/// under mpirun. Exit code 0 if all is as it should be.

#include "tests/cluster/dealt.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sk = skelrt;
using namespace test;

namespace
{

int value_at(std::size_t row, std::size_t col) { return static_cast<int>(row * 1000 + col); }

const auto number = sk::generate(SKELRT_FN((sk::index2 i) { return (int)(i.row * 1000 + i.col); }));
const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));

sk::matrix<int> numbered(std::size_t rows, std::size_t cols) { return number(sk::shape(rows, cols)); }

template <class View>
bool shows(const View& h, const std::function<int(std::size_t, std::size_t)>& wanted)
{
    for (std::size_t r = 0; r < h.rows(); ++r)
        for (std::size_t c = 0; c < h.cols(); ++c)
            if (h(r, c) != wanted(r, c)) return false;
    return true;
}

/// On the host, all of it.
bool shows_all(const sk::matrix<int>& m, const std::function<int(std::size_t, std::size_t)>& wanted)
{
    return shows(sk::host_read(m), wanted);
}

/// What lies here: each rank looks at its part, and waits for no other.
bool holds(const sk::matrix<int>& m, const std::function<int(std::size_t, std::size_t)>& wanted)
{
    const auto here = sk::local(m);
    return shows(here, [&](std::size_t r, std::size_t c) { return wanted(here.row_number(r), here.column_number(c)); });
}

void views(sk::matrix<int> m, const std::string& how)
{
    expect(shows_all(m, value_at), how + ": the whole");
    expect(holds(m, value_at), how + ": what lies here");
    if (const auto h = sk::host_at(sk::ranks() - 1, m)) expect(shows(*h, value_at), how + ": the whole on one rank");
    const sk::matrix<int> copied = m;
    {
        auto h = sk::host(m);
        for (std::size_t r = 0; r < m.rows(); ++r)
            for (std::size_t c = 0; c < m.cols(); ++c) h(r, c) += 1;
    }
    expect(shows_all(m, [](auto r, auto c) { return value_at(r, c) + 1; }), how + ": changed by the host");
    {
        auto h = sk::host_write(m);
        for (std::size_t r = 0; r < m.rows(); ++r)
            for (std::size_t c = 0; c < m.cols(); ++c) h(r, c) = -value_at(r, c);
    }
    expect(shows_all(m, [](auto r, auto c) { return -value_at(r, c); }), how + ": written by the host");
    {
        auto here = sk::local(m);
        for (std::size_t r = 0; r < here.rows(); ++r)
            for (std::size_t c = 0; c < here.cols(); ++c)
                here(r, c) = value_at(here.row_number(r), here.column_number(c));
    }
    expect(shows_all(m, value_at), how + ": written by parts");
    expect(shows_all(copied, value_at), how + ": a copy stays");
    expect(holds(copied, value_at), how + ": a copy lies as the original");
    m.resize(m.rows() + 2, m.cols() / 2, 7);
    const std::size_t rows = copied.rows();
    expect(shows_all(m, [&](auto r, auto c) { return r < rows ? value_at(r, c) : 7; }), how + ": resized");
}

void files(const sk::matrix<int>& m, const std::string& how, const std::string& start)
{
    const std::string file = start + "partings.npy";
    sk::write(m, file);
    sk::matrix<int> other(m.rows(), m.cols(), 0);
    sk::read(other, file);
    expect(holds(other, value_at), how + ": written to a file");
    other = twice(other);
    sk::distribute(other, sk::distribution::grid().cyclic(1, 2));
    sk::read(other, file);
    expect(holds(other, value_at), how + ": read from a file");
    sk::barrier();
}

void calls(sk::matrix<int> m, const std::string& how)
{
    const std::size_t rows = m.rows(), cols = m.cols();
    m = twice(m);
    expect(holds(m, [](auto r, auto c) { return 2 * value_at(r, c); }), how + ": a map in place");
    const sk::matrix<int> other = numbered(rows, cols);
    m = add(m, other);
    expect(holds(m, [](auto r, auto c) { return 3 * value_at(r, c); }), how + ": a map with rows");
    m = number(sk::shape(rows, cols));
    expect(holds(m, value_at), how + ": generated");
    const sk::matrix<int> fresh = twice(add(m, m));
    expect(holds(fresh, [](auto r, auto c) { return 4 * value_at(r, c); }), how + ": a new result");
    long long sum = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) sum += value_at(r, c);
    const auto wide = sk::map(SKELRT_FN((int v) { return (long long)v; }));
    expect(static_cast<long long>(sk::reduce(sk::plus, 0LL)(wide(m))) == sum, how + ": a sum");
    const sk::vector<int> by_row = sk::reduce(sk::maximum).by_row(m), by_column = sk::reduce(sk::maximum).by_column(m);
    {
        const auto r = sk::host_read(by_row);
        const auto c = sk::host_read(by_column);
        expect(r[rows - 1] == value_at(rows - 1, cols - 1) && r[0] == value_at(0, cols - 1), how + ": by row");
        expect(c[cols - 1] == value_at(rows - 1, cols - 1) && c[0] == value_at(rows - 1, 0), how + ": by column");
    }
    const sk::matrix<int> turned = sk::transpose(m);
    expect(holds(turned, [](auto r, auto c) { return value_at(c, r); }), how + ": transposed");
    m.row(0) = twice(m.row(rows - 1));
    expect(holds(m, [&](auto r, auto c) { return r == 0 ? 2 * value_at(rows - 1, c) : value_at(r, c); }),
           how + ": a row");
    m = number(sk::shape(rows, cols));
    m.column(cols - 1) = twice(m.column(0));
    expect(holds(m, [&](auto r, auto c) { return c == cols - 1 ? 2 * value_at(r, 0) : value_at(r, c); }),
           how + ": a column");
    m = number(sk::shape(rows, cols));
    const auto below = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(1, 0); }), sk::border::constant(5));
    m = below.iterate(2, m);
    expect(holds(m, [&](auto r, auto c) { return r + 2 < rows ? value_at(r + 2, c) : 5; }), how + ": a stencil");
}

/// The inside of one, computed from what lies around it in another that lies in another way.
void parts(const sk::matrix<int>& from, sk::matrix<int> to, const std::string& how)
{
    const auto around = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(1, 0) + 2 * u(-1, 0) - u(0, -1); }),
                                    sk::border::constant(0));
    const std::size_t rows = from.rows(), cols = from.cols(), low = rows > 2 ? 1 : 0, n = rows - 2 * low, m = cols - 2;
    const auto inside = [&](auto r, auto c) { return r >= low && r < low + n && c >= 1 && c < 1 + m; };
    const auto value = [&](auto r, auto c) {
        const int above = r > 0 ? value_at(r - 1, c) : 0, below = r + 1 < rows ? value_at(r + 1, c) : 0;
        return inside(r, c) ? below + 2 * above - value_at(r, c - 1) : value_at(r, c);
    };
    to.sub(low, 1, n, m) = around(sk::with_neighbours(from.sub(low, 1, n, m)));
    expect(holds(to, value), how + ": an inside");
    sk::matrix<int> own = from;
    own.sub(low, 1, n, m) = around(sk::with_neighbours(own.sub(low, 1, n, m)));
    expect(holds(own, value), how + ": its own inside");
}

/// Operands of a call that lie in different ways.
void mixed(const sk::matrix<int>& a, const sk::matrix<int>& b, const std::string& how)
{
    const sk::matrix<int> c = add(a, b);
    expect(holds(c, [](auto r, auto col) { return 2 * value_at(r, col); }), how + ": a map of both");
    sk::matrix<int> to = b;
    to = twice(a);
    expect(holds(to, [](auto r, auto col) { return 2 * value_at(r, col); }), how + ": from one to the other");
}

void matrices(std::size_t rows, std::size_t cols, const std::string& start)
{
    for (const named& one : all_distributions()) {
        const std::string how = one.name + ", " + std::to_string(rows) + " x " + std::to_string(cols);
        sk::matrix<int> m = numbered(rows, cols);
        sk::distribute(m, one.how);
        sk::wait(m);
        views(m, how);
        files(m, how, start);
        calls(m, how);
        for (const named& other : all_distributions()) {
            sk::matrix<int> n = m;
            sk::distribute(n, other.how);
            expect(holds(n, value_at), how + " to " + other.name);
            mixed(m, n, how + " and " + other.name);
            parts(m, n, how + " and " + other.name);
        }
    }
}

void vectors(std::size_t n)
{
    for (const named& one : line_distributions()) {
        const std::string how = one.name + ", " + std::to_string(n) + " elements";
        sk::vector<int> x = sk::generate(SKELRT_FN((sk::index1 i) { return (int)i.i; }))(sk::shape(n));
        sk::distribute(x, one.how);
        {
            const auto here = sk::local(std::as_const(x));
            bool right = true;
            for (std::size_t i = 0; i < here.size(); ++i) right = right && here[i] == static_cast<int>(here.number(i));
            expect(right, how + ": what lies here");
        }
        x = twice(x);
        const sk::vector<int> sums = sk::scan(sk::plus)(x);
        const sk::vector<int> small = sk::filter(SKELRT_FN((int v) { return v % 4 == 0; }))(x);
        x = sk::sort(x, SKELRT_FN((int a, int b) { return b < a; }));
        const auto sorted = sk::host_read(x), summed = sk::host_read(sums), kept = sk::host_read(small);
        bool right = kept.size() == (n + 1) / 2;
        for (std::size_t i = 0; i < n; ++i) {
            right =
                right && sorted[i] == static_cast<int>(2 * (n - 1 - i)) && summed[i] == static_cast<int>(i * (i + 1));
            if (i < kept.size()) right = right && kept[i] == static_cast<int>(4 * i);
        }
        expect(right, how + ": scanned, filtered and sorted");
    }
}

/// A few elements of which every rank has all, as results and as operands.
void short_copies(std::size_t n)
{
    for (const bool both : {false, true}) {
        const std::string how = std::to_string(n) + (both ? " elements, all copies" : " elements into a copy");
        const auto fives = [&] {
            sk::vector<int> x(n, 5);
            if (both) sk::distribute(x, sk::distribution::copy());
            return x;
        };
        sk::vector<int> x = fives(), y(n, 1);
        sk::distribute(y, sk::distribution::copy());
        const auto expect_all = [&](const char* what, const std::function<int(std::size_t)>& wanted) {
            const auto h = sk::host_read(y);
            bool right = h.size() == n;
            for (std::size_t i = 0; i < h.size(); ++i) right = right && h[i] == wanted(i);
            expect(right, how + ": " + what);
        };
        y = sk::scan(sk::plus)(x);
        expect_all("a scan", [](std::size_t i) { return static_cast<int>(5 * i + 5); });
        y = sk::exclusive_scan(sk::plus, 2)(x);
        expect_all("an exclusive scan", [](std::size_t i) { return static_cast<int>(5 * i + 2); });
        y = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(0) + u(1); }), sk::border::cyclic())(x);
        expect_all("a stencil", [](std::size_t) { return 10; });
        y = twice(x);
        expect_all("a map", [](std::size_t) { return 10; });
        sk::vector<int> keys = fives();
        sk::sort_by_key(y, keys);
        expect_all("keys", [](std::size_t) { return 10; });
        sk::sort_by_key(keys, y);
        expect_all("values", [](std::size_t) { return 10; });
        if (n > 0) y.range(0, 1) = sk::scan(sk::plus)(x.range(0, 1));
        expect_all("a part", [](std::size_t i) { return i == 0 ? 5 : 10; });
    }
}

/// The messages of the scan, and those of the result, which lies in columns.
void scanned_into_columns()
{
    for (int round = 0; round < 20; ++round)
        for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{4, 4}, {7, 2}, {30, 30}}) {
            sk::matrix<int> ones(rows, cols, 1), sums(rows, cols, 0);
            sk::distribute(sums, sk::distribution::grid(1, static_cast<std::size_t>(sk::ranks())));
            sums = sk::scan(sk::plus).by_column(ones);
            expect(shows_all(sums, [](auto r, auto) { return static_cast<int>(r) + 1; }), "a scan into columns");
        }
}

void tensors()
{
    for (const named& one : line_distributions()) {
        sk::tensor<int, 3> t = sk::generate(
            SKELRT_FN((sk::index3 i) { return (int)(i.plane * 100 + i.row * 10 + i.col); }))(sk::shape(7, 3, 4));
        sk::distribute(t, one.how);
        t = twice(t);
        bool right = true;
        {
            const auto here = sk::local(std::as_const(t));
            for (std::size_t i = 0; i < here.extents()[0]; ++i)
                right = right && here(i, 2, 3) == static_cast<int>(2 * (here.number(i) * 100 + 23));
        }
        const auto h = sk::host_read(t);
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 4; ++k)
                    right = right && h(i, j, k) == static_cast<int>(2 * (i * 100 + j * 10 + k));
        expect(right, one.name + ": a tensor");
    }
}

/// Tasks write, and messages wait for them.
void large()
{
    const std::size_t n = 700;
    sk::matrix<int> m = numbered(n, n);
    for (const named& one : all_distributions()) {
        sk::distribute(m, one.how);
        m = add(m, m);
        sk::distribute(m, sk::distribution::rows());
        m = sk::map(SKELRT_FN((int v) { return v / 2; }))(m);
    }
    expect(holds(m, value_at), "a matrix that went through all distributions");
}

template <class Do>
void expect_error(const char* what, std::initializer_list<std::string_view> words, Do act)
{
    try {
        act();
        expect(false, std::string(what) + ": no error");
    } catch (const sk::error& e) {
        for (const std::string_view w : words)
            expect(std::string_view(e.what()).find(w) != std::string_view::npos, std::string(what) + ": " + e.what());
    }
}

void misuse()
{
    using d = sk::distribution;
    sk::matrix<int> m(4, 4, 1);
    sk::vector<int> v(9, 1);
    sk::tensor<int, 3> t({4, 2, 2}, 1);
    expect_error("blocks of nothing", {"partings.cpp", "sk::distribute", "0 x 3"},
                 [&] { sk::distribute(m, d::grid().cyclic(0, 3)); });
    if (sk::ranks() > 1) {
        const auto p = static_cast<std::size_t>(sk::ranks());
        expect_error("a grid of too many", {"partings.cpp", "runs on", "sk::distribution::grid()"},
                     [&] { sk::distribute(m, d::grid(p, 2)); });
        expect_error("rows of a vector", {"vector", "grid(1, "}, [&] { sk::distribute(v, d::grid(p, 1)); });
        expect_error("columns of a tensor", {"tensor", "1)"}, [&] { sk::distribute(t, d::grid(1, p)); });
        std::vector<int> memory(16);
        sk::matrix<int> borrowed(sk::borrow, memory.data(), 4, 4);
        expect_error("borrowed memory", {"borrowed", "copy"}, [&] { sk::distribute(borrowed, d::grid(1, p)); });
        auto h = sk::host(m);
        expect_error("an open view", {"host view"}, [&] { sk::distribute(m, d::grid(1, p)); });
    }
    expect(static_cast<int>(sk::reduce(sk::plus, 0)(m)) == 16, "a container after errors");
    sk::matrix<int> none;
    sk::distribute(none, d::grid(3, 5));
}

/// What was made before the runtime is a copy on every rank.
void made_before(sk::vector<int>& x)
{
    x = twice(x);
    x.range(1, 2) = twice(x.range(1, 2));
    const auto h = sk::host_read(x);
    expect(h[0] == 2 && h[1] == 4 && h[2] == 4 && h[3] == 2, "a container that was made before the runtime");
}

} // namespace

int main(int argc, char** argv)
{
    sk::vector<int> early(5, 1);
    const sk::runtime rt;
    if (argc < 2) return 2;
    matrices(9, 11, argv[1]);
    matrices(2, 3, argv[1]); // some ranks have nothing
    matrices(1, 7, argv[1]);
    for (const std::size_t n : {0, 1, 2, 5}) short_copies(n);
    scanned_into_columns();
    for (const std::size_t n : {1, 3, 500}) vectors(n);
    tensors();
    large();
    misuse();
    made_before(early);
    return failures > 0 ? 1 : 0;
}
