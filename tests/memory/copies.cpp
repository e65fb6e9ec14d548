// SPDX-License-Identifier: BSD-3-Clause
/// Nothing thrashes: a pass over four times the device's memory copies each tile there once, and each result back once.
/// StarPU counts the bytes.

#include "limited.hpp"

#include "../copied.hpp"

#include <cstdlib>
#include <utility>

namespace sk = skelrt;
using namespace limited;

namespace
{

constexpr std::size_t many = 4 * memory / sizeof(int), bytes = many * sizeof(int);

traffic copied() { return ::copied(kind == sk::device::cuda ? STARPU_CUDA_WORKER : STARPU_OPENCL_WORKER); }

/// What `call` copies, until the host has read the result that it returns.
template <class Call, class Expected>
traffic copies_of(const Call& call, const Expected& expected)
{
    copied();
    const auto y = call();
    CHECK(wrong(y, expected) == 0);
    return copied();
}

sk::vector<int> full_vector()
{
    sk::vector<int> x(many);
    fill(x);
    return x;
}

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));
const auto one_more = sk::map(SKELRT_FN((int x) { return x + 1; }));

} // namespace

TEST_CASE("a pass brings each tile once and takes each result home once", "[copies]")
{
    const auto x = full_vector();
    const sk::only there(kind);
    const traffic t = copies_of(
        [&] {
            sk::vector<int> y = twice(x);
            return y;
        },
        [](std::size_t i) { return 2 * number(i); });
    CHECK(t.to == bytes); // all of it went there: nothing is counted that is not copied
    CHECK(t.from == bytes);
}

TEST_CASE("a pass in place does not copy more", "[copies]")
{
    auto x = full_vector();
    const sk::only there(kind);
    const traffic t = copies_of(
        [&] {
            x = twice(x);
            return std::move(x);
        },
        [](std::size_t i) { return 2 * number(i); });
    CHECK(t.to == bytes);
    CHECK(t.from == bytes);
}

TEST_CASE("a chain of two calls copies no more than two passes", "[copies]")
{
    const auto x = full_vector();
    const sk::only there(kind);
    const traffic t = copies_of(
        [&] {
            sk::vector<int> y = twice(x), z = one_more(y);
            return z;
        },
        [](std::size_t i) { return 2 * number(i) + 1; });
    CHECK(t.to <= 2 * bytes);
    CHECK(t.from <= 2 * bytes);
}

TEST_CASE("sums copy what they read, and next to nothing back", "[copies]")
{
    const auto x = full_vector();
    const sk::only there(kind);
    const auto sum = sk::reduce(sk::plus, 0L);
    const auto wide = sk::map(SKELRT_FN((int x) { return (long)x; }));
    long expected = 0;
    for (std::size_t i = 0; i < many; ++i) expected += number(i);
    copied();
    CHECK(long(sum(wide(x))) == expected);
    const traffic t = copied();
    CHECK(t.to <= bytes + bytes / 100);
    CHECK(t.from <= bytes / 100);
}

TEST_CASE("a stencil copies the lines next to its tiles besides", "[copies]")
{
    constexpr std::size_t side = 8192;
    static_assert(side * side == many);
    sk::matrix<int> x(side, side);
    fill(x);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + 2 * u(0, 0) + 3 * u(1, 0); }),
                               sk::border::nearest());
    const sk::only there(kind);
    const traffic t = copies_of(
        [&] {
            sk::matrix<int> y = f(x);
            return y;
        },
        [](std::size_t i) {
            return number(i < side ? i : i - side) + 2 * number(i) + 3 * number(i + side < many ? i + side : i);
        });
    CHECK(t.to <= bytes + bytes / 20);
    CHECK(t.from <= bytes + bytes / 20);
}

TEST_CASE("of a shared call, the device gets its part once", "[copies]")
{
    const auto x = full_vector();
    const sk::follow both(sk::plan({{kind, 0.5}, {sk::device::cpu, 0.5}}));
    const traffic t = copies_of(
        [&] {
            sk::vector<int> y = twice(x), z = one_more(y);
            return z;
        },
        [](std::size_t i) { return 2 * number(i) + 1; });
    CHECK(t.to <= bytes);
}

int main(int argc, char** argv)
{
    setenv("STARPU_PROFILING", "1", 1);
    return run(argc, argv);
}
