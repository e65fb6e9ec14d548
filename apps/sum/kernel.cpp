// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

namespace sum
{
namespace
{

namespace sk = skelrt;

// The problem.
const auto any = sk::map(SKELRT_FN((sk::random r) { return 2.0 * r.uniform_double() - 1.0; }));

// The computation.
const auto total = sk::reduce(sk::plus, 0.0);

} // namespace

sk::scalar<double> sum_of(const numbers& x) { return total(x); }

// The problem.
numbers random_numbers(std::size_t n, std::size_t seed) { return any(sk::shape(n), sk::random_seed{seed}); }

} // namespace sum
