// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <random>
#include <thread>

/// The same episodes again and again: meanwhile each kind of device is tried, and data follows. Results must not.
using namespace test;

namespace
{

const auto twice_and = sk::map(SKELRT_FN((unsigned a, unsigned b) { return 2 * a + b; }));
const auto increment = sk::map(SKELRT_FN((unsigned a) { return a + 1; }));
const auto sum = sk::reduce(sk::plus, 0u);
const auto around = sk::stencil(SKELRT_FN((sk::hood1<unsigned> h) { return h(-1) + h(1); }), sk::border::cyclic());

std::size_t sizes_of_episodes() { return GENERATE(as<std::size_t>(), 1, 1000, 20'001); }
constexpr int rounds = 60;

} // namespace

TEST_CASE("one call, and the host reads", "[episode]")
{
    const std::size_t n = sizes_of_episodes();
    sk::vector<unsigned> x(n, 1u), y(n, 0u);
    unsigned want = 0;
    for (int i = 0; i < rounds; ++i) {
        y = twice_and(y, x);
        want = 2 * want + 1;
        check_equal(y, std::vector<unsigned>(n, want));
    }
}

TEST_CASE("one call on what the host has written", "[episode]")
{
    const std::size_t n = sizes_of_episodes();
    sk::vector<unsigned> x(n, 0u), y(n, 0u);
    for (unsigned i = 0; i < rounds; ++i) {
        for (unsigned& v : sk::host(x)) v = i;
        y = increment(x);
        check_equal(y, std::vector<unsigned>(n, i + 1));
    }
}

TEST_CASE("a chain, waited for at its end, and a value", "[episode]")
{
    const std::size_t n = sizes_of_episodes();
    sk::vector<unsigned> x(n, 0u);
    unsigned want = 0; // all of them wrap around together
    for (int i = 0; i < rounds; ++i) {
        for (int k = 0; k < 3; ++k) x = increment(x);
        sk::wait(x);
        x = around(x);
        want = 2 * (want + 3);
        REQUIRE(sum(increment(x)) == static_cast<unsigned>(n) * (want + 1));
        check_equal(x, std::vector<unsigned>(n, want));
    }
}

TEST_CASE("episodes of changing length, told and free calls between", "[episode]")
{
    const std::size_t n = sizes_of_episodes();
    std::mt19937 random(7);
    sk::vector<unsigned> x(n, 0u);
    unsigned want = 0;
    for (int i = 0; i < rounds; ++i) {
        for (unsigned k = random() % 12; k > 0; --k, ++want) {
            if (random() % 10 == 0) {
                const sk::only cores(sk::device::cpu);
                x = increment(x);
            } else {
                x = increment(x);
            }
        }
        if (random() % 2) sk::wait(x);
        else check_equal(x, std::vector<unsigned>(n, want));
    }
    check_equal(x, std::vector<unsigned>(n, want));
}

TEST_CASE("episodes that take long enough to be split", "[episode]")
{
    // Of few calls: maps, hoods that look over the cut, and sums, of numbers that must not differ by a bit.
    const std::size_t rows = 301, cols = 997;
    const auto mix = sk::map(SKELRT_FN((unsigned a, unsigned b) {
        for (int k = 0; k < 40; ++k) a = a * 1664525u + b;
        return a;
    }));
    const auto cross = sk::stencil(
        SKELRT_FN((sk::hood2<unsigned> h) { return h(-1, 0) + h(1, 0) + h(0, -1) + h(0, 1) + 3u * h(0, 0); }),
        sk::border::nearest());
    const auto add_up = sk::reduce(sk::plus, 0u);
    sk::matrix<unsigned> a(rows, cols), b(rows, cols, 7u), c(rows, cols);
    std::vector<unsigned> mixed(rows * cols), crossed(rows * cols);
    const auto at = [&](std::size_t r, std::size_t col) { return mixed[r * cols + col]; };
    for (unsigned round = 0; round < 25; ++round) {
        {
            const auto view = sk::host(a);
            for (std::size_t i = 0; i < rows * cols; ++i) view.data()[i] = static_cast<unsigned>(i) + round;
        }
        for (std::size_t i = 0; i < rows * cols; ++i) {
            unsigned v = static_cast<unsigned>(i) + round;
            for (int k = 0; k < 40; ++k) v = v * 1664525u + 7u;
            mixed[i] = v;
        }
        unsigned want = 0;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t col = 0; col < cols; ++col) {
                crossed[r * cols + col] = at(r > 0 ? r - 1 : 0, col) + at(std::min(r + 1, rows - 1), col) +
                                          at(r, col > 0 ? col - 1 : 0) + at(r, std::min(col + 1, cols - 1)) +
                                          3u * at(r, col);
                want += crossed[r * cols + col];
            }
        c = cross(mix(a, b));
        REQUIRE(add_up(c) == want);
        const auto got = sk::host_read(c);
        REQUIRE(std::equal(crossed.begin(), crossed.end(), got.data()));
    }
}

TEST_CASE("episodes of two threads at once", "[episode]")
{
    const std::size_t n = sizes_of_episodes();
    const auto work = [n](unsigned first, bool& right) {
        sk::vector<unsigned> x(n, first);
        for (unsigned i = 1; i <= rounds; ++i) {
            x = increment(x);
            const auto seen = sk::host_read(x);
            right = right && seen[0] == first + i && seen[n - 1] == first + i;
        }
    };
    bool one = true, other = true;
    std::thread second([&] { work(1000, other); });
    work(0, one);
    second.join();
    CHECK(one);
    CHECK(other);
}

/// One sweep is two half steps: one task in place, or shared by devices that exchange lines in between.
TEST_CASE("red-black sweeps over a grid that the host changes each time", "[episode]")
{
    const auto [rows, cols, sweeps] =
        GENERATE(table<std::size_t, std::size_t, unsigned>({{33, 20, rounds}, {1500, 1201, 25}}));
    const auto relax = sk::stencil(
        SKELRT_FN((sk::hood2<unsigned> u, unsigned add) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + add; }),
        sk::border::constant(1u));
    sk::matrix<unsigned> x(rows, cols, 1u);
    std::vector<unsigned> want(rows * cols, 1u);
    const auto at = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
        const bool inside = r >= 0 && c >= 0 && std::size_t(r) < rows && std::size_t(c) < cols;
        return inside ? want[std::size_t(r) * cols + std::size_t(c)] : 1u;
    };
    for (unsigned i = 0; i < sweeps; ++i) {
        sk::host(x)(i % rows, 3) = want[i % rows * cols + 3] = i;
        x = relax.red_black(1, x, i);
        for (std::size_t color = 0; color < 2; ++color)
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = (r + color) % 2; c < cols; c += 2) {
                    const auto row = std::ptrdiff_t(r), col = std::ptrdiff_t(c);
                    want[r * cols + c] = at(row - 1, col) + at(row + 1, col) + at(row, col - 1) + at(row, col + 1) + i;
                }
        check_equal(x, want);
    }
}
