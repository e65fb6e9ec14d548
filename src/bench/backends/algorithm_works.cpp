// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/backends/skeleton_works.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

using floats = sk::vector<float>;
using ints = sk::vector<int>;

/// value(i) at each of n places.
template <class T, class Value>
sk::vector<T> made(std::size_t n, Value value)
{
    sk::vector<T> all(n, sk::uninitialized);
    const auto here = sk::host_write(all);
    for (std::size_t i = 0; i < n; ++i) here[i] = static_cast<T>(value(i));
    return all;
}

/// Three diagonals.
sk::csr<float> banded(std::size_t n)
{
    std::vector<sk::triplet<float>> entries;
    entries.reserve(3 * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = std::max<std::size_t>(i, 1) - 1; j < std::min(i + 2, n); ++j)
            entries.push_back({i, j, 0.5f});
    return {n, n, entries};
}

/// Operands of all works, which leave them as they are.
struct operands {
    explicit operands(std::size_t n)
        : x(made<float>(n, [](std::size_t i) { return static_cast<float>(i * 7919 % 1000) * 0.001f; })),
          keys(made<int>(n, [](std::size_t i) { return i * 7919 % 1'000'003; })),
          runs(made<int>(n, [](std::size_t i) { return i / 10; })),
          rising(made<int>(n / 2, [](std::size_t i) { return 2 * i; })),
          others(made<int>(n / 2, [](std::size_t i) { return 2 * i + 1; })),
          places(made<int>(n, [n](std::size_t i) { return n - 1 - i; })), a(banded(n / 4)),
          of_a(made<float>(n / 4, [](std::size_t i) { return i % 10; }))
    {
    }
    floats x;
    ints keys, runs, rising, others;
    ints places; ///< each once
    sk::csr<float> a;
    floats of_a;
};

/// `f` makes what is assigned.
template <class Result, class Make>
skeleton_work to(const char* name, std::shared_ptr<operands> all, Make f)
{
    auto y = std::make_shared<Result>();
    return {name, [=] { *y = f(*all); }, [=] { sk::wait(*y); }};
}

/// `f` changes elements that are there.
template <class T, class Change>
skeleton_work change(const char* name, std::shared_ptr<operands> all, std::size_t n, Change f)
{
    auto y = std::make_shared<sk::vector<T>>(n, T{0});
    return {name, [=] { f(*all, *y); }, [=] { sk::wait(*y); }};
}

void add_scattered(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    const std::size_t n = all->x.size();
    works.push_back(change<int>("atomic_vec", all, 1 << 16, [](operands& o, ints& y) {
        static const auto f =
            sk::for_each(SKELRT_FN((int v, sk::atomic_vec<int> most) { most.max((size_t)(v % 65536), v); }));
        f(o.keys, y);
    }));
    works.push_back(change<float>("out_vec", all, n, [](operands& o, floats& y) {
        static const auto f =
            sk::for_each(SKELRT_FN((float v, int to, sk::out_vec<float> all) { all.set((size_t)to, v); }));
        f(o.x, o.places, y);
    }));
    works.push_back(to<floats>("gather", all, [](operands& o) { return sk::gather(o.x, o.places); }));
    works.push_back(change<float>("scatter", all, n, [](operands& o, floats& y) { sk::scatter(o.x, o.places, y); }));
    works.push_back(to<floats>("csr times vector", all, [](operands& o) { return o.a * o.of_a; }));
}

void add_by_key(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    auto keys = std::make_shared<ints>();
    auto values = std::make_shared<floats>();
    works.push_back({"sort_by_key of copies",
                     [=] {
                         static const auto copy = sk::map(SKELRT_FN((auto v) { return v; }));
                         *keys = copy(all->keys);
                         *values = copy(all->x);
                         sk::sort_by_key(*keys, *values);
                     },
                     [=] { sk::wait(*values); }});
    works.push_back(
        to<floats>("reduce_by_key", all, [](operands& o) { return sk::reduce_by_key(o.runs, o.x, sk::plus).values; }));
    works.push_back(to<floats>("scan_by_key", all, [](operands& o) { return sk::scan_by_key(o.runs, o.x, sk::plus); }));
}

void add_orders(std::vector<skeleton_work>& works, const std::shared_ptr<operands>& all)
{
    works.push_back(to<ints>("unique", all, [](operands& o) { return sk::unique(o.runs); }));
    works.push_back(to<floats>("partition", all, [](operands& o) {
        return sk::partition(o.x, SKELRT_FN((float v) { return v < 0.5f; })).elements;
    }));
    works.push_back(to<ints>("merge", all, [](operands& o) { return sk::merge(o.rising, o.others); }));
    works.push_back(to<ints>("top_k", all, [](operands& o) { return sk::top_k(o.keys, 1000); }));
}

} // namespace

std::vector<skeleton_work> algorithm_works(std::size_t n)
{
    const auto all = std::make_shared<operands>(n);
    std::vector<skeleton_work> works;
    add_scattered(works, all);
    add_by_key(works, all);
    add_orders(works, all);
    return works;
}

} // namespace bench
