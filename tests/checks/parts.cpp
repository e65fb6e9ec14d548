// SPDX-License-Identifier: BSD-3-Clause
/// SKELRT_CHECK=parts: a task writes every element of what it says is sk::out. On every kind of device.

#include "../conformance/support.hpp"
#include "../message_of.hpp"

#include <skelrt/blocks.hpp>
#include <skelrt/task.hpp>

#include <cstdint>
#include <string>

namespace
{

using Catch::Matchers::Contains;

/// Writes row + column into the first rows and columns.
void fill(sk::block<int> x, int rows, int cols)
{
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
        for (std::size_t c = 0; c < static_cast<std::size_t>(cols); ++c) x(r, c) = static_cast<int>(r + c);
}

const auto& fill_some()
{
    static const sk::kernel k("fill some", sk::on_cpu(fill),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void fill(int* x, size rows, size cols, size ld, int some_rows, int some_cols)
{
    const size i = blockIdx.x * (size)blockDim.x + threadIdx.x;
    if (i / cols < some_rows && i % cols < some_cols) x[i / cols * ld + i % cols] = i / cols + i % cols;
}
)",
                                                        "fill")),
                              sk::on_opencl(sk::opencl_text(R"(
__kernel void fill(__global int* x, ulong offset, ulong rows, ulong cols, ulong ld, int some_rows, int some_cols)
{
    const ulong i = get_global_id(0);
    if (i / cols < some_rows && i % cols < some_cols) x[offset + i / cols * ld + i % cols] = i / cols + i % cols;
}
)",
                                                            "fill")));
    return k;
}

template <class Future>
std::string outcome(const Future& f)
{
    return message_of([&] { static_cast<void>(f.get()); });
}

} // namespace

TEST_CASE("a task leaves out some of what it says it writes", "[parts]")
{
    sk::matrix<int> m(20, 30, 1);
    const sk::blocks blocks(m, 10, 10);
    CHECK(outcome(sk::task(fill_some(), sk::out(blocks(0, 1)), 10, 10)) == "no error");
    CHECK_THAT(outcome(sk::task(fill_some(), sk::out(blocks(1, 2)), 10, 9)),
               Contains("parts.cpp:") && Contains("fill some") && Contains("part 1 is sk::out, 10 x 10 elements") &&
                   Contains("element (0, 9)") && Contains("SKELRT_CHECK=parts"));
    CHECK_THAT(outcome(sk::task(fill_some(), sk::out(blocks(1, 0)), 9, 10)), Contains("element (9, 0)"));
    CHECK(outcome(sk::task(fill_some(), sk::inout(blocks(0, 0)), 1, 1)) == "no error");
    CHECK(outcome(sk::task(fill_some(), sk::out(m), 20, 30)) == "no error");
    CHECK(sk::host_read(m)(19, 29) == 48);
}

TEST_CASE("several parts, views and scalars", "[parts]")
{
    if (!test::devices().has(sk::device::cpu)) return;
    sk::vector<int> x(100, 1), y(100, 1);
    sk::scalar<double> s;
    const auto both = [](std::span<int> a, std::span<int> b, double& c, int of_b) {
        for (int& v : a) v = 5;
        for (int& v : b.first(static_cast<std::size_t>(of_b))) v = 6;
        if (of_b > 1) c = 7;
    };
    CHECK(outcome(sk::task(both, sk::out(x.range(10, 20)), sk::out(y.range(3, 9)), sk::out(s), 9)) == "no error");
    CHECK_THAT(outcome(sk::task(both, sk::out(x.range(10, 20)), sk::out(y.range(3, 9)), sk::out(s), 8)),
               Contains("part 2 is sk::out, 1 x 9 elements") && Contains("element (0, 8)"));
    CHECK_THAT(outcome(sk::task(both, sk::out(x), sk::out(y.range(0, 1)), sk::out(s), 1)), Contains("part 3"));
}

TEST_CASE("small elements: sixteen bytes of them in a row, and never by chance", "[parts]")
{
    if (!test::devices().has(sk::device::cpu)) return;
    sk::vector<std::uint8_t> x(256, std::uint8_t{1});
    const auto leave_out = [](std::span<std::uint8_t> v, int few) {
        for (std::size_t i = 0; i < v.size() - static_cast<std::size_t>(few); ++i) v[i] = static_cast<std::uint8_t>(i);
    };
    CHECK(outcome(sk::task(leave_out, sk::out(x), 0)) == "no error");
    CHECK(outcome(sk::task(leave_out, sk::out(x), 15)) == "no error");
    CHECK_THAT(outcome(sk::task(leave_out, sk::out(x), 16)), Contains("element (0, 240)"));
}
