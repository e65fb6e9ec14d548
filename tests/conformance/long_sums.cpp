// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>

using namespace test;

namespace
{

constexpr std::size_t terms = 17'000'000;
constexpr double tenth = 0.1f; // what a float holds of it

const auto sum = sk::reduce(sk::plus, 0.0f);
/// One that is not known to be commutative.
const auto ordered = sk::reduce(SKELRT_FN((float a, float b) { return a + b; }), 0.0f);

/// So many times what pairwise summation may lose of n terms that have one sign.
bool close(double got, double want, std::size_t n, double times = 2)
{
    const double bound = times * std::log2(static_cast<double>(n)) * 0x1p-24;
    INFO("sum of " << n << " terms: " << got << " instead of " << want << ", bound " << bound);
    CHECK(std::abs(got - want) <= bound * want);
    return std::abs(got - want) <= bound * want;
}

} // namespace

TEST_CASE("long sums lose no more than pairwise summation", "[long][reduce]")
{
    const sk::vector<float> x(terms, 0.1f);
    const double want = tenth * terms;
    close(sum(x), want, terms);
    close(ordered(x), want, terms);
}

TEST_CASE("sums of long rows and columns lose no more than pairwise summation", "[long][reduce]")
{
    constexpr std::size_t long_side = 4'000'000, many_rows = 400'000;
    const sk::matrix<float> wide(3, long_side, 0.1f), tall(many_rows, 3, 0.1f);
    for (const float got : values(sk::vector<float>(sum.by_row(wide)))) close(got, tenth * long_side, long_side);
    for (const float got : values(sk::vector<float>(ordered.by_row(wide)))) close(got, tenth * long_side, long_side);
    for (const float got : values(sk::vector<float>(sum.by_column(tall)))) close(got, tenth * many_rows, many_rows);
    for (const float got : values(sk::vector<float>(sum.by_row(tall)))) close(got, 3 * tenth, 3);
}

/// Pieces of running sums are chains where the compiler has no vectors. The tiles of a CUDA kernel are one long chain:
/// 17 million equal terms were off by 7 times what pairwise summation may lose.
double of_pieces() { return devices().has(sk::device::cuda) ? 16 : 4; }

TEST_CASE("running sums lose no more than pairwise summation", "[long][scan]")
{
    const sk::vector<float> x(terms, 0.1f);
    const auto check = [&](const auto& scan) {
        const sk::vector<float> y = scan(x);
        const auto h = sk::host_read(y);
        for (const std::size_t n : {std::size_t{100}, std::size_t{70'000}, terms / 3, terms / 2 + 1, terms})
            if (!close(h[n - 1], tenth * static_cast<double>(n), n, of_pieces())) return;
    };
    check(sk::scan(sk::plus));
    check(sk::scan(SKELRT_FN((float a, float b) { return a + b; })));
}

TEST_CASE("running sums of long rows and columns lose no more than pairwise summation", "[long][scan]")
{
    constexpr std::size_t long_side = 4'000'000, many_rows = 400'000;
    const sk::matrix<float> wide(3, long_side, 0.1f), tall(many_rows, 3, 0.1f);
    const auto sums = sk::scan(sk::plus);
    const auto ordered_sums = sk::scan(SKELRT_FN((float a, float b) { return a + b; }));
    const auto check = [&](const auto& scan) {
        const sk::matrix<float> w = scan.by_row(wide), t = scan.by_column(tall);
        const auto along = sk::host_read(w), down = sk::host_read(t);
        for (std::size_t r = 0; r < 3; ++r) close(along(r, long_side - 1), tenth * long_side, long_side, of_pieces());
        for (std::size_t c = 0; c < 3; ++c) close(down(many_rows - 1, c), tenth * many_rows, many_rows, of_pieces());
    };
    check(sums);
    check(ordered_sums);
}

/// A GPU's BLAS may add up rows of not more than 32 768 elements in one chain.
double of_product(std::size_t depth)
{
    if (devices() == sk::device_set(sk::device::cpu) || depth > 32'768) return 2;
    return static_cast<double>(depth) / std::log2(static_cast<double>(depth));
}

TEST_CASE("sums of products over deep rows lose no more than pairwise summation", "[long][all_pairs]")
{
    const auto add = SKELRT_FN((float a, float b) { return a + b; }); // not known to be commutative
    const auto half = sk::map(SKELRT_FN((float v) { return v / 2; }));
    for (const std::size_t depth : {std::size_t{1000}, std::size_t{40'000}, std::size_t{3'000'000}}) {
        const sk::matrix<float> a(3, depth, 0.1f), ones(2, depth, 1.0f), twos(depth, 2, 2.0f);
        const auto check = [&](const sk::matrix<float>& sums) {
            for (const float got : values(sums))
                close(got, tenth * static_cast<double>(depth), depth, of_product(depth));
        };
        check(sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(a, ones));
        check(sk::all_pairs(sk::multiplies, sk::plus)(a, sk::transpose(sk::matrix<float>(depth, 2, 1.0f))));
        check(sk::all_pairs(SKELRT_FN((float x, float y) { return x * y; }), add)(half(a), sk::transpose(twos)));
        for (const float got : values(sk::vector<float>(sum.by_row(a * 2.0f))))
            close(got, 2 * tenth * static_cast<double>(depth), depth);
    }
}

SKELRT_SHARED(struct two_sums { float first, second; };)

TEST_CASE("sums of products in structs lose no more, and a start value stays in front", "[long][all_pairs]")
{
    constexpr std::size_t depth = 400'000;
    const sk::matrix<float> a(2, depth, 0.1f), b(3, depth, 1.0f);
    const auto zip = SKELRT_FN((float x, float y) { return two_sums{x * y, x * y / 2}; });
    const auto add = SKELRT_FN((two_sums p, two_sums q) { return two_sums{p.first + q.first, p.second + q.second}; });
    const sk::matrix<two_sums> sums = sk::all_pairs(zip, add, two_sums{1, 2})(a, b);
    for (const two_sums got : values(sums)) {
        close(got.first, tenth * depth + 1, depth);
        close(got.second, tenth * depth / 2 + 2, depth);
    }
}

TEST_CASE("deep rows are combined in their order", "[long][all_pairs]")
{
    constexpr std::size_t depth = 100'003;
    sk::matrix<unsigned> a(2, depth), b(3, depth, 1u);
    {
        const auto h = sk::host_write(a);
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t k = 0; k < depth; ++k) h(r, k) = static_cast<unsigned>(k * 7 + r) % 1'000'003;
    }
    // x -> factor * x + offset, one behind the other: associative, not commutative; the factor is above the offset.
    const auto after = SKELRT_FN((unsigned f, unsigned g) {
        const unsigned factor = (f >> 16) * (g >> 16), offset = (f >> 16) * (g & 0xffff) + f;
        return factor << 16 | (offset & 0xffff);
    });
    const auto make = SKELRT_FN((unsigned x, unsigned y) { return (2 * x + 3) << 16 | ((x * y + x / 7) & 0xffff); });
    const sk::matrix<unsigned> got = sk::all_pairs(make, after, 0x10005u)(a, b);
    const auto x = sk::host_read(a);
    const auto h = sk::host_read(got);
    for (std::size_t r = 0; r < 2; ++r) {
        unsigned want = 0x10005u;
        for (std::size_t k = 0; k < depth; ++k) want = after(want, make(x(r, k), 1u));
        for (std::size_t c = 0; c < 3; ++c) CHECK(h(r, c) == want);
    }
}
