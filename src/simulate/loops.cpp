// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.hpp"
#include "timed.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace simulate
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t measured = std::size_t{64} << 20;

/// As in skelrt-bench onepass: once over data that comes from the host and goes back there.
template <class F>
void one_pass(const std::string& name, scale of, F f)
{
    const std::size_t n = of.elements(measured);
    sk::vector<float> x(n, sk::uninitialized), y(n, sk::uninitialized);
    timed(
        name,
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] {
            y = f(x, y);
            static_cast<void>(sk::host_read(y));
        });
}

void onepass_1(const std::string& name, scale of)
{
    one_pass(name, of, sk::map(SKELRT_FN((float x, float y) { return y * 0.999f + x; })));
}

void onepass_16(const std::string& name, scale of)
{
    one_pass(name, of, sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 16; ++i) y = y * 0.999f + x;
                 return y;
             })));
}

void onepass_64(const std::string& name, scale of)
{
    one_pass(name, of, sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 64; ++i) y = y * 0.999f + x;
                 return y;
             })));
}

void onepass_256(const std::string& name, scale of)
{
    one_pass(name, of, sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 256; ++i) y = y * 0.999f + x;
                 return y;
             })));
}

void onepass_1024(const std::string& name, scale of)
{
    one_pass(name, of, sk::map(SKELRT_FN((float x, float y) {
                 for (int i = 0; i < 1024; ++i) y = y * 0.999f + x;
                 return y;
             })));
}

/// 100 steps that each need the one before.
void chain(const std::string& name, scale of)
{
    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    const std::size_t n = of.elements(measured);
    sk::vector<float> x(n, sk::uninitialized), y(n, sk::uninitialized);
    timed(
        name,
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] {
            for (int i = 0; i < 100; ++i) y = saxpy(0.5f, x, y);
            static_cast<void>(sk::host_read(y));
        });
}

void stencil(const std::string& name, scale of)
{
    const auto mean =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(0.0f));
    const std::size_t side = of.side(8192);
    sk::matrix<float> u(side, side, sk::uninitialized), v;
    timed(
        name, [&] { static_cast<void>(sk::host_write(u)); },
        [&] {
            v = mean.iterate(100, u);
            static_cast<void>(sk::host_read(v));
        });
}

void dot(const std::string& name, scale of)
{
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const auto times = sk::map(sk::multiplies);
    const std::size_t n = of.elements(measured);
    sk::vector<float> x(n, sk::uninitialized), y(n, sk::uninitialized);
    timed(
        name,
        [&] {
            static_cast<void>(sk::host_write(x));
            static_cast<void>(sk::host_write(y));
        },
        [&] { static_cast<void>(static_cast<float>(sum(times(x, y)))); });
}

} // namespace

std::span<const graph> loops()
{
    static const graph all[] = {{"onepass_K1", &onepass_1},       {"onepass_K16", &onepass_16},
                                {"onepass_K64", &onepass_64},     {"onepass_K256", &onepass_256},
                                {"onepass_K1024", &onepass_1024}, {"chain_100", &chain},
                                {"stencil_100", &stencil},        {"dot", &dot}};
    return all;
}

} // namespace simulate
