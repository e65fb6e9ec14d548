// SPDX-License-Identifier: BSD-3-Clause
/// Everything that a user writes, compiled with all warnings as errors.

#include <skelrt/skelrt.hpp>

#include <complex>

#include <utility>

namespace sk = skelrt;

SKELRT_SHARED(
    struct body { float x, y, z, mass; }; struct ends { int first, last; };
    inline float square_of(float x) { return x * x; })

namespace
{

const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
const auto kick = sk::map(SKELRT_FN((sk::index1 i, body b, sk::vec<body> all) {
    for (std::size_t k = 0; k < all.size(); ++k)
        if (k != i.i) b.x += all[k].mass * square_of(b.x - all[k].x);
    return b;
}));

float vectors(sk::vector<float>& y, const sk::vector<float>& x)
{
    const auto mult = sk::map(sk::multiplies);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    y = saxpy(2.0f, x, y);
    y = saxpy(2, x.range(0, x.size()), mult(x, y));
    y.range(1, y.size() - 1) = saxpy(sk::scalar<float>(3.0f), y.range(0, y.size() - 1), 1.0f);
    const sk::scalar<float> s = sum(mult(x, y));
    sk::vector<float> copy = saxpy(s, x, y);
    swap(copy, y);
    copy.resize(10);
    auto h = sk::host(y);
    for (float& v : h) v += 1;
    const float largest = sk::reduce(SKELRT_FN((float a, float b) { return a < b ? b : a; }))(x);
    return largest + s.get();
}

int matrices(sk::matrix<int>& m)
{
    m = sk::map(SKELRT_FN((sk::index2 i) { return static_cast<int>(i.row * 10 + i.col); }))();
    m = sk::map(SKELRT_FN((sk::index2 i, sk::mat<int> a) { return a(i.col, i.row); }))(m);
    m.row(0) = sk::map(sk::negate)(m.column(0));
    m.sub(0, 0, 2, 2) = sk::map(sk::plus)(m.sub(1, 1, 2, 2), 1);
    const auto sum = sk::reduce(sk::plus);
    const sk::vector<int> rows = sum.by_row(m), cols = sum.by_column(m);
    return sum(rows) + sum(cols) + sum(sk::map(SKELRT_FN((sk::index1 i, int v) { return v + (int)i.i; }))(rows));
}

const auto mean = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; }),
                              sk::border::nearest());
const auto along =
    sk::map_overlap(SKELRT_FN((sk::hood1<int> u, int w) { return u(-1) + w * u(1); }), sk::border::constant(0));
const auto inner =
    sk::stencil(SKELRT_FN((sk::hood3<int> u, sk::vec<int> w) { return w[0] * u(-1, 0, 1); }), sk::border::none());
const auto table = sk::wavefront(SKELRT_FN((sk::index2 at, sk::before2<int> d, sk::vec<int> v, int x) {
                                     return d.left() + d.above() - d.diagonal() + v[at.col] + x;
                                 }),
                                 sk::border::constant(0));

void expressions(sk::vector<float>& e, const sk::vector<float>& a, const sk::vector<int>& n,
                 const sk::vector<unsigned>& u)
{
    e = (a + e) * (a - e) / (1.0f + a);
    e += 2.0f * a;
    e.range(0, 3) -= a.range(1, 3) * n.range(0, 3);
    e = sk::where(n < u && !(a == e), sk::pow(a, 2), sk::sqrt(sk::abs(-a))) + sk::max(n, 0.5f);
    sk::vector<short> s = sk::cast<short>(n % 5 + u);
    s += s;
    const sk::scalar<float> one = 1.0f, two = one + 1.0f;
    const double half = one / two;
    if (sk::all(a <= e) && one < two) e *= static_cast<float>(half);
}

sk::vector<float> with_values(const sk::vector<float>& x, float slope)
{
    const int shift = 2;
    const auto [low, high] = std::pair(0.0f, 1.0f);
    const auto line =
        sk::map(SKELRT_FN_WITH((slope, shift), (float v) { return slope * v + static_cast<float>(shift); }));
    const auto smooth = sk::stencil(SKELRT_FN_WITH((slope), (sk::hood1<float> u) { return slope * (u(-1) + u(1)); }),
                                    sk::border::nearest());
    const auto inside = sk::filter(SKELRT_FN_WITH((low, high), (float v) { return low < v && v < high; }));
    return sk::vector<float>(inside(line(smooth(x))));
}

