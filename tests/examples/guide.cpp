// SPDX-License-Identifier: BSD-3-Clause
/// Every piece of code in docs/skeletons.md, compiled, run and checked. The guide quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace sk = skelrt;

SKELRT_SHARED(
    struct point { float x, y; };
    inline float squared_distance(point a, point b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); })

SKELRT_SHARED(struct polar { float radius, angle; };)

namespace
{

bool near(double a, double b) { return std::abs(a - b) <= 1e-4 * (1 + std::abs(b)); }

template <class Container>
auto values(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<typename Container::value_type>(h.begin(), h.end());
}

/// The lines of the first table.
void table()
{
    const auto f = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    const auto g = SKELRT_FN((float p, float q) { return p - q; });
    const auto rows = SKELRT_FN((sk::vec<float> p, sk::vec<float> q) { return p[0] * q[0]; });
    const auto iota = SKELRT_FN((sk::index1 i) { return float(i.i); });
    const auto add = SKELRT_FN((float v, int at, sk::accumulator<float> to) { to.add(size_t(at), v); });
    const std::size_t n = 4;
    sk::vector<float> x{1, 2, 3, 4}, y(4, 1.0f), h(4, 0.0f);
    const sk::vector<int> index{3, 3, 0, 1};
    sk::matrix<float> a{{1, 2}, {3, 4}}, b{{5, 6}, {7, 8}}, c, m;

    y = f(2.0f, x, y);
    expect(values(y) == std::vector<float>{3, 5, 7, 9}, "map");
    x = sk::generate(iota)(sk::shape(n));
    expect(values(x) == std::vector<float>{0, 1, 2, 3}, "generate");
    float s = sk::reduce(sk::plus, 0.0f)(x);
    expect(s == 6, "reduce");
    const auto least = sk::reduce(sk::minimum);
    const auto most = sk::reduce(sk::maximum);
    float low, high;
    sk::tie(low, high) = sk::together(least, most)(x);
    expect(low == 0 && high == 3, "together");
    y = sk::scan(sk::plus)(x);
    expect(values(y) == std::vector<float>{0, 1, 3, 6}, "scan");
    y = sk::exclusive_scan(sk::plus, 0.0f)(x);
    expect(values(y) == std::vector<float>{0, 0, 1, 3}, "exclusive scan");
    m = sk::map_pairs(g)(x, y);
    expect(values(m)[7] == 1 - 3, "map_pairs");
    y = sk::map_pairs_reduce(g, sk::plus, 0.0f)(x, y);
    expect(values(y)[3] == 4 * 3 - 4, "map_pairs_reduce");
    c = sk::all_pairs(rows)(a, b);
    expect(values(c) == std::vector<float>{5, 7, 15, 21}, "all_pairs");
    c = sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(a, sk::transpose(b));
    expect(values(c) == std::vector<float>{19, 22, 43, 50}, "matrix product");
    m = sk::transpose(a);
    expect(values(m) == std::vector<float>{1, 3, 2, 4}, "transpose");
    y = sk::gather(x, index);
    expect(values(y) == std::vector<float>{3, 3, 0, 1}, "gather");
    const auto add_up = sk::for_each(add);
    add_up(x, index, h);
    expect(values(h) == std::vector<float>{2, 3, 0, 1}, "for_each");
    sk::scatter_add(x, index, h);
    expect(values(h) == std::vector<float>{4, 6, 0, 2}, "scatter_add");
    x = sk::sort(y);
    expect(values(x) == std::vector<float>{0, 1, 3, 3}, "sort");
    sk::sort_by_key(y, h);
    expect(values(y) == values(x) && values(h) == std::vector<float>{0, 2, 4, 6}, "sort_by_key");
}

void maps()
{
    const std::size_t n = 1000;
    sk::vector<float> x(n, 1.0f), y(n, 2.0f), z;
    sk::vector<float> coefficients{1.0f, 0.5f, 0.25f};
    sk::matrix<float> m(20, 50, 3.0f);

    auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    y = saxpy(2.0f, x, y);                 // 2.0f is the same everywhere; y is replaced in place
    y = saxpy(2.0f, x, saxpy(3.0f, x, y)); // one kernel, no temporary

    auto polynomial = sk::map(SKELRT_FN((float x, sk::vec<float> c) {
        float value = 0;
        for (int k = (int)c.size() - 1; k >= 0; --k) value = value * x + c[k];
        return value;
    }));
    z = polynomial(x, coefficients); // every position sees all coefficients

    auto ramp = sk::map(SKELRT_FN((sk::index2 at, float v) { return v + at.row * 100 + at.col; }));
    m = ramp(m);
    m.row(3) = saxpy(2.0f, m.row(4), m.row(5)); // parts are operands and destinations
    y.range(0, 20) = saxpy(1.0f, m.column(7), y.range(20, 20));

    expect(values(z)[5] == 1.75f, "polynomial");
    expect(values(m)[3 * 50] == 2 * 403 + 503, "rows");
    expect(values(y)[1] == (3 + 107) + 9, "columns and ranges");
}

void own_types()
{
    const sk::vector<point> places(100, point{3, 4});
    auto to_polar = sk::map(SKELRT_FN((point p) {
        polar q;
        q.radius = sqrt(p.x * p.x + p.y * p.y);
        q.angle = atan2(p.y, p.x);
        return q;
    }));
    sk::vector<float> radius, angle;
    sk::tie(radius, angle) = to_polar(places); // one pass, no vector of structs

    auto farthest = sk::reduce(sk::maximum);
    auto distance = sk::map(SKELRT_FN((point a, point b) { return squared_distance(a, b); }));
    float d = farthest(distance(places, point{0, 0}));

    expect(near(values(radius)[99], 5), "radius");
    expect(near(values(angle)[7], std::atan2(4.0, 3.0)), "angle");
    expect(near(d, 25), "distance");
}

void reductions()
{
    const sk::matrix<float> m(30, 40, 2.0f);
    const sk::vector<float> x(1000, 3.0f), y(1000, 0.5f);

    auto sum = sk::reduce(sk::plus, 0.0f);
    auto multiply = sk::map(sk::multiplies);
    float dot = sum(multiply(x, y));              // waits for this value only
    sk::scalar<float> norm = sum(multiply(x, x)); // does not wait: it may feed another call
    sk::vector<float> z = sk::map(sk::divides)(x, norm);
    sk::vector<float> of_rows = sum.by_row(m), of_columns = sum.by_column(m);

    expect(dot == 1500, "dot");
    expect(near(values(z)[0], 3.0 / 9000), "scalar as operand");
    expect(values(of_rows)[29] == 80 && values(of_columns)[39] == 60, "rows and columns");
}

void several_reductions()
{
    const sk::matrix<float> m(30, 40, 2.0f);
    sk::vector<float> x(1000, 3.0f);
    const sk::vector<float> y(1000, 0.5f);
    sk::host(x)[7] = -1;
    auto sum = sk::reduce(sk::plus, 0.0f);
    auto multiply = sk::map(sk::multiplies);

    auto least = sk::reduce(sk::minimum);
    auto most = sk::reduce(sk::maximum);
    float low, high, all;
    sk::tie(low, high, all) = sk::together(least, most, sum)(x); // x is read once; waits for these three

    sk::scalar<float> xy, xx;
    sk::tie(xy, xx) = sk::together(sum(x * y), sum(multiply(x, x))); // maps of their own; does not wait

    sk::vector<float> low_of_rows, all_of_rows;
    sk::tie(low_of_rows, all_of_rows) = sk::together(least, sum).by_row(m);
    auto [of_y, apart] = sk::together(sum(y), most(sk::abs(x - y))).get(); // waits

    expect(low == -1 && high == 3 && all == 2996, "together");
    expect(xy.get() == 1498 && xx.get() == 8992, "together, of maps");
    expect(values(low_of_rows)[29] == 2 && values(all_of_rows)[29] == 80, "together, by row");
    expect(of_y == 500 && apart == 2.5f, "together, to a tuple");
}

void scalars()
{
    sk::vector<float> r(1000, 1.0f);
    const sk::vector<float> d(1000, 1.0f);
    auto sum = sk::reduce(sk::plus, 0.0f);
    auto multiply = sk::map(sk::multiplies);

    auto divide = sk::map(sk::divides);
    auto forward = sk::map(SKELRT_FN((float x, float a, float d) { return x + a * d; }));
    sk::scalar<float> rr = sum(multiply(r, r));
    for (int i = 0; i < 3; ++i) {
        sk::scalar<float> rd = sum(multiply(r, d));
        sk::scalar<float> a = divide(rr, rd); // where rr and rd are
        r = forward(r, a, d);
        rr = sum(multiply(r, r));
    }
    float last = rr.get(); // the only wait

    expect(near(last, 64000), "scalars"); // each step doubles r
}

void scans()
{
    const sk::vector<int> lengths{3, 1, 4, 1, 5};
    const sk::matrix<int> m{{1, 2, 3}, {4, 5, 6}};

    sk::vector<int> ends = sk::scan(sk::plus)(lengths);
    sk::vector<int> starts = sk::exclusive_scan(sk::plus, 0)(lengths);
    sk::matrix<int> summed_area = sk::scan(sk::plus).by_column(sk::matrix<int>(sk::scan(sk::plus).by_row(m)));

    expect(values(ends) == std::vector<int>{3, 4, 8, 9, 14}, "inclusive");
    expect(values(starts) == std::vector<int>{0, 3, 4, 8, 9}, "exclusive");
    expect(values(summed_area) == std::vector<int>{1, 3, 6, 5, 12, 21}, "summed area");
}

void sorts()
{
    const sk::vector<point> places{{3, 4}, {1, 0}, {0, 2}};

    auto nearer = SKELRT_FN((point a, point b) { return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y; });
    sk::vector<point> by_distance = sk::sort(places, nearer);

    expect(values(by_distance)[0].x == 1 && values(by_distance)[2].y == 4, "sort with a comparator");
}

void stencils()
{
    sk::matrix<float> u(100, 80, 0.0f);
    sk::host(u)(50, 40) = 100.0f;

    auto heat =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(0.0f));
    u = heat(u);              // one step
    u = heat.iterate(100, u); // a hundred; several in one pass over memory where that pays

