// SPDX-License-Identifier: BSD-3-Clause
// The calls of the other programs, as they should be.
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(sk::vector<int>& y, const sk::vector<int>& x, const sk::matrix<int>& m, int factor)
{
    y = sk::map(SKELRT_FN((int a, int b) { return a + b; }))(x, x);
    y = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + (int)i.i; }))(x);
    y.range(0, 5) = sk::map(SKELRT_FN((int a) { return 2 * a; }))(x.range(1, 5));
    y = sk::map(SKELRT_FN((int a, int by) { return by * a; }))(x, factor);
    y = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> x) { return x[i.i]; }))(x);
    y = sk::map(SKELRT_FN((sk::index1 i, sk::mat<int> m) { return m(0, i.i); }))(m);
    const sk::scalar<int> s = sk::reduce(sk::plus, 0)(x);
    y = sk::map(sk::plus)(x, s);
    y = sk::reduce(sk::plus, 0).by_row(m);
    const auto sum = sk::reduce(sk::plus);
    int a, b;
    sk::tie(a, b) = sk::together(sum, sum)(x);
    sk::vector<int> z;
    sk::tie(y, z) = sk::together(sum.by_row(m), sum.by_row(m));
    sk::host(y)[0] = 1;
    y.append(x);
    y.insert(0, 1);
    const sk::matrix<int> n = sk::reshape(sk::vector<int>(x), 1, x.size());
    return sk::reduce(SKELRT_FN((int a, int b) { return a + b; }))(x);
}
