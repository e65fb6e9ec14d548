// SPDX-License-Identifier: BSD-3-Clause
/// Functions that mean something else to a device: they are found out when they first run there. A local constant has
/// the name of one in a SKELRT_SHARED, which is all that the device's compiler can see. Exit code 77: no such device.

#include <skelrt/skelrt.hpp>

#include "../stderr_of.hpp"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace sk = skelrt;
using Catch::Contains;

SKELRT_SHARED(constexpr int checks_factor = 10; constexpr float checks_scale = 10.0f;)

namespace
{

sk::device kind = sk::device::opencl;
bool throws = false;   ///< SKELRT_CHECK=functions
bool in_tiles = false; ///< SKELRT_TILES
constexpr std::size_t n = 1000;

template <class Container>
auto values(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<typename Container::value_type>(h.begin(), h.end());
}

/// Known to the host alone.
int only_here(int x) { return x + 5; }

std::vector<int> counted(std::size_t count = n)
{
    std::vector<int> v(count);
    for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<int>(i % 17) + 1;
    return v;
}

std::size_t times(const std::string& text, const std::string& what)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
}

/// The call throws, and says why, where it may use nothing but the device; so does the next, which nobody begins.
template <class Call>
void throws_here(Call call)
{
    const sk::only here(kind);
    const std::string said = stderr_of([&] {
        REQUIRE_THROWS_WITH(call(), Contains("gives other values on") && Contains("SKELRT_SHARED"));
        REQUIRE_THROWS_AS(call(), sk::function_error);
    });
    REQUIRE(times(said, "gives other values on") == 1);
}

/// Where the plan names the device, the host does its tasks, and the values are right; then nothing goes there any
/// more.
template <class Call>
void done_by_host(Call call)
{
    const auto want = [&] {
        const sk::only cores(sk::device::cpu);
        return call();
    }();
    const std::string said = stderr_of([&] {
        {
            const sk::follow there(sk::plan({{kind}}));
            REQUIRE(call() == want);
        }
        const sk::only here(kind);
        REQUIRE_THROWS_AS(call(), sk::function_error);
    });
    REQUIRE(times(said, "gives other values on") == 1);
    REQUIRE_THAT(said, Contains("SKELRT_SHARED"));
}

/// A function is found out once a process: the test with several tiles sees to the host's part.
template <class Call>
void refuses(Call call)
{
    if (in_tiles) done_by_host(call);
    else throws_here(call);
}

} // namespace

TEST_CASE("a function that means something else on a device: the host does it, and says why")
{
    constexpr int checks_factor = 3;
    auto f = sk::map(SKELRT_FN((int x) { return x * checks_factor; }));
    const std::vector<int> a = counted();
    const sk::vector<int> x(a.begin(), a.end());
    std::vector<int> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = a[i] * 3;
    sk::vector<int> y;
    const std::string said = stderr_of([&] {
        const sk::follow there(sk::plan({{kind}}));
        y = f(x);
        if (throws) REQUIRE_THROWS_AS(values(y), sk::function_error);
        else REQUIRE(values(y) == want);
    });
    REQUIRE(times(said, "skelrt: error") == 1);
    REQUIRE_THAT(said, Contains("device_check.cpp:") && Contains("element 0 is 10 there, and 3 on the host") &&
                           Contains("checks_factor") && Contains("SKELRT_SHARED"));
    const std::string more = stderr_of([&] {
        y = f(x); // wherever the runtime likes
        REQUIRE(values(y) == want);
        sk::vector<int> z = f(y);
        for (int& v : want) v *= 3;
        REQUIRE(values(z) == want);
    });
    REQUIRE(more.empty());
}

TEST_CASE("in place, too, the host sees what the device did not touch")
{
    if (throws) return;
    constexpr int checks_factor = 3;
    auto f = sk::map(SKELRT_FN((int x, int y) { return x * checks_factor - y; }));
    const std::vector<int> a = counted();
    sk::vector<int> x(a.begin(), a.end());
    std::vector<int> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = a[i] * 3 - a[i];
    stderr_of([&] {
        const sk::follow there(sk::plan({{kind}}));
        x = f(x, x);
        REQUIRE(values(x) == want);
    });
}

TEST_CASE("calls that are under way when it is found out are right")
{
    if (throws) return;
    constexpr int checks_factor = 3;
    auto f = sk::map(SKELRT_FN((int x) { return x - checks_factor; }));
    const std::vector<int> a = counted();
    sk::vector<int> x(a.begin(), a.end());
    std::vector<int> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = a[i] - 30;
    stderr_of([&] {
        {
            const sk::follow there(sk::plan({{kind}}));
            try {
                for (int i = 0; i < 10; ++i) x = f(x);
            } catch (const sk::error&) { // the plan names nothing else, and the first run was faster than this thread
            }
        }
        const int done = (a[0] - values(x)[0]) / 3;
        for (int i = done; i < 10; ++i) x = f(x);
        REQUIRE(values(x) == want);
    });
}

