// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>
#include <utility>
#include <vector>

using namespace test;

namespace
{

const auto bits = sk::map(SKELRT_FN((sk::random r) { return r.bits(); }));
const auto sixth = sk::map(SKELRT_FN((sk::random r) {
    unsigned last = 0;
    for (int i = 0; i < 6; ++i) last = r.bits();
    return last;
}));
const auto uniform = sk::map(SKELRT_FN((sk::random r) { return r.uniform(); }));
const auto moved = sk::map(SKELRT_FN((float x, sk::random r) { return x + r.normal(); }));
const auto mixed = sk::map(SKELRT_FN((sk::random r) {
    float x = 0;
    for (int i = 0; i < 5; ++i) x = 2 * x + r.normal(); // makes two at a time
    x += r.uniform();
    return 2 * x + r.normal();
}));
const auto with_double = sk::map(SKELRT_FN((sk::random r, double scale) { return scale * r.uniform_double(); }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + b; }));
const auto sum = sk::reduce(sk::plus, 0u);

/// The generator as the host has it.
std::vector<unsigned> host_bits(std::size_t n, sk::random_seed seed, unsigned skip = 0)
{
    return expected(n, [&](std::size_t i) {
        sk::random r(seed.key(), i);
        for (unsigned k = 0; k < skip; ++k) r.bits();
        return r.bits();
    });
}

} // namespace

TEST_CASE("Philox4x32-10 gives the numbers of its authors", "[random_numbers]")
{
    // D. E. Shaw Research's known answers: counter and key all zero.
    sk::random zero(0, 0);
    REQUIRE(zero.bits() == 0x6627e8d5u);
    REQUIRE(zero.bits() == 0xe169c58du);
    REQUIRE(zero.bits() == 0xbc57ac4cu);
    REQUIRE(zero.bits() == 0x9b00dbd8u);
}

TEST_CASE("random numbers are the same on every device", "[random_numbers]")
{
    const auto n = sizes();
    const sk::random_seed seed{0x123456789abcdef0u}, other{0x123456789abcdef0u, 7};
    const sk::vector<unsigned> x = bits(sk::shape(n), seed);
    check_equal(x, host_bits(n, seed));
    const sk::vector<unsigned> y = sixth(sk::shape(n), other);
    check_equal(y, host_bits(n, other, 5));
    const sk::vector<float> u = uniform(sk::shape(n), seed);
    check_equal(u, expected(n, [&](std::size_t i) { return sk::random(seed.key(), i).uniform(); }));
    const sk::vector<double> d = with_double(sk::shape(n), seed, 2.0);
    check_equal(d, expected(n, [&](std::size_t i) { return 2.0 * sk::random(seed.key(), i).uniform_double(); }));
}

TEST_CASE("normal numbers come in pairs, each of its two uniform ones", "[random_numbers]")
{
    const auto n = sizes();
    const sk::random_seed seed{77};
    const std::vector<float> x = values(sk::vector<float>(mixed(sk::shape(n), seed)));
    for (std::size_t i = 0; i < n; ++i) {
        sk::random r(seed.key(), i);
        double want = 0;
        const auto radius_and_angle = [&] {
            const double radius = std::sqrt(-2 * std::log(1.0 - r.uniform()));
            return std::pair{radius, 6.283185307 * r.uniform()};
        };
        for (int pair = 0; pair < 2; ++pair) {
            const auto [radius, angle] = radius_and_angle();
            want = 2 * (2 * want + radius * std::cos(angle)) + radius * std::sin(angle);
        }
        const auto [radius, angle] = radius_and_angle();
        want = 2 * want + radius * std::cos(angle);
        want += r.uniform();
        want = 2 * want + radius * std::sin(angle);
        REQUIRE(x[i] == Approx(want).margin(1e-3));
    }
}

TEST_CASE("random numbers in matrices, tensors and fused calls", "[random_numbers][fusion]")
{
    const sk::random_seed seed{42}, other{42, 1};
    const auto a = host_bits(60 * 7, seed), b = host_bits(60 * 7, other);
    sk::matrix<unsigned> m(60, 7);
    m = bits(seed); // the destination's shape, counted row by row
    check_equal(m, a);
    const sk::tensor<unsigned, 3> t = bits(sk::shape(12, 5, 7), seed);
    check_equal(t, a);
    m = add(bits(seed), add(m, bits(other)));
    check_equal(m, expected(a.size(), [&](std::size_t i) { return 2 * a[i] + b[i]; }));
    unsigned want = 0;
    for (const unsigned v : a) want += v;
    REQUIRE(sum(bits(sk::shape(420), seed)).get() == want);
    sk::vector<unsigned> x(100, 1);
    x.range(20, 50) = bits(seed); // counts from the call's origin
    check_equal(x, expected(100, [&](std::size_t i) { return i >= 20 && i < 70 ? a[i - 20] : 1u; }));
}

