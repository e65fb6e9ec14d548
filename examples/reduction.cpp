// SPDX-License-Identifier: BSD-3-Clause
/// Step 3 of docs/tutorial.md: a system of equations by conjugate gradients; the loop never waits.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;

    const auto sum = sk::reduce(sk::plus, 0.0);
    const auto matrix = sk::stencil(SKELRT_FN((sk::hood1<double> x) { return 3 * x(0) - x(-1) - x(1); }),
                                    sk::border::constant(0.0)); // the matrix times a vector
    const std::size_t n = 100'000;
    const sk::vector<double> b = matrix(sk::vector<double>(n, 1.0)); // so the solution is 1 everywhere

    sk::vector<double> x(n, 0.0), r = b, d = b, q;
    sk::scalar<double> rr = sum(r * r);
    for (int i = 0; i < 40; ++i) {
        q = matrix(d);
        const sk::scalar<double> alpha = rr / sum(d * q); // stays where it is computed
        x += alpha * d;
        r -= alpha * q;
        const sk::scalar<double> before = rr;
        rr = sum(r * r);
        const sk::scalar<double> beta = rr / before;
        d = r + beta * d;
    }

    const auto largest = sk::reduce(sk::maximum, 0.0);
    const double error = largest(sk::abs(x - 1.0)); // a plain double: waits for this value
    std::printf("the largest error is %s 1e-9\n", error < 1e-9 ? "below" : "above");
}