TEST_CASE("every skeleton finds out")
{
    constexpr int checks_factor = 3;
    constexpr float checks_scale = 2.0f;
    const std::vector<int> a = counted(40 * 25);
    const sk::vector<int> x(a.begin(), a.end());
    const sk::matrix<int> m(40, 25, a.begin());
    const sk::vector<float> u(a.begin(), a.end());
    SECTION("a map of floating point")
    {
        auto f = sk::map(SKELRT_FN((float v) { return v * checks_scale; }));
        refuses([&] { return values(sk::vector<float>(f(u))); });
    }
    SECTION("a map of positions alone")
    {
        auto f = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i * checks_factor; }));
        refuses([&] { return values(sk::vector<int>(f(sk::shape(n)))); });
    }
    SECTION("a map of uniform values and whole vectors")
    {
        auto f = sk::map(SKELRT_FN((int v, sk::vec<int> all, int s) { return all[(size_t)v] * checks_factor + s; }));
        refuses([&] { return values(sk::vector<int>(f(x, x, 4))); });
    }
    SECTION("a map under a reduction")
    {
        auto f = sk::map(SKELRT_FN((int v) { return v * checks_factor; }));
        auto sum = sk::reduce(sk::plus, 0);
        refuses([&] { return int{sum(f(x))}; });
    }
    SECTION("an operator")
    {
        auto f = sk::reduce(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 5); }), 0);
        refuses([&] { return int{f(x)}; });
    }
    SECTION("reductions of rows and columns")
    {
        auto rows = sk::reduce(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 5); }), 0);
        refuses([&] { return values(sk::vector<int>(rows.by_row(m))); });
        auto columns = sk::reduce(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 6); }), 0);
        refuses([&] { return values(sk::vector<int>(columns.by_column(m))); });
    }
    SECTION("scans")
    {
        auto all = sk::scan(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 5); }));
        refuses([&] { return values(sk::vector<int>(all(x))); });
        auto rows = sk::scan(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 6); }));
        refuses([&] { return values(sk::matrix<int>(rows.by_row(m))); });
        auto columns = sk::scan(SKELRT_FN((int p, int q) { return (p + q) % (checks_factor + 8); }));
        refuses([&] { return values(sk::matrix<int>(columns.by_column(m))); });
    }
    SECTION("a filter")
    {
        auto f = sk::filter(SKELRT_FN((int v) { return v > checks_factor; }));
        refuses([&] { return values(sk::vector<int>(f(x))); });
    }
    SECTION("a comparator")
    {
        auto f = SKELRT_FN((int p, int q) { return p % checks_factor < q % checks_factor; });
        refuses([&] { return values(sk::vector<int>(sk::sort(x, f))); });
        auto g = SKELRT_FN((int p, int q) { return p % (checks_factor + 1) < q % (checks_factor + 1); });
        refuses([&] {
            sk::vector<int> keys(a.begin(), a.end()), other(a.begin(), a.end());
            sk::sort_by_key(keys, other, g);
            std::vector<int> both = values(keys);
            const std::vector<int> v = values(other);
            both.insert(both.end(), v.begin(), v.end());
            return both;
        });
    }
    SECTION("stencils")
    {
        auto line = sk::stencil(SKELRT_FN((sk::hood1<int> h) { return h(-1) + checks_factor * h(1); }),
                                sk::border::constant(0));
        refuses([&] { return values(sk::vector<int>(line(x))); });
        auto grid = sk::stencil(SKELRT_FN((sk::hood2<int> h) { return h(-1, 0) + checks_factor * h(0, 1); }),
                                sk::border::cyclic());
        refuses([&] { return values(sk::matrix<int>(grid(m))); });
    }
    SECTION("all pairs")
    {
        auto f = sk::all_pairs(SKELRT_FN((int p, int q) { return p * q * checks_factor; }), sk::plus);
        refuses([&] { return values(sk::matrix<int>(f(m, m))); });
    }
    SECTION("accumulators")
    {
        auto f = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> to) { to.add((size_t)v, checks_factor + 0); }));
        refuses([&] {
            sk::vector<int> bins(32, 0);
            f(x, bins);
            return values(bins);
        });
    }
    SECTION("an out_vec")
    {
        auto f =
            sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::out_vec<int> to) { to.set(i.i, v * checks_factor); }));
        refuses([&] {
            sk::vector<int> y(x.size(), 0);
            f(x, y);
            return values(y);
        });
    }
}

