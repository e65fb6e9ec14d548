// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <numeric>

using namespace test;

namespace
{

const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 3 * b; }));
const auto pick = sk::map(SKELRT_FN((sk::index1 i, int a, sk::vec<int> x) { return x[(i.i + (size_t)a) % x.size()]; }));
const auto sum = sk::reduce(sk::plus, 0);

std::vector<sk::distribution> all()
{
    return {sk::distribution::single(),    sk::distribution::block(),      sk::distribution::block(5),
            sk::distribution::copy(),      sk::distribution::overlap(3),   sk::distribution::overlap(1000, 4),
            sk::distribution::block(1000), sk::distribution::overlap(7, 9)};
}

} // namespace

TEST_CASE("results do not depend on distributions", "[distribution]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    for (const auto& p : all())
        for (const auto& q : {sk::distribution::single(), sk::distribution::block(7)}) {
            auto x = vector_of(a), y = vector_of(b);
            sk::distribute(x, p);
            sk::distribute(y, q);
            sk::vector<int> z = add(x, y);
            sk::distribute(x, q); // now tasks have used it
            sk::distribute(y, p);
            z = add(z, add(x, y));
            check_equal(x, a);
            check_equal(z, expected(n, [&](std::size_t i) { return 4 * (a[i] + 3 * b[i]); }));
            if (n > 0)
                check_equal(sk::vector<int>(pick(x, y)),
                            expected(n, [&](std::size_t i) { return b[(i + static_cast<std::size_t>(a[i])) % n]; }));
            REQUIRE(sum(add(x, y)).get() ==
                    std::accumulate(a.begin(), a.end(), 0) + 3 * std::accumulate(b.begin(), b.end(), 0));
        }
}

TEST_CASE("distributions of matrices and tensors", "[distribution]")
{
    const std::size_t rows = 67, cols = 31;
    const auto a = numbers<int>(rows * cols);
    for (const auto& d : all()) {
        auto m = matrix_of(rows, cols, a);
        sk::distribute(m, d);
        sk::matrix<int> r = add(m, m);
        sk::distribute(r, d);
        check_equal(r, expected(a.size(), [&](std::size_t i) { return 4 * a[i]; }));
        sk::tensor<int, 3> t({rows, 1, cols}, a.begin());
        t = add(t, t);
        sk::distribute(t, d);
        check_equal(t, expected(a.size(), [&](std::size_t i) { return 4 * a[i]; }));
        REQUIRE(t.extent(2) == cols);
    }
}

TEST_CASE("copies are combined in order", "[distribution]")
{
    const std::size_t copies = 9, n = 1003;
    const auto a = numbers<int>(copies * n);
    const auto m = matrix_of(copies, n, a);
    const auto keep = SKELRT_FN((int p, int q) { return q == 0 ? p : q; }); // the last that is not 0
    const sk::vector<int> one = sk::distribute(m, sk::distribution::block(4), keep);
    check_equal(one, expected(n, [&](std::size_t i) {
                    int last = a[i];
                    for (std::size_t c = 1; c < copies; ++c) last = a[c * n + i] == 0 ? last : a[c * n + i];
                    return last;
                }));
}
