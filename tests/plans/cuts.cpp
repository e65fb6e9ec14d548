// SPDX-License-Identifier: BSD-3-Clause
/// Containers whose tiles nobody has chosen are cut anew when devices are to share them. Exit code 77: no OpenCL device
/// here.

#include <skelrt/skelrt.hpp>

#include "with_opencl.hpp"

#include <catch2/catch.hpp>

namespace sk = skelrt;
using sk::device;

namespace
{

constexpr std::size_t n = 1 << 20; // 4 MiB: one tile

const sk::plan on_cpu({{device::cpu, 1, 0, 1}}), on_gpu({{device::opencl}}),
    split({{device::opencl, 0.5, 0, 1}, {device::cpu, 0.5}}); // one task each

const auto one_more = sk::map(SKELRT_FN((float x) { return x + 1; }));
const auto add = sk::map(SKELRT_FN((float x, float y) { return x + y; }));

void step(sk::vector<float>& x, const sk::plan& p)
{
    const sk::follow all(p);
    x = one_more(x);
}

void check(const sk::vector<float>& x, float at_front)
{
    const auto view = sk::host_read(x);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += view[i] != at_front + static_cast<float>(i % 100);
    REQUIRE(wrong == 0);
}

sk::vector<float> numbers()
{
    sk::vector<float> x(n);
    const auto view = sk::host(x);
    for (std::size_t i = 0; i < n; ++i) view[i] = static_cast<float>(i % 100);
    return x;
}

} // namespace

TEST_CASE("what one task used as a whole is shared, when its data is at home", "[cuts]")
{
    auto x = numbers();
    step(x, on_cpu);
    check(x, 1);
    tasks();
    step(x, split);
    CHECK(tasks() == counts{1, 1});
    check(x, 2);
}

TEST_CASE("data on a device stays as it is cut, and is right", "[cuts]")
{
    auto x = numbers();
    step(x, on_gpu);
    step(x, split);
    step(x, on_cpu);
    check(x, 3);
    for (int i = 0; i < 4; ++i) step(x, i % 2 ? on_gpu : split);
    check(x, 7);
}

TEST_CASE("containers of one call are cut alike, new results, too", "[cuts]")
{
    auto x = numbers();
    const sk::vector<float> y(n, 1.0f);
    step(x, on_cpu);
    sk::vector<float> z(n, 0.0f);
    {
        const sk::follow all(on_cpu);
        z = add(z, y);
    }
    check(x, 1);
    tasks();
    {
        const sk::follow all(split);
        z = add(x, y);
    }
    CHECK(tasks() == counts{1, 1});
    check(z, 2);
    check(x, 1);
}

TEST_CASE("an open view keeps the tiles", "[cuts]")
{
    auto x = numbers();
    step(x, on_cpu);
    const auto view = sk::host_read(x);
    sk::vector<float> y;
    {
        const sk::follow all(split);
        y = one_more(x);
    }
    CHECK(view[5] == 6.0f);
    check(y, 2);
}

int main(int argc, char** argv) { return run_with_opencl(argc, argv, {}); }