TEST_CASE("a sort's comparison that is no order is told so, and the device is not accused")
{
    const sk::only here(kind);
    const std::vector<int> a = counted();
    const sk::vector<int> x(a.begin(), a.end());
    const auto told = [](const std::string& said) {
        REQUIRE_THAT(said, Contains("device_check.cpp:") && Contains("comparison is no order") &&
                               Contains(" is before element ") && !Contains("other values"));
        REQUIRE(times(said, "skelrt: ") == 1);
    };
    auto odd = SKELRT_FN((int p, int q) { return (p * 7 + q * 3) % 5 < 3; });
    told(stderr_of([&] { REQUIRE(values(sk::vector<int>(sk::sort(x, odd))).size() == n); }));
    auto same = SKELRT_FN((int p, int q) { return (p * 7 + q * 3 + 1) % 5 < 3; });
    const auto by_key = [&] {
        sk::vector<int> keys(a.begin(), a.end()), other = keys;
        sk::sort_by_key(keys, other, same);
        REQUIRE(values(keys).size() == n);
    };
    told(stderr_of(by_key));
    REQUIRE(stderr_of(by_key).empty());
}

TEST_CASE("a function that first ran on one element is checked again on more, and then no more")
{
    const sk::only here(kind);
    constexpr int checks_factor = 3;
    const std::vector<int> a = counted();
    const sk::vector<int> one(1, 1), x(a.begin(), a.end());
    auto f = sk::map(SKELRT_FN((int v) { return v > 1 ? v * checks_factor : v; })); // the same of 1
    REQUIRE(stderr_of([&] { REQUIRE(values(sk::vector<int>(f(one))) == std::vector<int>{1}); }).empty());
    const std::string said = stderr_of([&] { REQUIRE_THROWS_AS(values(sk::vector<int>(f(x))), sk::function_error); });
    REQUIRE_THAT(said, Contains("gives other values on") && Contains("checks_factor"));
}

TEST_CASE("a function that a device's compiler refuses: one warning, and the others go on")
{
    auto f = sk::map(SKELRT_FN((int x) { return only_here(x); }));
    const std::vector<int> a = counted();
    const sk::vector<int> x(a.begin(), a.end());
    std::vector<int> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = a[i] + 5;
    const std::string said = stderr_of([&] {
        for (int i = 0; i < 3; ++i) {
            const sk::vector<int> y = f(x);
            REQUIRE(values(y) == want);
        }
        const sk::only here(kind);
        REQUIRE_THROWS_AS(sk::vector<int>(f(x)), sk::function_error);
        REQUIRE_THROWS_WITH(sk::vector<int>(f(x)), Contains("device_check.cpp:") && Contains("only_here"));
    });
    REQUIRE(times(said, "skelrt: warning") == 1);
}

TEST_CASE("functions that are sensitive to rounding are not accused")
{
    const sk::only here(kind);
    std::vector<float> a(4096);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.001f * static_cast<float>(i) + 0.3f;
    const sk::vector<float> x(a.begin(), a.end());
    const std::string said = stderr_of([&] {
        auto cancels = sk::map(SKELRT_FN((float v) { return v * v - (v - 1e-3f) * (v + 1e-3f); }));
        sk::wait(sk::vector<float>(cancels(x)));
        auto chaotic = sk::map(SKELRT_FN((float v) {
            float y = v - std::floor(v);
            for (int i = 0; i < 60; ++i) y = 3.9f * y * (1 - y);
            return y;
        }));
        sk::wait(sk::vector<float>(chaotic(x)));
        auto steps = sk::map(SKELRT_FN((float v) { return (int)(v * v * 255.0f + 0.5f * v); }));
        sk::wait(sk::vector<int>(steps(x)));
        auto waves = sk::map(SKELRT_FN((float v) { return std::sin(v * 1000.0f) * std::exp(v) - std::log(v); }));
        sk::wait(sk::vector<float>(waves(x)));
        auto edges = sk::map(SKELRT_FN((float v) { return std::sqrt(v - 1.0f) / (v - 2.0f); }));
        sk::wait(sk::vector<float>(edges(x)));
    });
    REQUIRE(times(said, "other values") == 0);
}

int main(int argc, char** argv)
{
    constexpr int skipped = 77;
    const char* const device = std::getenv("SKELRT_TEST_DEVICE");
    if (device && std::strcmp(device, "cuda") == 0) kind = sk::device::cuda;
    const char* const check = std::getenv("SKELRT_CHECK");
    throws = check && std::strcmp(check, "functions") == 0;
    in_tiles = std::getenv("SKELRT_TILES") != nullptr;
    sk::options wanted;
    wanted.opencl_on_cpu = kind == sk::device::opencl;
    const sk::runtime rt(wanted);
    bool there = false;
    for (const sk::device_info& d : rt.devices()) there = there || d.kind == kind;
    if (!there) {
        std::printf("skipped: there is no such device\n");
        return skipped;
    }
    return Catch::Session().run(argc, argv);
}