    auto difference = sk::map(SKELRT_FN((float a, float b) { return fabs(a - b); }));
    auto largest = sk::reduce(sk::maximum, 0.0f);
    auto settled = [&](const auto& now, const auto& before) { return largest(difference(now, before)) < 1e-2f; };
    u = heat.iterate_until(settled, 10, u); // asks after every tenth step; on the host, between steps

    const float most = largest(u);
    expect(most > 0 && most < 1, "heat");
}

void more_stencils()
{
    sk::matrix<float> image(60, 90, 0.5f), u(40, 40, 0.0f);
    const sk::matrix<float> f(40, 40, 1.0f);
    const sk::vector<float> weights{0.25f, 0.5f, 0.25f};

    auto smooth = sk::stencil(SKELRT_FN((sk::hood1<float> u, sk::vec<float> w) {
                                  float sum = 0;
                                  for (int k = -1; k <= 1; ++k) sum += w[k + 1] * u(k);
                                  return sum;
                              }),
                              sk::border::nearest(), sk::reach(1)); // k is no literal: the reach is given
    image = smooth.separable(image, weights);                       // along the rows, then down the columns

    auto relax = sk::stencil(
        SKELRT_FN((sk::hood2<float> u, float f) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + f); }),
        sk::border::constant(0.0f));
    u = relax.red_black(20, u, f); // Gauss-Seidel: even positions, then odd ones, which see the new even ones

    auto gradient =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return fabs(u(0, 1) - u(0, -1)) + fabs(u(1, 0) - u(-1, 0)); }),
                    sk::border::nearest());
    auto threshold = sk::map(SKELRT_FN((float v) { return v > 0.1f ? 1.0f : 0.0f; }));
    sk::matrix<float> edges = sk::sequence(gradient, threshold)(image); // the map becomes part of the stencil's kernel

    sk::matrix<float> out(60, 90, 1.0f);
    out.sub(1, 1, 58, 88) = gradient(sk::with_neighbours(image.sub(1, 1, 58, 88)));
    out.sub(1, 1, 58, 88) = out.sub(1, 1, 58, 88) + gradient(sk::with_neighbours(image.sub(1, 1, 58, 88)));

    expect(near(values(image)[100], 0.5), "separable");
    expect(values(out)[0] == 1 && near(values(out)[91], 0), "with neighbours");
    expect(values(u)[20 * 40 + 20] > 1, "red-black");
    expect(values(edges) == std::vector<float>(60 * 90, 0.0f), "sequence");
}

