// SPDX-License-Identifier: BSD-3-Clause
/// Prints what many kinds of calls give, as hashes of bits: the same for any number of ranks.

#include <skelrt/skelrt.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace sk = skelrt;

/// Of x -> scale * x + shift. Composing them is associative, and does not commute.
SKELRT_SHARED(struct scaled_shift { unsigned scale, shift; };)

namespace
{

std::uint64_t hash_of(const void* data, std::size_t bytes)
{
    std::uint64_t hash = 1469598103934665603u;
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
    return hash;
}

/// What every rank sees must be the same; the first one prints it.
template <class T>
void print(const char* name, const T* data, std::size_t n)
{
    const std::uint64_t mine = hash_of(data, n * sizeof(T));
    const std::uint64_t first = sk::agree(mine);
    if (mine != first) std::printf("%s: rank %d sees other bits than rank 0\n", name, sk::rank());
    if (sk::rank() == 0) std::printf("%s %zu %016llx\n", name, n, static_cast<unsigned long long>(first));
}
template <class Container>
void print(const char* name, const Container& x)
{
    const auto h = sk::host_read(x);
    print(name, h.data(), h.size());
}
template <class T>
void print_value(const char* name, T value)
{
    print(name, &value, 1);
}

const auto twice = sk::map(SKELRT_FN((float v) { return v * 2.0f + 0.1f; }));
const auto add = sk::map(SKELRT_FN((float a, float b) { return a + 0.3f * b; }));
const auto place = sk::map(SKELRT_FN((sk::index1 i, float v) { return v + (float)(i.i % 97); }));
const auto noise = sk::map(SKELRT_FN((float v, sk::random r) { return v + r.uniform(); }));

void containers(std::size_t n)
{
    const sk::vector<float> ones(n, 1.25f);
    print("values", ones);
    std::vector<float> plain(n);
    std::iota(plain.begin(), plain.end(), 0.5f);
    sk::vector<float> x(plain.begin(), plain.end());
    print("iterators", x);
    sk::vector<float> written(n, sk::uninitialized);
    {
        auto h = sk::host_write(written);
        for (std::size_t i = 0; i < n; ++i) h[i] = static_cast<float>(i) * 0.7f;
    }
    print("written", written);
    {
        auto h = sk::host(written);
        for (std::size_t i = 0; i < n; i += 3) h[i] = h[i] * h[n - 1 - i];
    }
    print("read and written", written);
    {
        auto part = sk::local(written);
        for (std::size_t i = 0; i < part.size(); ++i) part[i] += static_cast<float>(part.first() + i);
    }
    print("written by parts", written);
    sk::vector<float> copy = x;
    copy = twice(copy);
    print("copied", copy);
    print("original", x);
    copy.resize(n + 7, 3.0f);
    print("longer", copy);
    copy.resize(n / 2 + 1);
    print("shorter", copy);
    std::vector<float> own(n, 2.0f);
    {
        sk::vector<float> borrowed(sk::borrow, own.data(), n);
        borrowed = add(borrowed, x);
        print("borrowed", borrowed);
    }
    if (const auto whole = sk::host_at(0, x))
        std::printf("host_at %016llx\n", static_cast<unsigned long long>(hash_of(whole->data(), n * 4)));
}

void elementwise(std::size_t n)
{
    sk::vector<float> x(n, 1.5f), y(n, 0.25f);
    x = place(x);
    print("positions", x);
    y = noise(y, sk::random_seed{7});
    print("random numbers", y);
    y = add(twice(x), y);
    print("nested", y);
    sk::scalar<float> s = 0.75f;
    y = add(y, s);
    print("scalar operand", y);
    y.range(2, n - 5) = add(y.range(2, n - 5), x.range(2, n - 5));
    print("aligned ranges", y);
    y.range(0, n - 9) = add(y.range(0, n - 9), x.range(9, n - 9));
    print("ranges of other ranks", y);
    print_value("sum of ints",
                static_cast<int>(sk::reduce(sk::plus, 5)(sk::map(SKELRT_FN((float v) { return (int)v; }))(x))));
    const sk::scalar<float> largest = sk::reduce(sk::maximum)(y);
    print_value("largest", largest.get());
    const sk::vector<unsigned> counts = sk::histogram(x, 10, 0.0f, 100.0f);
    print("histogram", counts);
    sk::vector<int> whole = sk::map(SKELRT_FN((float v) { return (int)v; }))(x);
    whole = sk::scan(sk::plus)(whole);
    print("scan", whole);
    const sk::vector<int> odd = sk::filter(SKELRT_FN((int v) { return v % 2 == 1; }))(whole);
    print("filter", odd);
    const sk::vector<float> gathered =
        sk::map(SKELRT_FN((sk::index1 i, sk::vec<float> v) { return v[(i.i * 7) % v.size()]; }))(sk::shape(n), x);
    print("whole read", gathered);
}

void matrices(std::size_t rows, std::size_t cols)
{
    sk::matrix<float> a = sk::generate(
        SKELRT_FN((sk::index2 i) { return (float)(i.row * 13 % 31) - 0.25f * (float)i.col; }))(sk::shape(rows, cols));
    print("generated", a);
    sk::vector<float> sums = sk::reduce(sk::plus, 0.0f).by_row(a);
    print("by row", sums);
    const auto exact = sk::map(SKELRT_FN((float v) { return (int)(4 * v); }));
    sk::vector<int> downs = sk::reduce(sk::plus, 0).by_column(exact(a));
    print("by column", downs);
    sk::vector<float> row(cols, 0.0f);
    row = twice(a.row(rows / 2));
    print("a row", row);
    a.row(1) = add(a.row(1), a.row(rows - 1));
    print("rows of two ranks", a);
    a.column(0) = twice(a.column(cols - 1));
    print("columns", a);
    sk::matrix<float> b = sk::map(SKELRT_FN((float v) { return v; }))(sk::transpose(a));
    print("transposed", b);
    a.sub(2, 1, rows - 3, cols - 2) = twice(a.sub(1, 0, rows - 3, cols - 2));
    print("rectangles", a);
    a.resize(rows + 2, cols - 1, 9.0f);
    print("resized", a);
    const sk::tensor<float, 3> t({rows, 4, 5}, 2.0f);
    const sk::tensor<float, 3> u = twice(t);
    print("tensor", u);
}

void stencils(std::size_t n)
{
    const auto blur = sk::stencil(
        SKELRT_FN((sk::hood1<float> u) { return 0.25f * u(-2) + 0.5f * u(0) + 0.25f * u(1); }), sk::border::cyclic());
    sk::vector<float> x(n, 0.0f);
    x = place(x);
    x = blur.iterate(7, x);
    print("cyclic vector", x);
    const auto heat =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(1.0f));
    sk::matrix<float> g(n / 8 + 3, 37, 0.5f);
    g = heat.iterate(20, g);
    print("heat", g);
    const auto near =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return u(-3, 0) + 0.5f * u(2, 1); }), sk::border::nearest());
    g = near(g);
    print("far lines", g);
}

