// SPDX-License-Identifier: BSD-3-Clause
/// Products over ranks, of matrices that are dealt out in all ways, against sequential loops: products, under mpirun.
/// Exit code 0 if all is as it should be.

#include "tests/cluster/dealt.hpp"

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace sk = skelrt;
using namespace test;

// x -> factor * x + offset; one behind the other: associative, and the order tells.
SKELRT_SHARED(struct slope { unsigned factor, offset; };)

namespace
{

struct shape {
    std::size_t rows, cols, depth;
    std::string text() const
    {
        return std::to_string(rows) + " x " + std::to_string(cols) + " of " + std::to_string(depth);
    }
};

template <class T>
using values = std::vector<T>; ///< a matrix, row by row

template <class T>
values<T> values_of(const sk::matrix<T>& m)
{
    const auto h = sk::host_read(m);
    values<T> all;
    for (std::size_t r = 0; r < h.rows(); ++r)
        for (std::size_t c = 0; c < h.cols(); ++c) all.push_back(h(r, c));
    return all;
}

/// Every rank has the same values, and keeps its own.
template <class T>
sk::matrix<T> matrix_of(std::size_t rows, std::size_t cols, const values<T>& from, const sk::distribution& how)
{
    sk::matrix<T> m(rows, cols);
    {
        auto h = sk::host_write(m);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) h(r, c) = from[r * cols + c];
    }
    sk::distribute(m, how);
    return m;
}

template <class T>
values<T> turned(const values<T>& m, std::size_t rows, std::size_t cols)
{
    values<T> t(m.size());
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) t[c * rows + r] = m[r * cols + c];
    return t;
}

/// Rows of a with rows of b. `op(front, sum)`: what comes in front of each.
template <class T, class Zip, class Op>
values<T> reference(const values<T>& a, const values<T>& b, const shape& s, Zip zip, Op op, const T* front = nullptr)
{
    values<T> c;
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.cols; ++j) {
            T v = s.depth > 0 ? zip(a[i * s.depth], b[j * s.depth]) : *front;
            if (front && s.depth > 0) v = op(*front, v);
            for (std::size_t k = 1; k < s.depth; ++k) v = op(v, zip(a[i * s.depth + k], b[j * s.depth + k]));
            c.push_back(v);
        }
    return c;
}

bool same(int a, int b) { return a == b; }
bool same(const slope& a, const slope& b) { return a.factor == b.factor && a.offset == b.offset; }
bool same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }
bool same(float a, float b) { return std::abs(a - b) <= 1e-5f * std::max(1.0f, std::abs(b)); }

template <class T>
bool is(const sk::matrix<T>& m, const values<T>& wanted)
{
    const values<T> got = values_of(m);
    if (got.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!same(got[i], wanted[i])) return false;
    return true;
}

values<int> integers(std::size_t n, int seed)
{
    values<int> all;
    for (std::size_t i = 0; i < n; ++i)
        all.push_back(static_cast<int>((i * 7 + static_cast<std::size_t>(seed)) % 23) - 11);
    return all;
}

values<slope> slopes(std::size_t n, unsigned seed)
{
    values<slope> all;
    for (unsigned i = 0; i < n; ++i) all.push_back({(i + seed) % 5 + 1, i * 3 + seed});
    return all;
}

template <class T>
values<T> fractions(std::size_t n, int seed)
{
    values<T> all;
    for (const int i : integers(n, seed)) all.push_back(static_cast<T>(i) / 8);
    return all;
}

const auto larger = SKELRT_FN((int a, int b) { return a < b ? b : a; });
/// What failed to be made may be multiplied before a rank hears of it: so that sums of whatever lies there wrap.
const auto sum = SKELRT_FN((int a, int b) { return (int)((unsigned)a + (unsigned)b); });
const auto product = SKELRT_FN((int a, int b) { return (int)((unsigned)a * (unsigned)b); });
const auto after = SKELRT_FN((slope f, slope g) {
    slope h;
    h.factor = f.factor * g.factor;
    h.offset = f.factor * g.offset + f.offset;
    return h;
});
const auto with_neighbour = SKELRT_FN((slope f, slope g) {
    slope h;
    h.factor = f.factor + 2 * g.factor;
    h.offset = f.offset - g.offset;
    return h;
});
const auto times = sk::all_pairs(product, sum);
const auto times_from_100 = sk::all_pairs(product, sum, 100);
const auto max_plus = sk::all_pairs(sum, larger);
const auto chains = sk::all_pairs(with_neighbour, after);

