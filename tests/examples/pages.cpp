// SPDX-License-Identifier: BSD-3-Clause
/// The pieces of code in docs/checks.md, docs/cluster.md and docs/tuning.md, compiled, run and checked. The pages quote
/// this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include <unistd.h>

namespace sk = skelrt;

SKELRT_SHARED(constexpr int factor = 10;) // in some header

namespace
{

const auto sum = sk::reduce(sk::plus, 0.0f);

/// The host's function is the one that counts, whatever a device makes of its text.
void another_factor()
{
    const sk::vector<int> x(1000, 2);
    sk::vector<int> y;

    constexpr int factor = 3; // in the function that makes the call
    y = sk::map(SKELRT_FN((int x) { return x * factor; }))(x);

    const auto h = sk::host_read(y);
    expect(std::ranges::all_of(h, [](int v) { return v == 6; }), "the host's factor");
}

sk::vector<float> render(int scene) { return sk::vector<float>(100, static_cast<float>(scene)); }

void dealt_farm()
{
    const std::vector<int> scenes{3, 1, 2};
    std::vector<float> light = sk::farm([](int scene) { return float(sum(render(scene))); })(scenes);
    expect(light == std::vector<float>{300, 100, 200}, "a farm's results in order");
}

void dealt_blocks()
{
    const std::size_t n = 200;
    sk::matrix<double> a(n, n);
    sk::distribute(a, sk::distribution::grid().cyclic(64, 64));
    const sk::blocks A(a, 64, 64);
    expect(A.rows() == 4 && A.cols() == 4, "blocks as they are dealt out");
}

void plans()
{
    const auto folder = std::filesystem::temp_directory_path() / ("skelrt-pages-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
    auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    auto sum = sk::reduce(sk::plus, 0.0f);

    sk::plan p;
    p.range(0, 100'000, {{sk::device::cpu}});
    p.range(100'001, sk::plan::any_size, {{sk::device::cuda, 0.7}, {sk::device::cpu, 0.3}});
    saxpy.use(p); // this skeleton's calls, from now on
    sum.use(sk::plan({{.kind = sk::device::cuda, .number = 1, .pieces = 4}}));
    p.save("saxpy.json");
    p = sk::plan::load("saxpy.json");
    std::cout << p;
    saxpy.use(sk::plan()); // automatic again

    sk::vector<float> x(200'000, 1.0f);
    x = saxpy(2.0f, x, x);
    expect(sk::host_read(x)[199'999] == 3, "automatic again");
    std::filesystem::remove_all(folder);
}

void sorts_on_a_gpu()
{
    sk::vector<float> x(1000, 1.0f);
    sk::vector<int> keys{3, 1, 2}, values{30, 10, 20};

    {
        const sk::follow there(sk::plan({{sk::device::cuda}}));
        x = sk::sort(x);
        sk::sort_by_key(keys, values); // on the GPU, too
    }
    x = sk::sort(x); // automatic

    expect(sk::host_read(values)[2] == 30, "sorts that follow a plan");
}

bool has_cuda(const sk::runtime& rt)
{
    return std::ranges::any_of(rt.devices(), [](const sk::device_info& d) { return d.kind == sk::device::cuda; });
}

} // namespace

int main()
{
    const sk::runtime rt;
    another_factor();
    dealt_farm();
    dealt_blocks();
    plans();
    if (has_cuda(rt)) sorts_on_a_gpu();
    return failures;
}