void sorts(std::size_t n)
{
    const auto scattered = sk::map(SKELRT_FN((sk::index1 i) { return (int)((i.i * 7919 + 13) % 1009) - 500; }));
    const auto numbers = sk::map(SKELRT_FN((sk::index1 i) { return (unsigned)i.i; }));
    sk::vector<int> x = scattered(sk::shape(n)), y = sk::sort(x);
    print("sorted", y);
    y = sk::sort(y);
    print("sorted again", y);
    y = sk::sort(y, SKELRT_FN((int a, int b) { return b < a; }));
    print("descending", y);
    sk::vector<unsigned> v = numbers(sk::shape(n));
    y = x;
    sk::sort_by_key(y, v);
    print("keys", y);
    print("values of equal keys in their order", v);
    v = numbers(sk::shape(n));
    y = x;
    sk::sort_by_key(y, v, SKELRT_FN((int a, int b) { return a / 100 < b / 100; }));
    print("keys that are alike", y);
    print("their values", v);
    y = sk::sort(sk::map(SKELRT_FN((int a) { return a % 7; }))(x));
    print("sorted call", y);
    y = x;
    y.range(3, n - 8) = sk::sort(x.range(5, n - 8));
    print("sorted range", y);
    sk::matrix<float> m =
        sk::generate(SKELRT_FN((sk::index2 i) { return (float)(i.row * 37 % 101 + i.col); }))(sk::shape(n / 4 + 2, 5));
    m.column(2) = sk::sort(m.column(1));
    m.row(1) = sk::sort(m.row(n / 4));
    print("sorted column and row", m);
    const sk::vector<int> alike(n, 4);
    y = sk::sort(alike);
    print("all alike", y);
}

