// SPDX-License-Identifier: BSD-3-Clause
/// Plans choose how many threads a block has, for every skeleton. Runs on the GPUs that are in use; OpenCL on the CPU
/// stands for one. Exit code 77: there is none.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include "../tasks_run.hpp"
#include "run_cases.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace sk = skelrt;

SKELRT_SHARED(
    struct pair_of_numbers { int a, b; }; struct large { int rank, more[15]; };)

using Catch::Contains;
using sk::device;

namespace
{

constexpr std::size_t n = 100'003, rows = 301, cols = 257;

std::vector<device> gpus; ///< kinds that are in use
sk::runtime* the_runtime = nullptr;

sk::plan in_blocks_of(device kind, unsigned threads) { return sk::plan({{kind, 1, 0, 0, 0, threads}}); }

unsigned long tasks_on(device kind)
{
    the_runtime->wait();
    return tasks_run(kind == device::cuda ? STARPU_CUDA_WORKER : STARPU_OPENCL_WORKER);
}

std::vector<int> values(const sk::vector<int>& v)
{
    const auto view = sk::host_read(v);
    return {view.begin(), view.end()};
}
std::vector<int> values(const sk::matrix<int>& m)
{
    const auto view = sk::host_read(m);
    return {view.data(), view.data() + m.rows() * m.cols()};
}
std::vector<int> values(int x) { return {x}; }

/// Call(plan) gives what it gives on the cores, on every GPU in blocks of all these sizes.
template <class Call>
void check(const Call& call, const std::vector<unsigned>& sizes)
{
    const auto expected = values(call(sk::plan({{device::cpu}})));
    for (const device kind : gpus)
        for (const unsigned threads : sizes) {
            INFO("blocks of " << threads << " on " << (kind == device::cuda ? "CUDA" : "OpenCL"));
            tasks_on(kind);
            const bool same = values(call(in_blocks_of(kind, threads))) == expected;
            CHECK(same);
            CHECK(tasks_on(kind) > 0);
        }
}

const std::vector<unsigned> powers{64, 1024}, all_powers{32, 64, 128, 256, 512, 1024}, few{32, 128, 1024};

sk::vector<int> numbers()
{
    sk::vector<int> v(n);
    const auto view = sk::host(v);
    for (std::size_t i = 0; i < n; ++i) view[i] = static_cast<int>(i * 7919 % 1009);
    return v;
}
sk::matrix<int> table()
{
    sk::matrix<int> m(rows, cols);
    const auto view = sk::host(m);
    for (std::size_t i = 0; i < rows * cols; ++i) view.data()[i] = static_cast<int>(i * 7919 % 1009);
    return m;
}

} // namespace

TEST_CASE("maps in blocks of any size", "[blocks]")
{
    auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    const auto x = numbers();
    const auto m = table();
    check([&](const sk::plan& p) -> sk::vector<int> { return twice.use(p)(x); }, {32, 1024});
    check([&](const sk::plan& p) -> sk::matrix<int> { return twice.use(p)(m.sub(3, 5, 200, 100)); }, {96});
}

