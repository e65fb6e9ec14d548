// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

/// Maps in blocks of threads that a plan asks for; on CUDA devices.
using namespace test;

namespace
{

const auto mixed = sk::map(SKELRT_FN((sk::index1 i, unsigned a, unsigned b) { return (unsigned)i.i + 3 * a - b; }));

} // namespace

TEST_CASE("blocks of a plan", "[plan]")
{
    if (!devices().has(sk::device::cuda) || sk::ranks() > 1) return; // other ranks may have no GPU
    const unsigned block = GENERATE(32u, 96u, 1024u);
    const std::size_t n = GENERATE(as<std::size_t>(), 0, 1, 1000, 100'003);
    CAPTURE(block, n);
    sk::vector<unsigned> a(n, 5u), b(n, 2u), y;
    {
        const sk::follow told(sk::plan({{sk::device::cuda, 1, 0, 0, 0, block}}));
        y = mixed(a, b);
    }
    std::vector<unsigned> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = static_cast<unsigned>(i) + 13;
    check_equal(y, want);
}
