// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/backends/skeleton_works.hpp"

#include "src/bench/shared/timing.hpp"

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <memory>

namespace bench
{
namespace
{

namespace sk = skelrt;

using vector = sk::vector<float>;
using matrix = sk::matrix<float>;

/// Operands of all works, which leave them as they are.
struct operands {
    explicit operands(std::size_t n)
        : side(static_cast<std::size_t>(std::sqrt(static_cast<double>(n)))), x(side * side), keys(side * side),
          m(side, side), small(512, 512, 0.5f)
    {
        const auto xs = sk::host(x);
        const auto ms = sk::host(m);
        const auto ks = sk::host(keys);
        for (std::size_t i = 0; i < side * side; ++i) {
            ks[i] = static_cast<int>(i * 7919 % 1'000'003);
            xs[i] = ms.data()[i] = static_cast<float>(i % 1000) * 0.001f;
        }
    }
    std::size_t side;
    vector x;
    sk::vector<int> keys;
    matrix m, small;
};

/// To a container: `f` makes what is assigned.
template <class Result, class Make>
skeleton_work to(const char* name, std::shared_ptr<operands> all, Make f)
{
    auto y = std::make_shared<Result>();
    return {name, [=] { *y = f(*all); }, [=] { sk::wait(*y); }};
}

/// To a value, which is waited for by asking for it.
template <class Make>
skeleton_work to_value(const char* name, std::shared_ptr<operands> all, Make f)
{
    auto y = std::make_shared<sk::scalar<float>>();
    return {name, [=] { *y = f(*all); }, [=] { keep(y->get()); }};
}

skeleton_work counted(const std::shared_ptr<operands>& all)
{
    auto h = std::make_shared<sk::vector<int>>(64, 0);
    return {"for_each",
            [=] {
                static const auto count =
                    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> bins) { bins.add((size_t)(v % 64), 1); }));
                count(all->keys, *h);
            },
            [=] { sk::wait(*h); }};
}

void add_maps(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    works.push_back(to<vector>("map", all, [](operands& o) {
        static const auto f = sk::map(SKELRT_FN((float v) { return v * 0.5f + 1.0f; }));
        return f(o.x);
    }));
    works.push_back(to<vector>("generate", all, [](operands& o) {
        static const auto f = sk::generate(SKELRT_FN((sk::index1 i) { return (float)(i.i % 100); }));
        return f(sk::shape(o.x.size()));
    }));
    works.push_back(to<matrix>("map_pairs", all, [](operands& o) {
        static const auto f = sk::map_pairs(SKELRT_FN((float a, float b) { return a * b; }));
        return f(o.m.row(0), o.m.row(1));
    }));
    works.push_back(to<matrix>("all_pairs", all, [](operands& o) {
        static const auto f = sk::all_pairs(SKELRT_FN((float a, float b) { return a > b ? a - b : b - a; }), sk::plus);
        return f(o.small, o.small);
    }));
    works.push_back(counted(all));
}

void add_reductions(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    works.push_back(to_value("reduce", all, [](operands& o) { return sk::reduce(sk::plus, 0.0f)(o.x); }));
    works.push_back(
        to<vector>("reduce, rows", all, [](operands& o) { return sk::reduce(sk::plus, 0.0f).by_row(o.m); }));
    works.push_back(
        to<vector>("reduce, columns", all, [](operands& o) { return sk::reduce(sk::plus, 0.0f).by_column(o.m); }));
    works.push_back(to<vector>("scan", all, [](operands& o) { return sk::scan(sk::plus)(o.x); }));
    works.push_back(to<matrix>("scan, rows", all, [](operands& o) { return sk::scan(sk::plus).by_row(o.m); }));
    works.push_back(to<matrix>("scan, columns", all, [](operands& o) { return sk::scan(sk::plus).by_column(o.m); }));
}

void add_selections(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    works.push_back(to<vector>("filter", all, [](operands& o) {
        static const auto f = sk::filter(SKELRT_FN((float v) { return v < 0.5f; }));
        return f(o.x);
    }));
    works.push_back(to<sk::vector<int>>("sort", all, [](operands& o) { return sk::sort(o.keys); }));
    works.push_back(to<matrix>("transpose", all, [](operands& o) { return sk::transpose(o.m); }));
    works.push_back(
        to<sk::vector<unsigned>>("histogram", all, [](operands& o) { return sk::histogram(o.x, 64, 0.0f, 1.0f); }));
}

void add_neighbours(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    works.push_back(to<matrix>("stencil", all, [](operands& o) {
        static const auto f =
            sk::stencil(SKELRT_FN((sk::hood2<float> h) { return 0.25f * (h(-1, 0) + h(1, 0) + h(0, -1) + h(0, 1)); }),
                        sk::border::nearest());
        return f(o.m);
    }));
    works.push_back(to<matrix>("stencil, 10 steps", all, [](operands& o) {
        static const auto f = sk::stencil(
            SKELRT_FN((sk::hood2<float> h) { return 0.2f * (h(-1, 0) + h(1, 0) + h(0, -1) + h(0, 1) + h(0, 0)); }),
            sk::border::nearest());
        return f.iterate(10, o.m);
    }));
    works.push_back(to<matrix>("wavefront", all, [](operands& o) {
        static const auto f = sk::wavefront(SKELRT_FN((sk::before2<float> b, float v) {
                                                const float up = b.above(), left = b.left();
                                                return (up > left ? up : left) * 0.5f + v;
                                            }),
                                            sk::border::constant(0.0f));
        return f(o.m);
    }));
}

} // namespace

std::vector<skeleton_work> skeleton_works(std::size_t n)
{
    const auto all = std::make_shared<operands>(n);
    std::vector<skeleton_work> works;
    add_maps(works, all);
    add_reductions(works, all);
    add_selections(works, all);
    add_neighbours(works, all);
    return works;
}

} // namespace bench