TEST_CASE("random numbers are spread as they should be", "[random_numbers]")
{
    const std::size_t n = 100'000;
    const sk::vector<float> u = uniform(sk::shape(n), sk::random_seed{1});
    const sk::vector<float> g = moved(sk::vector<float>(n, 5.0f), sk::random_seed{2});
    double mean = 0, spread = 0, in_ten = 0;
    for (const float v : values(u)) {
        REQUIRE((v >= 0 && v < 1));
        mean += v, in_ten += v < 0.1f;
    }
    REQUIRE(std::abs(mean / n - 0.5) < 0.005);
    REQUIRE(std::abs(in_ten / n - 0.1) < 0.005);
    mean = 0;
    for (const float v : values(g)) mean += v / n;
    for (const float v : values(g)) spread += (v - mean) * (v - mean) / n;
    REQUIRE(std::abs(mean - 5) < 0.02);
    REQUIRE(std::abs(spread - 1) < 0.03);
}

namespace
{

const auto walk = sk::stencil(SKELRT_FN((sk::hood1<unsigned> u, sk::random r) { return u(-1) + 3 * u(1) + r.bits(); }),
                              sk::border::constant(7u));
const auto relax = sk::stencil(SKELRT_FN((sk::hood2<unsigned> u, sk::random r, unsigned w) {
                                   return u(-1, 0) + 3 * u(0, 1) + w * r.bits() + r.bits();
                               }),
                               sk::border::cyclic());
const auto half =
    sk::stencil(SKELRT_FN((sk::hood2<unsigned> u, sk::random r) { return u(0, -1) + 3 * u(0, 1) + r.bits(); }),
                sk::border::constant(1u));
const auto noise = sk::map(SKELRT_FN((unsigned a, sk::random r) { return a + r.bits(); }));
const auto with_noise = sk::stencil(SKELRT_FN((sk::hood1<unsigned> u, unsigned w) { return u(-1) + 3 * u(1) + w; }),
                                    sk::border::constant(7u));

/// One step of `walk`, as sequential code.
std::vector<unsigned> walked(const std::vector<unsigned>& x, std::uint64_t key)
{
    const std::size_t n = x.size();
    return expected(n, [&](std::size_t i) {
        return (i > 0 ? x[i - 1] : 7u) + 3 * (i + 1 < n ? x[i + 1] : 7u) + sk::random(key, i).bits();
    });
}

} // namespace

TEST_CASE("every step of an iteration draws other random numbers", "[random_numbers][stencil]")
{
    const std::size_t n = sizes(), steps = GENERATE(1, 2, 3, 10);
    const sk::random_seed seed{99, 3};
    const auto start = numbers<unsigned>(n);
    auto want = start;
    for (std::size_t k = 0; k < steps; ++k) want = walked(want, seed.key_of_step(k));
    sk::vector<unsigned> x = vector_of(start);
    x = walk.iterate(steps, x, seed);
    check_equal(x, want);
    // A condition that is asked now and then changes nothing.
    x = vector_of(start);
    x = walk.iterate_until([&](const auto&, const auto&, std::size_t made) { return made >= 2 * steps; }, steps, x,
                           seed);
    for (std::size_t k = steps; k < 2 * steps; ++k) want = walked(want, seed.key_of_step(k));
    check_equal(x, want);
    REQUIRE(seed.key_of_step(0) == seed.key());
}

TEST_CASE("steps on matrices and half steps draw random numbers of their own", "[random_numbers][stencil]")
{
    constexpr std::size_t rows = 37, cols = 29, steps = 6;
    const sk::random_seed seed{5};
    const auto start = numbers<unsigned>(rows * cols);
    auto want = start;
    for (std::size_t k = 0; k < steps; ++k) {
        const auto old = want;
        for (std::size_t i = 0; i < rows * cols; ++i) {
            sk::random r(seed.key_of_step(k), i);
            const std::size_t row = i / cols, col = i % cols;
            const unsigned first = 2 * r.bits();
            want[i] =
                old[(row + rows - 1) % rows * cols + col] + 3 * old[row * cols + (col + 1) % cols] + first + r.bits();
        }
    }
    sk::matrix<unsigned> m = matrix_of(rows, cols, start);
    m = relax.iterate(steps, m, seed, 2u);
    check_equal(m, want);

    want = start;
    for (std::size_t k = 0; k < steps; ++k)
        for (std::size_t color = 0; color < 2; ++color)
            for (std::size_t i = 0; i < rows * cols; ++i) {
                const std::size_t row = i / cols, col = i % cols;
                if ((row + col) % 2 != color) continue;
                want[i] = (col > 0 ? want[i - 1] : 1u) + 3 * (col + 1 < cols ? want[i + 1] : 1u) +
                          sk::random(seed.key_of_step(k), i).bits();
            }
    m = matrix_of(rows, cols, start);
    m = half.red_black(steps, m, seed);
    check_equal(m, want);
}

TEST_CASE("a map among an iteration's arguments gives the same numbers in every step", "[random_numbers][stencil]")
{
    const std::size_t n = 5000;
    const sk::random_seed seed{17};
    const auto start = numbers<unsigned>(n), other = numbers<unsigned>(n, 2);
    auto want = start;
    for (int k = 0; k < 4; ++k) {
        const auto old = want;
        for (std::size_t i = 0; i < n; ++i)
            want[i] = (i > 0 ? old[i - 1] : 7u) + 3 * (i + 1 < n ? old[i + 1] : 7u) + other[i] +
                      sk::random(seed.key(), i).bits();
    }
    sk::vector<unsigned> x = vector_of(start);
    x = with_noise.iterate(4, x, noise(vector_of(other), seed));
    check_equal(x, want);
}