bool stencils(sk::matrix<int>& m, sk::tensor<int, 3>& t)
{
    const sk::vector<int> w{1, 2, 3};
    m = mean(mean(m));
    m = sk::map(sk::negate)(mean(sk::map(sk::plus)(m, 1)));
    m = mean.iterate(3, m);
    m = mean.red_black(2, m);
    m = along.separable(along.by_row(m, 2), 3);
    m = mean.iterate_until([](const auto& now, const auto& before) { return now.size() == before.size(); }, 2, m);
    m = sk::sequence(mean, sk::map(sk::negate)).iterate(2, m);
    t = inner(t, w);
    m = table(w, m);
    t.plane(0) = sk::map(sk::negate)(t.plane(1));
    return sk::reduce(sk::plus)(mean(m)) > 0;
}

std::size_t others(sk::vector<int>& x, sk::matrix<int>& m)
{
    sk::vector<int> y = sk::scan(sk::plus)(x), z;
    m = sk::scan(sk::maximum).by_column(m);
    m = sk::map_pairs(sk::minus)(x, sk::exclusive_scan(sk::plus, 0)(x));
    z = sk::map_pairs_reduce(sk::minus, sk::plus, 0)(x, y);
    m = sk::all_pairs(sk::multiplies, sk::plus, 0)(m, sk::transpose(m));
    m = sk::all_pairs(SKELRT_FN((sk::vec<int> a, sk::vec<int> b) { return a[0] + b[0]; }))(m, m);
    m = sk::map(sk::plus)(sk::per_row(y), sk::map(sk::minus)(m, sk::per_column(z)));
    x = sk::generate(SKELRT_FN((sk::index1 i, int by) { return static_cast<int>(i.i) * by; }))(sk::shape(10), 2);
    z = sk::gather(x, y);
    sk::scatter_add(x, y, z);
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> to) { to.add(0, v); }))(x, z);
    sk::for_each(SKELRT_FN((int v, sk::min_accumulator<int> to) { to.min(0, v); }))(x, z);
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> to, sk::max_accumulator<int> most) {
        to.add(0, v);
        most.max(0, v);
    }))(x, z, y);
    sk::for_each(SKELRT_FN((int v, sk::atomic_vec<int> to) { to.exchange(0, v); }))(x, z);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::out_vec<int> to) { to.set(i.i, v); }))(x, z);
    sk::matrix<std::complex<float>> complex(3, 3);
    complex = sk::all_pairs(sk::multiplies, sk::plus)(complex, complex);
    complex = 2.0f * sk::all_pairs(sk::multiplies, sk::plus)(complex, complex) - complex;
    m += sk::all_pairs(sk::multiplies, sk::plus, 0)(m, m);
    const sk::matrix<sk::half> halves(10, 10);
    sk::matrix<float> floats(10, 10);
    floats.all() = floats.all() * 2.0f - sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(halves, halves);
    y = sk::map(SKELRT_FN((int v, sk::random r) { return r.uniform() < 0.5f ? v : 0; }))(y, sk::random_seed{1});
    sk::tie(y, z) = sk::map(SKELRT_FN((int v) {
        ends e;
        e.first = v, e.last = 2 * v;
        return e;
    }))(x);
    const auto sum = sk::reduce(sk::plus);
    const auto total = sk::reduce(sk::plus, 0.0);
    sk::scalar<int> s;
    double t = 0;
    sk::tie(s, t) = sk::together(sum(x), total(sk::cast<float>(y)));
    sk::tie(y, z) = sk::together(sum, sk::reduce(sk::maximum)).by_column(m * 2);
    sk::distribute(y, sk::distribution::overlap(2));
    const sk::vector<unsigned> counts = sk::histogram(x, 5, 0, 10);
    const auto above = sk::filter(SKELRT_FN((sk::index1 i, int v, int bound) { return i.i > 0 && v > bound; }));
    const sk::vector<int> some = above(x, 0);
    return sk::distribute(m, sk::distribution::single(), sk::plus).size() + counts.size() + some.size();
}

} // namespace

int main()
{
    sk::options o;
    o.policy = "lws";
    const sk::runtime rt(o);
    const sk::only on(sk::device::cpu | sk::device::cuda);
    sk::vector<float> x(100, 1.0f), y{1, 2, 3};
    sk::vector<body> bodies(10);
    sk::matrix<int> m(4, 4);
    try {
        bodies = kick(bodies, bodies);
        sk::tensor<int, 3> t(2, 3, 4);
        sk::vector<int> v(4);
        const sk::vector<unsigned> u(4, 1u);
        expressions(y, with_values(x, 0.5f), v, u);
        return vectors(y, x) > 0 && matrices(m) > 0 && stencils(m, t) && others(v, m) > 0 ? 0 : 1;
    } catch (const sk::error&) {
        return 2;
    }
}