void column_scans(std::size_t rows, std::size_t cols)
{
    const auto numbers = sk::generate(SKELRT_FN((sk::index2 i) { return (int)((i.row * 31 + i.col * 7) % 101) - 50; }));
    sk::matrix<int> a = numbers(sk::shape(rows, cols)), b;
    b = sk::scan(sk::plus).by_column(a);
    print("running sums", b);
    b = sk::exclusive_scan(sk::plus, 17).by_column(a);
    print("sums before", b);
    b = sk::scan(sk::maximum, 3).by_column(sk::map(SKELRT_FN((sk::index2 i, int v) {
        return v * (int)(i.row % 5);
    }))(a));
    print("running largest of a call", b);
    a = sk::scan(sk::plus).by_column(a);
    print("in place", a);
    a = sk::exclusive_scan(sk::plus, 1).by_column(a);
    print("in place, sums before", a);
    const auto compose = SKELRT_FN((scaled_shift f, scaled_shift g) {
        return scaled_shift{f.scale * g.scale, g.scale * f.shift + g.shift};
    });
    sk::matrix<scaled_shift> lines = sk::generate(SKELRT_FN((sk::index2 i) {
        return scaled_shift{(unsigned)(2 * i.row + i.col + 1), (unsigned)(i.row * 5 + i.col)};
    }))(sk::shape(rows, cols));
    lines = sk::scan(compose).by_column(lines);
    print("an operator that does not commute", lines);
}

/// Reductions into scalars, and what becomes of them without a wait.
void scalars(std::size_t n)
{
    const auto compose = SKELRT_FN((scaled_shift f, scaled_shift g) {
        return scaled_shift{f.scale * g.scale, g.scale * f.shift + g.shift};
    });
    const auto shifts = sk::map(SKELRT_FN((sk::index1 i) {
        return scaled_shift{(unsigned)(2 * i.i + 1), (unsigned)(i.i * i.i)};
    }));
    const auto numbers = sk::map(SKELRT_FN((sk::index1 i) { return (int)(i.i * 31 % 101) - 50; }));
    for (const std::size_t length : {n, std::size_t{2}}) {
        sk::vector<int> x = numbers(sk::shape(length)), y(length, 1);
        sk::vector<scaled_shift> f = shifts(sk::shape(length));
        const sk::scalar<scaled_shift> all = sk::reduce(compose)(f);
        print_value("composed", all.get());
        sk::scalar<int> s = sk::reduce(sk::plus, 7)(x);
        const auto step = sk::map(SKELRT_FN((int a, int b, int t) { return (a + b * t) % 1009; }));
        const auto next = sk::map(SKELRT_FN((int a, int b) { return (a * 3 + b) % 17; }));
        for (int i = 0; i < 4; ++i) {
            y = step(x, y, s);
            const sk::scalar<int> largest = sk::reduce(sk::maximum)(y);
            s = next(s, largest);
            x = step(y, x, largest);
        }
        print("steps with scalars", x);
        print_value("the last scalar", s.get());
    }
}

