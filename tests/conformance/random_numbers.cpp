#include "support.hpp"

#include <cmath>

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
