// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

/// A matrix to the fifth power, scaled.
double powers(std::size_t n, stopwatch& rounds)
{
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    const sk::matrix<float> a = sk::generate(
        SKELRT_FN((sk::index2 at) { return (float)((at.row * 3 + at.col * 5) % 17) * 0.1f; }))(sk::shape(n, n));
    sk::matrix<float> p = a;
    rounds.begin();
    for (int k = 0; k < 4; ++k) {
        p = product(p, sk::transpose(a));
        p *= 1.0f / static_cast<float>(n);
    }
    const double sum = sk::reduce(sk::plus, 0.0)(sk::cast<double>(p));
    rounds.end();
    return sum;
}

/// The largest eigenvalue by power iteration.
double eigenvalue(std::size_t n, stopwatch& rounds)
{
    const auto sum = sk::reduce(sk::plus, 0.0);
    const sk::matrix<double> a = sk::generate(SKELRT_FN(
        (sk::index2 at) { return at.row == at.col ? 2.0 : 1.0 / (double)(1 + at.row + at.col); }))(sk::shape(n, n));
    sk::vector<double> x(n, 1.0), y(n);
    rounds.begin();
    for (int k = 0; k < 50; ++k) {
        y = sum.by_row(a * sk::per_column(x));
        const sk::scalar<double> norm = sum(y * y);
        x = y / sk::sqrt(norm);
    }
    const double value = sum(x * y);
    rounds.end();
    return value;
}

/// A sparse matrix of five diagonals times a vector, again and again.
double sparse(std::size_t n, stopwatch& rounds)
{
    std::vector<sk::triplet<double>> entries;
    for (std::size_t i = 0; i < n; ++i)
        for (const std::size_t far : {std::size_t{0}, std::size_t{1}, std::size_t{300}}) {
            if (i >= far) entries.push_back({i, i - far, far == 0 ? 0.5 : 0.1});
            if (far > 0 && i + far < n) entries.push_back({i, i + far, 0.1});
        }
    const sk::csr<double> a(n, n, entries);
    sk::vector<double> x(n, 1.0);
    rounds.begin();
    for (int k = 0; k < 50; ++k) x = a * x;
    const double sum = sk::reduce(sk::plus, 0.0)(x);
    rounds.end();
    return sum;
}

/// Conjugate gradients for a five-point operator, with scalars that stay where they are.
double gradients(std::size_t side, stopwatch& rounds)
{
    const auto apply = sk::stencil(
        SKELRT_FN((sk::hood2<double> u) { return 4.0 * u(0, 0) - u(-1, 0) - u(1, 0) - u(0, -1) - u(0, 1); }),
        sk::border::constant(0.0));
    const auto sum = sk::reduce(sk::plus, 0.0);
    sk::matrix<double> x(side, side, 0.0), r(side, side, 1.0), d = r, q(side, side);
    sk::scalar<double> rr = sum(r * r);
    rounds.begin();
    for (int k = 0; k < 100; ++k) {
        q = apply(d);
        const sk::scalar<double> alpha = rr / sum(d * q);
        x += alpha * d;
        r -= alpha * q;
        const sk::scalar<double> before = rr;
        rr = sum(r * r);
        d = r + (rr / before) * d;
    }
    const double value = sum(x);
    rounds.end();
    return value;
}

constexpr user_program all[] = {
    {"powers", "products of matrices of floats, scaled", {128, 1024, 4096}, &powers},
    {"eigenvalue", "a full matrix times a vector, 50 times", {256, 2000, 8000}, &eigenvalue},
    {"sparse", "a sparse matrix of five diagonals times a vector, 50 times", {20'000, 500'000, 4'000'000}, &sparse},
    {"gradients", "conjugate gradients, 100 steps", {128, 1000, 3000}, &gradients},
};

} // namespace

std::span<const user_program> linear_programs() { return all; }

} // namespace bench