void tables()
{
    const std::string written = "sitting", meant = "kitten";
    const sk::vector<char> a(written.begin(), written.end()), b(meant.begin(), meant.end());
    const sk::vector<int> above{1, 2, 3, 4, 5, 6}, left{1, 2, 3, 4, 5, 6, 7};
    sk::matrix<int> table;
    sk::matrix<float> costs{{1, 9, 1}, {9, 2, 9}, {9, 9, 3}};

    auto distances = sk::wavefront(SKELRT_FN((sk::before2<int> d, char a, char b) {
        int best = a == b ? d.diagonal() : d.diagonal() + 1;
        if (d.left() + 1 < best) best = d.left() + 1;
        if (d.above() + 1 < best) best = d.above() + 1;
        return best;
    }));
    table = distances(sk::edges(above, left, 0), sk::per_row(a), sk::per_column(b));

    auto cheapest = sk::wavefront(
        SKELRT_FN((sk::before2<float> d, float cost) { return cost + fmin(d.diagonal(), fmin(d.left(), d.above())); }),
        sk::border::constant(0.0f));
    costs = cheapest(costs); // in place

    expect(values(table).back() == 3, "Levenshtein");
    expect(values(costs) == std::vector<float>{1, 9, 1, 9, 3, 10, 9, 12, 6}, "cheapest paths");
}