/// Copies that other ranks have of a container are used until its content changes, whatever changes it.
void whole_operands(std::size_t n)
{
    const auto row = sk::map(SKELRT_FN((sk::index1 i, sk::mat<int> m, sk::vec<int> v) {
        int sum = 0;
        for (unsigned k = 0; k < m.cols(); ++k) sum += m(i.i % m.rows(), k) * v[k];
        return sum;
    }));
    const std::size_t side = n / 200 + 7;
    const auto numbers = sk::map(SKELRT_FN((sk::index1 i) { return (int)(i.i % 13) - 6; }));
    sk::matrix<int> m =
        sk::generate(SKELRT_FN((sk::index2 i) { return (int)((i.row * 3 + i.col) % 7) - 3; }))(sk::shape(side, side));
    sk::vector<int> v = numbers(sk::shape(side)), y(side, 0);
    for (int i = 0; i < 3; ++i) {
        y = row(sk::shape(side), m, v);
        v = sk::map(SKELRT_FN((int a) { return a % 11; }))(y);
    }
    print("iterated products", y);
    const auto show = [&](const char* name) {
        y = row(sk::shape(side), m, v);
        print(name, y);
    };
    m.row(1) = sk::map(SKELRT_FN((int a) { return a + 1; }))(m.row(2));
    show("a row has changed");
    {
        auto part = sk::local(m);
        for (std::size_t r = 0; r < part.rows(); ++r) part(r, 0) += static_cast<int>((part.first_row() + r) % 3);
    }
    show("each rank's part has changed");
    {
        sk::host(m)(1, 1) = 50;
    }
    show("an element has changed");
    {
        auto all = sk::host_write(v);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i % 5);
    }
    show("written");
    const sk::matrix<int> old = m;
    m = sk::map(SKELRT_FN((int a) { return -a; }))(m);
    show("anew");
    m = old;
    show("a copy");
    std::vector<int> own(side, 4);
    sk::vector<int> borrowed(sk::borrow, own.data(), side);
    y = row(sk::shape(side), m, borrowed);
    borrowed = v;
    y = row(sk::shape(side), m, borrowed);
    print("borrowed", y);
    y = row(sk::shape(2), m, v); // some ranks have no share
    print("short", y);
    y = row(sk::shape(side), m, v);
    print("and long again", y);
}

void deep_stencils(std::size_t n)
{
    const auto far = SKELRT_FN((sk::hood2<float> u) { return 0.3f * u(-2, 1) + 0.3f * u(1, 0) + 0.4f * u(0, -1); });
    const auto iterate = [&](const char* name, const auto& b, std::size_t rows) {
        sk::matrix<float> g =
            sk::generate(SKELRT_FN((sk::index2 i) { return (float)(i.row * 7 % 11 + i.col); }))(sk::shape(rows, 19));
        g = sk::stencil(far, b).iterate(11, g);
        print(name, g);
    };
    for (const std::size_t rows : {n / 9 + 5, std::size_t{7}, std::size_t{2}}) {
        iterate("deep, constant", sk::border::constant(2.0f), rows);
        iterate("deep, cyclic", sk::border::cyclic(), rows);
        iterate("deep, nearest", sk::border::nearest(), rows);
    }
    sk::matrix<float> g =
        sk::generate(SKELRT_FN((sk::index2 i) { return (float)(i.row + i.col % 3); }))(sk::shape(n / 9 + 5, 19));
    sk::matrix<float> to(g.rows() + 4, g.cols() + 2, 0.5f);
    to.sub(3, 1, g.rows(), g.cols()) = sk::stencil(far, sk::border::nearest())(g);
    print("a stencil into a view", to);
}

void sorts_elsewhere(std::size_t n)
{
    sk::vector<int> x = sk::map(SKELRT_FN((sk::index1 i) { return (int)((i.i * 7919 + 13) % 1009) - 500; }))(
                        sk::shape(n)),
                    y;
    y = sk::sort(sk::map(SKELRT_FN((sk::index1 i, int v) { return v * 16 + (int)(i.i % 16); }))(x));
    print("sorted by value and position", y);
    sk::matrix<int> m(n, 3, 1);
    m.column(1) = sk::map(SKELRT_FN((int a) { return a; }))(x);
    sk::vector<unsigned> v = sk::map(SKELRT_FN((sk::index1 i) { return (unsigned)i.i; }))(sk::shape(n + 10));
    sk::sort_by_key(m.column(1), v.range(5, n));
    print("keys of a column", m);
    print("values of a range", v);
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 1000;
    const sk::runtime rt;
    containers(n);
    elementwise(n);
    matrices(n / 10 + 4, 23);
    stencils(n);
    sorts(n);
    column_scans(n / 10 + 4, 23);
    column_scans(2, 5);
    scalars(n);
    whole_operands(n);
    deep_stencils(n);
    sorts_elsewhere(n);
    return 0;
}
