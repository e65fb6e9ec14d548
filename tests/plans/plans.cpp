// SPDX-License-Identifier: BSD-3-Clause
/// Plans are obeyed exactly: who ran how many tasks. Exit code 77: no OpenCL device stands for a GPU here.

#include <skelrt/skelrt.hpp>

#include "each_plan.hpp"

#include <catch2/catch.hpp>

#include <numeric>

namespace sk = skelrt;
using Catch::Contains;
using sk::device;

namespace
{

constexpr std::size_t n = 1 << 20, tiles = 10;

sk::vector<float> ones(std::size_t size = n) { return sk::vector<float>(size, 1.0f); }

const sk::plan pieces({{device::opencl, 1, 0, 5}});

auto doubled()
{
    return sk::map(SKELRT_FN((float x) { return x + x; }));
}

} // namespace

TEST_CASE("maps obey their plan", "[plans]")
{
    auto twice = doubled();
    check_each(
        [&](const sk::plan& p) {
            const auto x = ones();
            sk::vector<float> y = twice.use(p)(x);
            CHECK(sk::host_read(y)[n - 1] == 2.0f);
        },
        {1, 1});
}

TEST_CASE("reductions obey their plan", "[plans]")
{
    auto sum = sk::reduce(sk::plus, 0.0f);
    check_each([&](const sk::plan& p) { CHECK(float(sum.use(p)(ones())) == float(n)); }, {1, 1});
}

TEST_CASE("scans obey their plan", "[plans]")
{
    auto running = sk::scan(sk::plus);
    check_each(
        [&](const sk::plan& p) {
            const auto x = ones();
            sk::vector<float> y = running.use(p)(x);
            CHECK(sk::host_read(y)[n - 1] == float(n));
        },
        {1, 1});
}

TEST_CASE("stencils and their iterations obey their plan", "[plans]")
{
    auto mean =
        sk::stencil(SKELRT_FN((sk::hood1<float> u) { return 0.5f * (u(-1) + u(1)); }), sk::border::constant(1.0f));
    for (const sk::plan& p : {on_cpu, on_gpu}) {
        mean.use(p);
        tasks();
        const auto x = ones();
        sk::vector<float> y = mean(x);
        sk::vector<float> z = mean.iterate(4, y);
        CHECK(sk::host_read(z)[7] == 1.0f);
        const counts done = tasks();
        CHECK((p == on_cpu ? done.opencl : done.cpu) == 0);
        CHECK((p == on_cpu ? done.cpu : done.opencl) >= 2);
    }
    mean.use(split);
    tasks();
    const auto x = ones();
    sk::vector<float> y = mean(x);
    CHECK(sk::host_read(y)[n - 1] == 1.0f);
    const counts done = tasks(); // halos are tasks, too
    CHECK(done.cpu >= 1);
    CHECK(done.opencl >= 1);
}

TEST_CASE("all pairs obey their plan", "[plans]")
{
    auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    check_each(
        [&](const sk::plan& p) {
            const sk::matrix<float> a(200, 64, 1.0f), b(200, 64, 1.0f);
            sk::matrix<float> c = product.use(p)(a, b);
            CHECK(sk::host_read(c)(199, 199) == 64.0f);
        },
        // the second operand is read whole: a copy of it is gathered for the device
        {1, 2});
}

TEST_CASE("pieces are tasks", "[plans]")
{
    auto twice = doubled();
    const auto x = ones();
    tasks();
    sk::vector<float> y = twice.use(pieces)(x);
    CHECK(tasks() == counts{0, 5});
}

TEST_CASE("the range of the call's size counts; without one all is automatic", "[plans]")
{
    sk::plan p;
    p.range(100'000, 200'000, {{device::cpu, 1, 0, 2}}).range(200'001, sk::plan::any_size, {{device::opencl, 1, 0, 2}});
    auto twice = doubled();
    twice.use(p);
    tasks();
    sk::vector<float> y = twice(ones(200'000));
    CHECK(tasks() == counts{2, 0});
    y = twice(ones(200'001));
    CHECK(tasks() == counts{0, 2});
    y = twice(ones(10)); // on the calling thread
    CHECK(tasks() == counts{0, 0});
    y = twice.use(sk::plan())(ones());
    const counts automatic = tasks();
    CHECK(automatic.cpu + automatic.opencl > 0);
}

TEST_CASE("small calls stay on the calling thread if the plan says no more than the CPU", "[plans]")
{
    auto twice = doubled();
    tasks();
    sk::vector<float> y = twice.use(sk::plan({{device::cpu}}))(ones(10));
    CHECK(tasks() == counts{0, 0});
    y = twice.use(on_gpu)(ones(10));
    CHECK(tasks() == counts{0, 1});
}

TEST_CASE("a thread follows a plan, but for skeletons that have their own", "[plans]")
{
    auto twice = doubled();
    const auto x = ones();
    sk::vector<float> y(n), z(n);
    tasks();
    {
        const sk::follow all(split);
        y = twice(x);
        CHECK(tasks() == counts{1, 1});
        const sk::follow inner(on_gpu);
        y = twice(x);
        CHECK(tasks().cpu == 0);
        z = twice.use(on_cpu)(x);
        CHECK(tasks() == counts{1, 0});
    }
    y = twice(x);
    CHECK(sk::host_read(y)[n - 1] == 2.0f);
    CHECK(sk::host_read(z)[n - 1] == 2.0f);
}

TEST_CASE("a plan that the call cannot obey is an error", "[plans]")
{
    auto twice = doubled();
    sk::vector<float> y;
    const auto x = ones();
    REQUIRE_THROWS_WITH(y = twice.use(sk::plan({{device::opencl, 1, 7}}))(x),
                        Contains("asks for opencl 7") && Contains("cpu, opencl 0"));
    {
        const sk::only here(device::cpu);
        REQUIRE_THROWS_WITH(y = twice.use(on_gpu)(x), Contains("asks for opencl 0") && Contains("may use: cpu"));
    }
    y = twice.use(split)(x); // nothing is broken
    CHECK(sk::host_read(y)[0] == 2.0f);
}

int main(int argc, char** argv)
{
    sk::options wanted;
    wanted.tiles = tiles;
    return run_with_opencl(argc, argv, wanted);
}