void volumes()
{
    sk::tensor<float, 3> t({12, 13, 14}, 1.0f);
    auto mean =
        sk::stencil(SKELRT_FN((sk::hood3<float> u) {
                        return (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1)) / 6;
                    }),
                    sk::border::cyclic());
    t = mean.iterate(5, t);
    sk::matrix<float> slice = sk::map(sk::negate)(t.plane(3));

    expect(near(values(t)[1000], 1), "mean of a tensor");
    expect(near(values(slice)[13 * 14 - 1], -1), "plane");
}

void pairs()
{
    const std::size_t n = 50;
    const sk::vector<point> bodies = sk::generate(SKELRT_FN((sk::index1 i) {
        point p;
        p.x = i.i, p.y = 2 * i.i;
        return p;
    }))(sk::shape(n));

    auto distances = sk::map_pairs(SKELRT_FN((point a, point b) { return squared_distance(a, b); }));
    sk::matrix<float> all = distances(bodies, bodies);
    auto largest = sk::reduce(sk::maximum, 0.0f);
    sk::vector<float> farthest = largest.by_row(distances(bodies, bodies)); // the matrix is never stored

    expect(values(all)[n - 1] == 5 * 49 * 49, "all pairs");
    expect(values(farthest)[n - 1] == 5 * 49 * 49, "reduced");
}

