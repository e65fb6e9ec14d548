// SPDX-License-Identifier: BSD-3-Clause
/// Stencils that devices share: what each needs of the other's lines. Exit code 77: no OpenCL device here.

#include <skelrt/skelrt.hpp>

#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sk = skelrt;
using sk::device;

namespace
{

constexpr std::ptrdiff_t rows = 900, cols = 70;
using plane = sk::matrix<int>;
using numbers = std::vector<int>;

const sk::plan on_cpu({{device::cpu, 1, 0, 1}}),
    split({{device::opencl, 0.5, 0, 1}, {device::cpu, 0.5}}); // one task each

#define SEES_OTHERS                                                                                                    \
    SKELRT_FN((sk::hood2<int> u) { return (u(-3, 0) + 3 * u(2, 1) + 5 * u(0, -1) + 7 * u(1, 0)) % 10007; })

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));

numbers some_numbers()
{
    numbers a(rows * cols);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * i % 1009);
    return a;
}

plane plane_of(const numbers& a)
{
    plane x(rows, cols);
    const auto view = sk::host(x);
    for (std::size_t i = 0; i < a.size(); ++i) view.data()[i] = a[i];
    return x;
}

numbers values(const plane& x)
{
    const auto view = sk::host_read(x);
    return {view.data(), view.data() + rows * cols};
}

/// One step, position by position; `beyond(a, r, c)`: what stands outside.
template <class Beyond>
numbers step(const numbers& a, Beyond beyond)
{
    const auto at = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
        return r >= 0 && r < rows && c >= 0 && c < cols ? a[static_cast<std::size_t>(r * cols + c)] : beyond(a, r, c);
    };
    numbers b(a.size());
    for (std::ptrdiff_t r = 0; r < rows; ++r)
        for (std::ptrdiff_t c = 0; c < cols; ++c)
            b[static_cast<std::size_t>(r * cols + c)] =
                (at(r - 3, c) + 3 * at(r + 2, c + 1) + 5 * at(r, c - 1) + 7 * at(r + 1, c)) % 10007;
    return b;
}

int nearest(const numbers& a, std::ptrdiff_t r, std::ptrdiff_t c)
{
    r = std::min(std::max<std::ptrdiff_t>(r, 0), rows - 1);
    c = std::min(std::max<std::ptrdiff_t>(c, 0), cols - 1);
    return a[static_cast<std::size_t>(r * cols + c)];
}
int around(const numbers& a, std::ptrdiff_t r, std::ptrdiff_t c)
{
    return a[static_cast<std::size_t>((r + rows) % rows * cols + (c + cols) % cols)];
}
int four(const numbers&, std::ptrdiff_t, std::ptrdiff_t) { return 4; }

template <class Border, class Beyond>
void check(const Border& border, Beyond beyond)
{
    const auto f = sk::stencil(SEES_OTHERS, border);
    const numbers a = some_numbers(), once = step(a, beyond);
    const plane x = plane_of(a);
    const sk::follow all(split);
    tasks();
    const plane y = f(x);
    CHECK(tasks() == counts{1, 1}); // the host has the lines of both
    CHECK(values(y) == once);
    plane z = f(f(x)); // the second step's lines are being made
    CHECK(tasks() != counts{2, 2});
    CHECK(values(z) == step(once, beyond));
    CHECK(values(x) == a);
}

} // namespace

TEST_CASE("lines that the host has need no tasks, others do: nearest", "[halos]")
{
    check(sk::border::nearest(), nearest);
}
TEST_CASE("lines that the host has need no tasks, others do: cyclic", "[halos]")
{
    check(sk::border::cyclic(), around);
}
TEST_CASE("lines that the host has need no tasks, others do: constant", "[halos]")
{
    check(sk::border::constant(4), four);
}

TEST_CASE("who writes the operand next does not change what a stencil has seen", "[halos]")
{
    const auto f = sk::stencil(SEES_OTHERS, sk::border::nearest());
    const numbers a = some_numbers(), wanted = step(a, nearest);
    numbers doubled = a;
    for (int& v : doubled) v *= 2;
    for (int k = 0; k < 20; ++k) {
        plane x = plane_of(a), y;
        {
            const sk::follow all(split);
            y = f(x);
        }
        {
            const sk::follow all(on_cpu);
            x = twice(x);
        }
        REQUIRE(values(y) == wanted);
        REQUIRE(values(x) == doubled);
    }
}

TEST_CASE("a view that is written between two calls is seen by the second", "[halos]")
{
    const auto f = sk::stencil(SEES_OTHERS, sk::border::nearest());
    numbers a = some_numbers();
    plane x = plane_of(a), y;
    const sk::follow all(split);
    for (int k = 0; k < 10; ++k) {
        y = f(x);
        const auto at = static_cast<std::size_t>((rows / 2 - 1 + k % 2) * cols + k); // next to where the devices meet
        {
            const auto view = sk::host(x);
            view.data()[at] = a[at] = 50 + k;
        }
        y = f(x);
        REQUIRE(values(y) == step(a, nearest));
    }
}

int main(int argc, char** argv) { return run_with_opencl(argc, argv, {}); }