/// The right side as rows, and transposed; in a result that is there, and in a new one.
template <class T, class Product>
void check(const std::string& what, const shape& s, const Product& all, const values<T>& a, const values<T>& b,
           const values<T>& wanted, const std::vector<named>& how)
{
    const std::string text = what + ", " + s.text() + ": " + how[0].name + ", " + how[1].name + ", " + how[2].name;
    const sk::matrix<T> x = matrix_of(s.rows, s.depth, a, how[0].how);
    const sk::matrix<T> y = matrix_of(s.cols, s.depth, b, how[1].how);
    const sk::matrix<T> t = matrix_of(s.depth, s.cols, turned(b, s.cols, s.depth), how[1].how);
    sk::matrix<T> c = matrix_of(s.rows, s.cols, values<T>(s.rows * s.cols), how[2].how);
    const std::size_t rows = sk::local(std::as_const(c)).rows();
    c = all(x, y);
    expect(is(c, wanted), text + ": of rows");
    c = all(x, sk::transpose(t));
    expect(is(c, wanted), text + ": of columns");
    expect(sk::local(std::as_const(c)).rows() == rows, text + ": stays where it is");
    const sk::matrix<T> fresh = all(x, sk::transpose(t));
    expect(is(fresh, wanted), text + ": new");
}

template <class T, class Product, class Make, class Zip, class Op>
void check_all(const std::string& what, const shape& s, const Product& all, Make make, Zip zip, Op op,
               const T* front = nullptr)
{
    const auto a = make(s.rows * s.depth, 1), b = make(s.cols * s.depth, 5);
    const values<T> wanted = reference<T>(a, b, s, zip, op, front);
    const std::vector<named> how = all_distributions();
    const auto at = [&](std::size_t i) { return how[i % how.size()]; };
    for (std::size_t i = 0; i < how.size(); ++i)
        for (const std::size_t j : {std::size_t{0}, i + 1, i + 3}) // each with each, over the shapes
            check<T>(what, s, all, a, b, wanted, {at(i), at(i + j + s.cols), at(i + j + s.depth)});
}

void shapes()
{
    const int start = 100;
    for (const shape& s : {shape{0, 3, 4}, shape{3, 0, 4}, shape{1, 1, 1}, shape{7, 5, 3}, shape{2, 9, 300}})
        check_all<int>("start values", s, times_from_100, integers, product, sum, &start);
    check_all<int>("nothing", {4, 5, 0}, times_from_100, integers, product, sum, &start);
    check_all<int>("sums", {13, 11, 17}, times, integers, product, sum);
    check_all<int>("tropical", {6, 8, 29}, max_plus, integers, sum, larger);
    check_all<slope>("in order", {9, 7, 23}, chains, slopes, with_neighbour, after);
}

/// More panels than are in memory at once.
void deep()
{
    const std::vector<named> how = all_distributions();
    const shape s{21, 18, 1900};
    const auto a = slopes(s.rows * s.depth, 1), b = slopes(s.cols * s.depth, 5);
    const auto wanted = reference<slope>(a, b, s, with_neighbour, after);
    for (std::size_t i = 0; i < how.size(); ++i)
        check<slope>("deep", s, chains, a, b, wanted, {how[i], how[(i + 1) % how.size()], how[(i + 3) % how.size()]});
    check<slope>("deep", s, chains, a, b, wanted, {how[1], how[1], how[1]});
}

template <class T>
void fractions_of(const std::string& what)
{
    const shape s{40, 50, 1100};
    const auto a = fractions<T>(s.rows * s.depth, 1), b = fractions<T>(s.cols * s.depth, 5);
    const auto wanted = reference<T>(
        a, b, s, [](T x, T y) { return x * y; }, [](T x, T y) { return x + y; });
    const sk::distribution grid = sk::distribution::grid();
    const auto all = sk::all_pairs(sk::multiplies, sk::plus);
    check<T>(what, s, all, a, b, wanted, {{"grid", grid}, {"grid", grid}, {"grid", grid}});
}