void products()
{
    const sk::matrix<float> a(30, 20, 1.0f), b(20, 10, 2.0f);

    auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    sk::matrix<float> c = product(a, sk::transpose(b)); // rows of a with columns of b
    auto hops = sk::all_pairs(sk::plus, sk::minimum);   // shortest ways, one more edge
    sk::matrix<float> d = hops(a, sk::transpose(b));

    const sk::vector<float> x(20, 0.5f), w(30, 0.5f);
    {
        sk::vector<float> y = product(a, x);                // a times x
        sk::vector<float> z = product(w, sk::transpose(a)); // w times a
        z = 2.0f * product(sk::transpose(a), y) - z;
        expect(values(y)[29] == 10 && values(z)[19] == 2 * 300 - 15, "products with vectors");
    }

    sk::matrix<float> sums(30, 10, 1.0f);
    {
        sk::matrix<float>& c = sums;
        c += product(a, sk::transpose(b));
        c = 0.5f * product(a, sk::transpose(b)) - 2.0f * c;
        c.sub(0, 0, 10, 5) += product(a.sub(0, 0, 10, 8), b.sub(0, 0, 5, 8));
    }

    auto scale = sk::map(SKELRT_FN((float weight, float v) { return weight * v; }));
    const sk::vector<float> weights(30, 0.5f);
    c = scale(sk::per_row(weights), c); // one weight for each row

    expect(values(c)[299] == 20, "product");
    expect(values(sums)[299] == 20 - 2 * 41 && values(sums)[0] == 20 - 2 * 41 + 16, "sums of products");
    expect(values(d)[0] == 3, "tropical product");
}

void accumulators()
{
    const sk::vector<float> samples{0.15f, 0.25f, 0.91f, 0.95f};
    sk::vector<int> counts(10, 0);

    auto count = sk::for_each(SKELRT_FN((float v, sk::accumulator<int> bins) { bins.add(int(v * 10), 1); }));
    count(samples, counts); // adds to what counts holds

    sk::vector<float> least(2, 1.0f);
    auto lowest = sk::for_each(SKELRT_FN((float v, sk::min_accumulator<float> of) { of.min(v < 0.5f ? 0 : 1, v); }));
    lowest(samples, least);
    expect(values(least) == std::vector<float>{0.15f, 0.91f}, "least");

    sk::vector<double> totals(10, 0.0);
    sk::vector<int> how_many(10, 0);
    auto add_up = sk::for_each(SKELRT_FN((float v, sk::accumulator<double> sums, sk::accumulator<int> counts) {
        sums.add(int(v * 10), v);
        counts.add(int(v * 10), 1);
    }));
    add_up(samples, totals, how_many); // one pass
    expect(values(how_many)[1] == 1 && values(totals)[1] == double{0.15f}, "sums");

    sk::vector<int> owners(10, -1);
    auto claim = sk::for_each(SKELRT_FN((sk::index1 i, float v, sk::atomic_vec<int> owner) {
        owner.compare_exchange(int(v * 10), -1, int(i.i)); // whoever comes first
    }));
    claim(samples, owners);
    expect(values(owners)[1] == 0 && values(owners)[9] >= 2 && values(owners)[0] == -1, "owners");

    sk::vector<float> turned(5, 7.0f);
    const sk::vector<int> permutation{3, 2, 1, 0};
    auto place = sk::for_each(SKELRT_FN((float v, int to, sk::out_vec<float> y) { y.set(to, v); }));
    place(samples, permutation, turned);
    expect(values(turned) == std::vector<float>{0.95f, 0.91f, 0.25f, 0.15f, 7.0f}, "turned");

    sk::vector<unsigned> h = sk::histogram(samples, 10, 0.0f, 1.0f);
    expect(values(h) == std::vector<unsigned>{0, 1, 1, 0, 0, 0, 0, 0, 0, 2}, "histogram");
    expect(values(counts) == std::vector<int>{0, 1, 1, 0, 0, 0, 0, 0, 0, 2}, "counts");

    auto above = sk::filter(SKELRT_FN((float v, float bound) { return v > bound; }));
    sk::vector<float> high = above(samples, 0.5f);
    expect(high.size() == 2, "filter");
}

