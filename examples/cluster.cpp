// SPDX-License-Identifier: BSD-3-Clause
/// Step 8 of docs/tutorial.md: the same program alone, or as several processes that share the work.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;

    const auto term = sk::generate(SKELRT_FN((sk::index1 at) {
        double odd = 2.0 * (double)at.i + 1;
        return (at.i % 2 == 0 ? 4.0 : -4.0) / odd;
    }));
    const sk::vector<double> terms = term(sk::shape(10'000'000)); // each rank holds and computes its part
    const auto sum = sk::reduce(sk::plus, 0.0);
    const double pi = sum(terms); // the same value on every rank

    const std::size_t here = sk::local(terms).size();
    if (sk::rank() == 0) std::printf("rank 0 of %d holds %zu terms, and pi is about %.5f\n", sk::ranks(), here, pi);
}