/// A new result lies in the grid of what it is made of.
void results_lie_in_the_grid()
{
    const sk::matrix<int> a = matrix_of(30, 20, integers(600, 1), sk::distribution::grid());
    const sk::matrix<int> b = matrix_of(20, 40, integers(800, 2), sk::distribution::grid());
    sk::matrix<int> like(30, 40, 0);
    sk::distribute(like, sk::distribution::grid());
    const sk::matrix<int> c = times(a, sk::transpose(b));
    const auto here = sk::local(c), wanted = sk::local(std::as_const(like));
    expect(here.rows() == wanted.rows() && here.cols() == wanted.cols(), "a new result lies in the operands' grid");
}

/// c = c * b, and a * a; a chain of calls without a wait; what is written between two.
void in_place_and_in_a_row(const named& how)
{
    const std::size_t n = 19;
    const shape s{n, n, n};
    auto a = integers(n * n, 1);
    const auto b = integers(n * n, 2), bt = turned(b, n, n);
    sk::matrix<int> x = matrix_of(n, n, a, how.how);
    const sk::matrix<int> y = matrix_of(n, n, b, how.how);
    const std::size_t cols = sk::local(std::as_const(x)).cols();
    const auto small = sk::map(SKELRT_FN((int v) { return v % 1000; }));
    for (int i = 0; i < 4; ++i) {
        x = times(x, sk::transpose(y));
        x = small(x);
        a = reference<int>(a, bt, s, product, sum);
        for (int& v : a) v %= 1000;
    }
    expect(is(x, a), how.name + ": assigned to what it reads");
    expect(sk::local(std::as_const(x)).cols() == cols, how.name + ": assigned to what it reads, where that lies");
    x = times(x, x);
    expect(is(x, reference<int>(a, a, s, product, sum)), how.name + ": with itself");
}

/// Parts of matrices, as operands and as what is assigned to.
void parts(const named& how)
{
    const std::size_t n = 23, m = 17, k = 14;
    const auto a = integers(n * n, 1), b = integers(n * n, 2);
    const sk::matrix<int> x = matrix_of(n, n, a, how.how), y = matrix_of(n, n, b, how.how);
    values<int> left, right;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < k; ++j)
            left.push_back(a[(i + 3) * n + j + 5]), right.push_back(b[(j + 2) * n + i + 6]);
    const values<int> wanted = reference<int>(left, right, {m, m, k}, product, sum);
    const sk::matrix<int> c = times(x.sub(3, 5, m, k), sk::transpose(y.sub(2, 6, k, m)));
    expect(is(c, wanted), how.name + ": parts");
    sk::matrix<int> to = matrix_of(n, n, values<int>(n * n, 7), how.how);
    to.sub(1, 2, m, m) = times(x.sub(3, 5, m, k), sk::transpose(y.sub(2, 6, k, m)));
    values<int> whole(n * n, 7);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) whole[(i + 1) * n + j + 2] = wanted[i * m + j];
    expect(is(to, whole), how.name + ": assigned to a part");
}

/// Products that are added to what their results hold.
void added(const named& how)
{
    const shape s{15, 12, 270};
    const auto a = integers(s.rows * s.depth, 1), b = integers(s.cols * s.depth, 2),
               held = integers(s.rows * s.cols, 3);
    const sk::matrix<int> x = matrix_of(s.rows, s.depth, a, how.how), y = matrix_of(s.cols, s.depth, b, how.how);
    values<int> wanted = reference<int>(a, b, s, product, sum);
    const auto of_ours = sk::all_pairs(sk::multiplies, sk::plus, 0);
    sk::matrix<int> c = matrix_of(s.rows, s.cols, held, how.how);
    c += of_ours(x, y);
    c = 2 * of_ours(x, y) - 3 * c;
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = 2 * wanted[i] - 3 * (held[i] + wanted[i]);
    expect(is(c, wanted), how.name + ": added to its result");
}

