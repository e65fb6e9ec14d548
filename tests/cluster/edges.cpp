// SPDX-License-Identifier: BSD-3-Clause
/// Prints what stencils over ranks give, as hashes of bits: edges ROWS. The same for any number of ranks, and whatever
/// is computed first.

#include <skelrt/skelrt.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace sk = skelrt;

namespace
{

constexpr std::size_t cols = 1500;
constexpr std::size_t steps = 6;

template <class Container>
void print(const char* name, const Container& x)
{
    const auto h = sk::host_read(x);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(h.data());
    std::uint64_t hash = 1469598103934665603u;
    for (std::size_t i = 0; i < h.size() * sizeof *h.data(); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
    if (sk::rank() == 0) std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

const auto first = sk::map(SKELRT_FN((sk::index2 at) { return 0.01 * (double)((at.row * 31 + at.col * 17) % 101); }));
const auto smooth =
    SKELRT_FN((sk::hood2<double> u) { return 0.2 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + u(0, 0)); });
const auto heat = sk::stencil(smooth, sk::border::constant(0.5));
const auto ring = sk::stencil(smooth, sk::border::cyclic());
const auto wide =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-2, 0) + u(3, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::nearest());
const auto forced = sk::stencil(
    SKELRT_FN((sk::hood2<double> u, double f) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - f); }),
    sk::border::constant(0.0));
const auto line = sk::stencil(SKELRT_FN((sk::hood1<double> u) { return 0.5 * (u(-3) + u(2)); }), sk::border::cyclic());
const auto largest = sk::reduce(SKELRT_FN((double a, double b) { return a > b ? a : b; }), 0.0);
const auto twice = sk::map(SKELRT_FN((double v) { return 2 * v; }));

} // namespace

int main(int, char** argv)
{
    const sk::runtime rt;
    const std::size_t rows = std::strtoul(argv[1], nullptr, 10);
    sk::matrix<double> u = first(sk::shape(rows, cols)), f = first(sk::shape(rows, cols)), v(rows, cols, 0.0);
    print("heat", sk::eval(heat.iterate(steps, u)));
    print("ring", sk::eval(ring.iterate(steps, u)));
    print("wide", sk::eval(wide.iterate(steps, u)));
    print("forced", sk::eval(forced.iterate(steps, u, f)));
    // What is cut for its edges is used by calls of other kinds, and changed between steps.
    u = heat.iterate(steps, u);
    for (int k = 0; k < 4; ++k) {
        v = forced(u, f);
        v = twice(v);
        u = heat(v);
    }
    const double most = largest(u);
    if (sk::rank() == 0) std::printf("largest %a\n", most);
    print("in turns", u);
    sk::vector<double> x(rows * cols, 0.0);
    x = sk::map(SKELRT_FN((sk::index1 i) { return (double)(i.i % 89); }))(sk::shape(rows * cols));
    print("line", sk::eval(line.iterate(steps, x)));
    return 0;
}
