// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: a sparse system of equations by conjugate gradients. The loop never waits.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <vector>

namespace sk = skelrt;

/// Poisson's equation on n x n points: 4 on the diagonal, -1 for each neighbour.
sk::csr<double> poisson(std::size_t n)
{
    std::vector<sk::triplet<double>> entries;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t col = 0; col < n; ++col) {
            const std::size_t here = row * n + col;
            entries.push_back({here, here, 4});
            if (row > 0) entries.push_back({here, here - n, -1});
            if (row + 1 < n) entries.push_back({here, here + n, -1});
            if (col > 0) entries.push_back({here, here - 1, -1});
            if (col + 1 < n) entries.push_back({here, here + 1, -1});
        }
    return {n * n, n * n, entries};
}

int main()
{
    const sk::runtime rt;
    const std::size_t n = 64;
    const sk::csr<double> a = poisson(n);
    const sk::vector<double> b = a * sk::vector<double>(n * n, 1.0); // so the solution is 1 everywhere

    const auto sum = sk::reduce(sk::plus, 0.0);
    sk::vector<double> x(n * n, 0.0), r = b, d = b, q;
    sk::scalar<double> rr = sum(r * r);
    for (int i = 0; i < 200; ++i) {
        q = a * d;
        const sk::scalar<double> alpha = rr / sum(d * q); // stays where it is computed
        x += alpha * d;
        r -= alpha * q;
        const sk::scalar<double> before = rr;
        rr = sum(r * r);
        const sk::scalar<double> beta = rr / before;
        d = r + beta * d;
    }

    const double error = sk::reduce(sk::maximum, 0.0)(sk::abs(x - 1.0)); // waits
    std::printf("%zu unknowns, the largest error is %s 1e-8\n", n * n, error < 1e-8 ? "below" : "above");
}