void random_numbers()
{
    const std::size_t n = 100'000;

    auto inside = sk::map(SKELRT_FN((sk::random r) {
        float x = r.uniform(), y = r.uniform();
        return x * x + y * y < 1 ? 1 : 0;
    }));
    auto sum = sk::reduce(sk::plus, 0);
    int hits = sum(inside(sk::shape(n), sk::random_seed{42}));
    double pi = 4.0 * hits / n;

    expect(std::abs(pi - 3.14159) < 0.02, "pi");
}

void hints()
{
    sk::matrix<float> grid(64, 64, 1.0f), copies(4, 100, 1.0f);

    sk::distribute(grid, sk::distribution::overlap(2)); // no tile shorter than two rows
    sk::vector<float> one = sk::distribute(copies, sk::distribution::block(), sk::plus); // adds up what four did alone

    expect(values(one)[99] == 4, "combined");
    expect(values(grid)[0] == 1, "distributed");
}

void operators()
{
    const sk::vector<float> a{1, 2}, b{3, 4}, c{1, 1}, d{1, 1};
    sk::vector<float> e, x(20, 4.0f), y(20, 1.0f), unit;
    sk::matrix<float> m{{1, 2, 3}, {4, 5, 6}};
    const sk::vector<float> v{2, 3};
    const auto total = sk::reduce(sk::plus, 0.0f);

    e = (a + b) * (c + d);
    x += 2.0f * y;
    x.range(0, 10) -= y.range(5, 10);
    y = sk::where(x < 0.0f, 0.0f, sk::sqrt(x));
    m = m * sk::per_row(v); // every row by its own weight
    y = x / total(x);       // the reduction comes first, into a scalar; nobody waits
    unit = x / sk::sqrt(total(x * x));
    m -= sk::per_row(total.by_row(m) / 3.0f); // every row without its mean
    if (sk::all(a == b)) e = a;

    expect(values(e) == std::vector<float>{8, 12}, "operators");
    expect(near(values(m)[0], -2) && near(values(m)[2], 2) && near(values(m)[5], 3), "per_row");
    expect(near(values(y)[0], 5.0 / 110) && near(values(y)[19], 6.0 / 110), "by a sum");
    expect(near(values(unit)[0] / values(unit)[19], 5.0 / 6), "by a norm");
}

void captured_values()
{
    const sk::vector<float> x{1, 2};
    sk::vector<float> y;

    const float slope = 2;
    const int shift = 3;
    auto line = sk::map(SKELRT_FN_WITH((slope, shift), (float x) { return slope * x + static_cast<float>(shift); }));
    y = line(x);

    expect(values(y) == std::vector<float>{5, 7}, "captured values");
}

void errors()
{
    const sk::vector<float> x(100, 1.0f), y(99, 1.0f);
    sk::vector<float> z;
    std::string message;
    const std::string place = "guide.cpp:" + std::to_string(__LINE__ + 2);

    auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    try {
        z = add(x, y);
    } catch (const sk::error& e) {
        message = e.what(); // names the map, the line of its function, and both sizes
    }

    for (const std::string& part : {std::string("map ("), place, std::string("100"), std::string("99")})
        expect(message.find(part) != std::string::npos, "an error names the map, its line, and both sizes");
}

} // namespace

int main()
{
    const sk::runtime rt;
    table();
    maps();
    own_types();
    reductions();
    several_reductions();
    scalars();
    scans();
    sorts();
    stencils();
    more_stencils();
    tables();
    volumes();
    pairs();
    products();
    accumulators();
    random_numbers();
    hints();
    operators();
    captured_values();
    errors();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
