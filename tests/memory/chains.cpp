// SPDX-License-Identifier: BSD-3-Clause
/// A result takes over the memory of what the program has let go of, although calls still read it. Once on the cores
/// alone, once beside an OpenCL device, where other calls may go.

#include "src/data/memory/memory.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace sk = skelrt;
using skelrt::detail::bytes_in_use;

namespace
{

constexpr std::size_t little = std::size_t{1} << 12, much = std::size_t{1} << 19; // 16 KiB and 2 MiB

const auto one_more = sk::map(SKELRT_FN((int x) { return x + 1; }));
const auto mixed = sk::map(SKELRT_FN((int x, int y) { return 3 * x - y; }));

} // namespace

TEST_CASE("a chain needs two containers, and one for each of several devices, however far ahead it is", "[chains]")
{
    sk::runtime rt;
    std::vector<sk::device> kinds{sk::device::cpu};
    for (const auto& d : rt.devices())
        if (d.kind == sk::device::opencl) kinds.push_back(d.kind);
    const std::size_t n = GENERATE(little, much);
    for (const auto kind : kinds) {
        CAPTURE(n, kinds.size(), static_cast<int>(kind));
        const sk::only there(kind);
        sk::vector<int> x(n, 0);
        x = one_more(x);
        rt.wait();
        const std::size_t before = bytes_in_use();
        std::size_t most = 0;
        for (int i = 0; i < 100; ++i) {
            x = one_more(x);
            most = std::max(most, bytes_in_use());
        }
        const std::size_t left_alone = kinds.size() == 1 ? 0 : kinds.size();
        CHECK(most <= before + (2 + left_alone) * n * sizeof(int));
        const auto view = sk::host_read(x);
        REQUIRE(std::ranges::all_of(view, [](int v) { return v == 101; }));
    }
}

TEST_CASE("nothing is overwritten that calls in flight still read", "[chains]")
{
    const std::size_t n = GENERATE(little, much);
    sk::runtime rt;
    std::mt19937 random(5);
    std::array<sk::vector<int>, 4> ours;
    std::array<std::vector<int>, 4> plain;
    for (std::size_t k = 0; k < ours.size(); ++k) {
        plain[k].assign(n, static_cast<int>(k));
        ours[k] = sk::vector<int>(n, static_cast<int>(k));
    }
    for (int step = 0; step < 60; ++step) {
        const std::size_t a = random() % 4, b = random() % 4, to = random() % 4;
        switch (random() % 4) {
        case 0:
            ours[to] = one_more(ours[a]);
            for (std::size_t i = 0; i < n; ++i) plain[to][i] = plain[a][i] + 1;
            break;
        case 1: {
            sk::vector<int> temporary = mixed(ours[a], ours[b]);
            ours[to] = one_more(temporary);
            for (std::size_t i = 0; i < n; ++i) plain[to][i] = 3 * plain[a][i] - plain[b][i] + 1;
            break;
        }
        case 2:
            ours[to] = ours[a];
            plain[to] = plain[a];
            break;
        default:
            ours[to] = mixed(ours[a], ours[b]);
            std::vector<int> result(n);
            for (std::size_t i = 0; i < n; ++i) result[i] = 3 * plain[a][i] - plain[b][i];
            plain[to] = std::move(result);
        }
        for (auto& values : plain)
            for (int& v : values) v %= 1000; // no overflow
        for (auto& x : ours) x = sk::map(SKELRT_FN((int v) { return v % 1000; }))(x);
    }
    for (std::size_t k = 0; k < ours.size(); ++k) {
        const auto view = sk::host_read(ours[k]);
        REQUIRE(std::ranges::equal(view, plain[k]));
    }
}
