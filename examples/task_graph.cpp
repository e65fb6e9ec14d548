// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: a graph of tasks on blocks of a matrix. What each reads and writes says who waits for whom.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

/// Tasks on cores: plain functions of the blocks that they are given.
void fill(sk::block<double> b, double value)
{
    for (std::size_t i = 0; i < b.rows(); ++i)
        for (std::size_t j = 0; j < b.cols(); ++j) b(i, j) = value;
}

void add(sk::block<const double> from, sk::block<double> to)
{
    for (std::size_t i = 0; i < to.rows(); ++i)
        for (std::size_t j = 0; j < to.cols(); ++j) to(i, j) += from(i, j);
}

void sum_up(sk::block<const double> b, double& total)
{
    for (std::size_t i = 0; i < b.rows(); ++i)
        for (std::size_t j = 0; j < b.cols(); ++j) total += b(i, j);
}

int main()
{
    const sk::runtime rt;
    const std::size_t n = 200;
    sk::matrix<double> m(n, n, sk::uninitialized);
    const sk::blocks part(m, n / 4, n / 4); // 4 x 4

    for (std::size_t i = 0; i < part.rows(); ++i) // 16 tasks, side by side
        for (std::size_t j = 0; j < part.cols(); ++j) sk::task(fill, sk::out(part(i, j)), i == 0 ? 1.0 : 0.0);
    for (std::size_t i = 1; i < part.rows(); ++i) // each waits for the one above
        for (std::size_t j = 0; j < part.cols(); ++j) sk::task(add, sk::in(part(i - 1, j)), sk::inout(part(i, j)));

    sk::scalar<double> total;
    for (std::size_t i = 0; i < part.rows(); ++i)
        for (std::size_t j = 0; j < part.cols(); ++j)
            sk::task(sum_up, sk::in(part(i, j)), sk::reduction(sk::plus, total));
    const double all = total; // waits
    std::printf("the sum of all elements is %.0f\n", all);
}