TEST_CASE("for_each in blocks of any size", "[blocks]")
{
    auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> h) { h.add((size_t)(v % 7), v); }));
    const auto x = numbers();
    for (const std::size_t bins : {std::size_t{7}, std::size_t{20'000}}) // in a block's memory, and too large for it
        check(
            [&](const sk::plan& p) {
                sk::vector<int> h(bins, 0);
                count.use(p)(x, h);
                return h;
            },
            powers);
}

TEST_CASE("reductions in blocks of any size", "[blocks]")
{
    auto sum = sk::reduce(sk::plus, 0);
    const auto x = numbers();
    const auto m = table();
    check([&](const sk::plan& p) -> int { return sum.use(p)(x); }, powers);
    check([&](const sk::plan& p) -> sk::vector<int> { return sum.use(p).by_row(m); }, powers);
    check([&](const sk::plan& p) -> sk::vector<int> { return sum.use(p).by_column(m); }, powers);
}

TEST_CASE("scans in blocks of any size", "[blocks]")
{
    auto sums = sk::scan(sk::plus);
    const auto x = numbers();
    const auto m = table();
    check([&](const sk::plan& p) -> sk::vector<int> { return sums.use(p)(x); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return sums.use(p).by_row(m); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return sums.use(p).by_column(m); }, powers);
    // Lines with gaps between them, one column, and more columns than a group has items.
    check([&](const sk::plan& p) -> sk::matrix<int> { return sums.use(p)(m.sub(3, 5, 200, 100)); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return sums.use(p).by_column(m.sub(0, 7, 301, 1)); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return sums.use(p).by_column(m.sub(1, 0, 40, 257)); }, powers);
    auto before = sk::exclusive_scan(sk::plus, 5);
    check([&](const sk::plan& p) -> sk::vector<int> { return before.use(p)(x); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return before.use(p).by_row(m); }, powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return before.use(p).by_column(m); }, powers);
}

TEST_CASE("scans whose operator keeps an order, in blocks of any size", "[blocks]")
{
    // Of pairs the left one is the factor: (a, b) then (c, d) is (a c, b c + d), modulo a prime.
    auto affine = sk::scan(SKELRT_FN((pair_of_numbers f, pair_of_numbers g) {
        return pair_of_numbers{f.a * g.a % 1009, (f.b * g.a + g.b) % 1009};
    }));
    auto make = sk::map(SKELRT_FN((int v) { return pair_of_numbers{v % 7 + 1, v}; }));
    auto second = sk::map(SKELRT_FN((pair_of_numbers f) { return f.b; }));
    const auto x = numbers();
    check(
        [&](const sk::plan& p) -> sk::vector<int> {
            const sk::vector<pair_of_numbers> all = affine.use(p)(make(x));
            return second(all);
        },
        powers);
}

TEST_CASE("filters in blocks of any size", "[blocks]")
{
    auto odd = sk::filter(SKELRT_FN((int v) { return v % 2 == 1; }));
    const auto x = numbers();
    check([&](const sk::plan& p) -> sk::vector<int> { return odd.use(p)(x); }, powers);
    const auto m = table();
    check([&](const sk::plan& p) -> sk::vector<int> { return odd.use(p)(m.sub(3, 5, 200, 100)); }, powers);
    auto few = sk::filter(SKELRT_FN((int v) { return v == 3; }));
    check([&](const sk::plan& p) -> sk::vector<int> { return few.use(p)(x); }, powers);
    check(
        [&](const sk::plan& p) -> sk::vector<int> {
            const sk::follow all(p);
            return sk::partition(x, SKELRT_FN((int v) { return v % 3 == 1; })).elements;
        },
        powers);
}

TEST_CASE("stencils in blocks of 64 and more", "[blocks]")
{
    const std::vector<unsigned> sizes{64, 512};
    auto line = sk::stencil(SKELRT_FN((sk::hood1<int> h) { return h(-1) + h(1); }), sk::border::cyclic());
    auto cross = sk::stencil(SKELRT_FN((sk::hood2<int> h) { return (h(-1, 0) + h(1, 0) + h(0, -1) + h(0, 1)) / 4; }),
                             sk::border::nearest());
    const auto x = numbers();
    const auto m = table();
    check([&](const sk::plan& p) -> sk::vector<int> { return line.use(p)(x); }, sizes);
    check([&](const sk::plan& p) -> sk::matrix<int> { return cross.use(p)(m); }, sizes);
    check([&](const sk::plan& p) -> sk::matrix<int> { return cross.use(p).iterate(5, m); }, sizes);
}

TEST_CASE("products in blocks of any size", "[blocks]")
{
    auto product = sk::all_pairs(sk::multiplies, sk::plus); // of integers: no BLAS has them
    auto distance = sk::all_pairs(SKELRT_FN((int a, int b) { return a > b ? a - b : b - a; }), sk::maximum);
    const auto m = table();
    check([&](const sk::plan& p) -> sk::matrix<int> { return product.use(p)(sk::transpose(m), sk::transpose(m)); },
          few);
    check([&](const sk::plan& p) -> sk::matrix<int> { return distance.use(p)(m, m); }, {128});
    check(
        [&](const sk::plan& p) -> sk::matrix<int> { return product.use(p)(m.sub(3, 5, 1, 100), m.sub(7, 2, 33, 100)); },
        few);
}

TEST_CASE("products that a BLAS would do are done in a plan's blocks", "[blocks]")
{
    auto product = sk::all_pairs(sk::multiplies, sk::plus);
    sk::matrix<float> a(65, 33);
    {
        const auto view = sk::host(a);
        for (std::size_t i = 0; i < 65 * 33; ++i) view.data()[i] = static_cast<float>(i % 11);
    }
    auto whole = sk::map(SKELRT_FN((float v) { return (int)v; }));
    check(
        [&](const sk::plan& p) -> sk::matrix<int> {
            const sk::matrix<float> c = product.use(p)(a, a);
            return whole(c);
        },
        few);
}

TEST_CASE("sorts in blocks of any size", "[blocks]")
{
    const auto x = numbers();
    const auto sorted = [&](const sk::plan& p) -> sk::vector<int> {
        const sk::follow all(p);
        return sk::sort(x);
    };
    check(sorted, all_powers);
    check(
        [&](const sk::plan& p) -> sk::vector<int> {
            const sk::follow all(p);
            return sk::sort(x, SKELRT_FN((int a, int b) { return a % 10 < b % 10; }));
        },
        powers);
    check(
        [&](const sk::plan& p) {
            auto keys = numbers(), values = numbers();
            const sk::follow all(p);
            sk::sort_by_key(keys, values);
            return values;
        },
        powers);
}

TEST_CASE("wavefronts in blocks of any size", "[blocks]")
{
    auto paths = sk::wavefront(
        SKELRT_FN((sk::before2<int> d, int v) { return (d.left() + 2 * d.above() + 3 * d.diagonal() + v) % 1009; }),
        sk::border::constant(1));
    const auto m = table();
    check([&](const sk::plan& p) -> sk::matrix<int> { return paths.use(p)(m); }, all_powers);
    check([&](const sk::plan& p) -> sk::matrix<int> { return paths.use(p)(m.sub(3, 5, 200, 1)); }, powers);
    auto pairs = sk::wavefront(SKELRT_FN((sk::before2<pair_of_numbers> d, int v) {
                                   return pair_of_numbers{(d.left().a + d.above().b + v) % 1009, d.diagonal().a};
                               }),
                               sk::border::constant(pair_of_numbers{1, 2}));
    auto first = sk::map(SKELRT_FN((pair_of_numbers v) { return v.a; }));
    check(
        [&](const sk::plan& p) -> sk::matrix<int> {
            const sk::matrix<pair_of_numbers> all = pairs.use(p)(m);
            return first(all);
        },
        all_powers);
}

TEST_CASE("merges and products of sparse matrices in blocks of any size", "[blocks]")
{
    const std::vector<unsigned> sizes{32, 96, 128, 1024};
    auto falls = sk::vector<int>(n), rises = sk::vector<int>(n / 3);
    falls = sk::sort(numbers());
    {
        const auto view = sk::host(rises);
        for (std::size_t i = 0; i < n / 3; ++i) view[i] = static_cast<int>(i / 40);
    }
    check(
        [&](const sk::plan& p) -> sk::vector<int> {
            const sk::follow all(p);
            return sk::merge(falls, rises);
        },
        sizes);
    std::vector<sk::triplet<int>> entries;
    for (std::size_t i = 0; i < 40'000; ++i)
        entries.push_back({i * i % 997 * (i % 3 > 0), i * 7 % 1009, static_cast<int>(i % 5)});
    const sk::csr<int> sparse(997, 1009, entries);
    const sk::vector<int> v(1009, 3);
    const sk::matrix<int> w(1009, 21, 2);
    check(
        [&](const sk::plan& p) -> sk::vector<int> {
            const sk::follow all(p);
            return sparse * v;
        },
        sizes);
    check(
        [&](const sk::plan& p) -> sk::matrix<int> {
            const sk::follow all(p);
            return sparse * w;
        },
        sizes);
}

TEST_CASE("blocks that cannot be are errors", "[blocks]")
{
    const auto x = numbers();
    const auto m = table();
    const sk::plan odd = in_blocks_of(gpus[0], 96), small = in_blocks_of(gpus[0], 32);
    sk::vector<int> y;
    sk::matrix<int> t;
    CHECK_THROWS_WITH(int(sk::reduce(sk::plus, 0).use(odd)(x)), Contains("blocks of 96") && Contains("powers of two"));
    auto cross = sk::stencil(SKELRT_FN((sk::hood2<int> h) { return h(0, 1); }), sk::border::nearest());
    CHECK_THROWS_WITH(t = cross.use(small)(m), Contains("blocks of 32") && Contains("from 64 to 1024"));
    {
        sk::vector<large> all(1000);
        const sk::follow there(in_blocks_of(gpus[0], 1024));
        CHECK_THROWS_WITH(all = sk::sort(all, SKELRT_FN((large a, large b) { return a.rank < b.rank; })),
                          Contains("1024 threads") && Contains("memory for 256"));
    }
}

int main(int argc, char** argv)
{
    sk::options wanted;
    wanted.opencl_on_cpu = true;
    sk::runtime rt(wanted);
    the_runtime = &rt;
    for (const device kind : {device::cuda, device::opencl})
        for (const auto& d : rt.devices())
            if (d.kind == kind && d.number == 0) gpus.push_back(kind);
    if (gpus.empty()) {
        std::printf("skipped: no GPU\n");
        return 77;
    }
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    return test::run_cases(argc, argv);
}