/// Sides that are map calls, with values, scalars and positions.
void calls_as_sides(const named& how)
{
    const shape s{15, 12, 270};
    const auto a = integers(s.rows * s.depth, 1), b = integers(s.cols * s.depth, 2);
    const sk::matrix<int> x = matrix_of(s.rows, s.depth, a, how.how), y = matrix_of(s.cols, s.depth, b, how.how);
    const auto scaled = sk::map(SKELRT_FN((int v, int w, int by) { return by * v - w; }));
    const auto placed = sk::map(SKELRT_FN((sk::index2 i, int v) { return v + (int)(i.row * 2 + i.col); }));
    values<int> left, right, by_place;
    for (std::size_t i = 0; i < a.size(); ++i) left.push_back(3 * a[i] - a[i]);
    for (std::size_t i = 0; i < b.size(); ++i) right.push_back(4 * b[i] - 2 * b[i]);
    for (std::size_t i = 0; i < a.size(); ++i)
        by_place.push_back(a[i] + static_cast<int>(i / s.depth * 2 + i % s.depth));
    sk::scalar<int> four = 4;
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    sk::matrix<int> c(s.rows, s.cols, 0);
    sk::distribute(c, how.how);
    c = times(scaled(x, x, 3), scaled(y, twice(y), four));
    expect(is(c, reference<int>(left, right, s, product, sum)), how.name + ": calls as sides");
    c = times(placed(x), y);
    expect(is(c, reference<int>(by_place, b, s, product, sum)), how.name + ": sides that ask for their position");
}

/// An error of one rank's function is everybody's, and all go on. OpenCL C knows no exceptions.
void errors(const named& how)
{
    if (const char* const devices = std::getenv("SKELRT_DEVICES"); devices && std::string(devices) == "opencl") return;
    const auto positive = sk::map(SKELRT_FN((int v) {
        if (v < 0) throw std::runtime_error("a negative number");
        return v;
    }));
    const std::size_t n = 21;
    values<int> a(n * n, 1);
    const sk::matrix<int> y = matrix_of(n, n, a, how.how);
    a.back() = -1; // of the last rank
    const sk::matrix<int> x = matrix_of(n, n, a, how.how);
    sk::matrix<int> c(n, n, 0);
    sk::distribute(c, how.how);
    const auto is_told = [&](auto act) {
        try {
            act();
            return sk::host_read(c).size() == 0;
        } catch (const std::exception& e) {
            return std::string(e.what()).find("a negative number") != std::string::npos;
        }
    };
    expect(is_told([&] { c = times(positive(x), y); }), how.name + ": an error in a side");
    const auto from_checked = [&] {
        const sk::matrix<int> checked = positive(x);
        c = times(checked, y);
    };
    expect(is_told(from_checked), how.name + ": an error in an operand");
    const auto small_from_checked = [&] {
        const sk::matrix<int> checked = positive(x);
        c = times(matrix_of(1, n, values<int>(n, 1), how.how), checked);
    };
    if (const char* const way = std::getenv("SKELRT_PRODUCTS"); way && std::string(way) == "panels")
        expect(is_told(small_from_checked), how.name + ": an error on a rank without a result");
    c = times(y, y);
    expect(is(c, values<int>(n * n, n)), how.name + ": after errors");
}

void grids()
{
    const auto p = static_cast<std::size_t>(sk::ranks());
    for (std::size_t rows = 1; rows <= p; ++rows) {
        if (p % rows != 0) continue;
        const named grid{std::to_string(rows) + " x " + std::to_string(p / rows),
                         sk::distribution::grid(rows, p / rows)};
        in_place_and_in_a_row(grid);
        const shape s{31, 26, 600};
        const auto a = integers(s.rows * s.depth, 1), b = integers(s.cols * s.depth, 5);
        check<int>("a grid", s, times, a, b, reference<int>(a, b, s, product, sum), {grid, grid, grid});
    }
}

} // namespace

int main()
{
    const sk::runtime rt;
    shapes();
    deep();
    fractions_of<float>("float");
    fractions_of<double>("double");
    results_lie_in_the_grid();
    grids();
    for (const named& how : all_distributions()) {
        in_place_and_in_a_row(how);
        parts(how);
        added(how);
        calls_as_sides(how);
        errors(how);
    }
    return failures > 0 ? 1 : 0;
}
