// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>

/// Calls in blocks of threads that a plan asks for; on GPUs, and on OpenCL devices that stand for one.
using namespace test;

namespace
{

const auto mixed = sk::map(SKELRT_FN((sk::index1 i, unsigned a, unsigned b) { return (unsigned)i.i + 3 * a - b; }));
const auto pairs = sk::all_pairs(sk::multiplies, sk::plus);
const auto paths =
    sk::wavefront(SKELRT_FN((sk::before2<unsigned> d, unsigned a) { return d.left() + 3 * d.above() + a; }),
                  sk::border::constant(1u));

/// Of this run; nothing: no GPU, or other ranks, which may have none.
std::vector<sk::device> gpus()
{
    std::vector<sk::device> all;
    for (const sk::device kind : {sk::device::cuda, sk::device::opencl})
        if (devices().has(kind) && sk::ranks() == 1) all.push_back(kind);
    return all;
}

sk::plan in_blocks_of(sk::device kind, unsigned threads) { return sk::plan({{kind, 1, 0, 0, 0, threads}}); }

} // namespace

TEST_CASE("maps in blocks of a plan", "[plan]")
{
    const unsigned block = GENERATE(32u, 96u, 1024u);
    const std::size_t n = GENERATE(as<std::size_t>(), 0, 1, 1000, 100'003);
    CAPTURE(block, n);
    std::vector<unsigned> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = static_cast<unsigned>(i) + 13;
    for (const sk::device kind : gpus()) {
        sk::vector<unsigned> a(n, 5u), b(n, 2u), y;
        const sk::follow told(in_blocks_of(kind, block));
        y = mixed(a, b);
        check_equal(y, want);
    }
}

TEST_CASE("products in blocks of a plan", "[plan]")
{
    const unsigned block = GENERATE(64u, 1024u);
    const std::size_t rows = GENERATE(as<std::size_t>(), 0, 1, 67), cols = GENERATE(as<std::size_t>(), 1, 131);
    const std::size_t depth = 19;
    CAPTURE(block, rows, cols);
    const auto a = numbers<unsigned>(rows * depth, 1), b = numbers<unsigned>(cols * depth, 2);
    std::vector<unsigned> want(rows * cols);
    for (std::size_t i = 0; i < rows * cols; ++i)
        for (std::size_t k = 0; k < depth; ++k) want[i] += a[i / cols * depth + k] * b[i % cols * depth + k];
    for (const sk::device kind : gpus()) {
        const auto left = matrix_of(rows, depth, a), right = matrix_of(cols, depth, b);
        sk::matrix<unsigned> c;
        const sk::follow told(in_blocks_of(kind, block));
        c = pairs(left, right);
        check_equal(c, want);
    }
}

TEST_CASE("sorts in blocks of a plan", "[plan]")
{
    const unsigned block = GENERATE(64u, 1024u);
    const std::size_t n = GENERATE(as<std::size_t>(), 0, 1, 1001, 50'003);
    CAPTURE(block, n);
    const auto given = numbers<unsigned>(n);
    auto want = given;
    std::ranges::sort(want);
    for (const sk::device kind : gpus()) {
        auto x = vector_of(given);
        const sk::follow told(in_blocks_of(kind, block));
        x = sk::sort(x);
        check_equal(x, want);
    }
}

TEST_CASE("wavefronts in blocks of a plan", "[plan]")
{
    const unsigned block = GENERATE(64u, 1024u);
    const std::size_t rows = GENERATE(as<std::size_t>(), 0, 1, 259), cols = GENERATE(as<std::size_t>(), 1, 133);
    CAPTURE(block, rows, cols);
    const auto given = numbers<unsigned>(rows * cols);
    std::vector<unsigned> want(rows * cols);
    for (std::size_t i = 0; i < want.size(); ++i)
        want[i] = (i % cols > 0 ? want[i - 1] : 1) + 3 * (i >= cols ? want[i - cols] : 1) + given[i];
    for (const sk::device kind : gpus()) {
        const auto x = matrix_of(rows, cols, given);
        sk::matrix<unsigned> y;
        const sk::follow told(in_blocks_of(kind, block));
        y = paths(x);
        check_equal(y, want);
    }
}
