// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "compiles.hpp"
#include "types.hpp"

#include "codelets/cuda/cuda.hpp"
#include "src/jit/nvrtc.hpp"

#include <skelrt/algorithms/detail/headed.hpp>
#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace recipes;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace
{

const auto plus = USER_FUNCTION((auto a, auto b) { return a + b; });

std::string message_of(const builder& b)
{
    try {
        cuda::check(b.get(), "sm_90");
    } catch (const skelrt::function_error& e) {
        return e.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("a map compiles", "[cuda][compile]")
{
    const auto saxpy = USER_FUNCTION((float a, float x, float y) { return a * x + y; });
    check_all(builder(skeleton::map, "saxpy")
                  .slots({uniform<float>(), element<float>(), element<float>(), element<float>()})
                  .call<float>(saxpy, {operand(0), operand(1), operand(2)})
                  .result<float>());
}

TEST_CASE("a map in blocks of any size compiles", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((sk::index2 at, float x) { return x * at.row + at.col; });
    builder b(skeleton::map, "blocks");
    b.slots({element<float>(), element<float>()}).call<float>(f, {at2(), operand(0)}).result<float>();
    for (const unsigned threads : {32, 96, 1024}) {
        CAPTURE(threads);
        CHECK_NOTHROW(cuda::check(b.get(), "sm_90", {1, false, threads}));
    }
}

TEST_CASE("positions only, and no element operand", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((skelrt::index1 a, sk::index2 b) { return double(a.i) + b.row * 0.5 + b.col; });
    check_all(builder(skeleton::map, "positions")
                  .slots({element<double>()})
                  .call<double>(f, {at1(), at2()})
                  .result<double>());
}

TEST_CASE("fused calls use a function twice", "[cuda][compile]")
{
    check_all(builder(skeleton::map, "fused")
                  .slots({element<int>(), element<long>(), element<long>()})
                  .call<long>(plus, {operand(0), operand(1)})
                  .call<long>(plus, {result_of(0), operand(1)})
                  .result<long>());
}

TEST_CASE("whole containers, scalars and large uniforms", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((sk::vec<atom> atoms, sk::mat<float> m, double s, table t, sk::index2 at) {
        double sum = s + t.value[at.col % 1200] + m(0, 1) * m.rows() * m.cols();
        for (size_t i = 0; i < atoms.size(); ++i) sum += atoms[i].q * atoms(i).x;
        return sum;
    });
    check_all(builder(skeleton::map, "whole")
                  .slots({slot<atom>(slot_kind::vec), slot<float>(slot_kind::mat), slot<double>(slot_kind::scalar),
                          uniform<table>(), element<double>()})
                  .call<double>(f, {operand(0), operand(1), operand(2), operand(3), at2()})
                  .result<double>());
}

TEST_CASE("types of any size", "[cuda][compile]")
{
    const auto mixed = USER_FUNCTION((char c, double d, rgb p, point q, body b, named n) {
        b.mass = c + d + p.r + q.z + n.number;
        return b;
    });
    check_all(builder(skeleton::map, "mixed")
                  .slots({element<char>(), element<double>(), element<rgb>(), element<point>(), element<body>(),
                          element<named>(), element<body>()})
                  .call<body>(mixed, {operand(0), operand(1), operand(2), operand(3), operand(4), operand(5)})
                  .result<body>());
    const auto make = USER_FUNCTION((unsigned char c) { return named(c); });
    check_all(builder(skeleton::map, "named")
                  .slots({element<unsigned char>(), element<named>()})
                  .call<named>(make, {operand(0)})
                  .result<named>());
}

TEST_CASE("reductions compile", "[cuda][compile]")
{
    const auto product = USER_FUNCTION((square x, square y) { return multiply(x, y); });
    const auto times = USER_FUNCTION((double a, double b) { return a * b; });
    const auto larger = USER_FUNCTION((named a, named b) { return a.number < b.number ? b : a; });
    for (const skeleton kind : {skeleton::reduce, skeleton::reduce_rows, skeleton::reduce_columns}) {
        check_all(builder(kind, "sum").slots({element<float>()}).combine(plus).result<float>());
        check_all(builder(kind, "product").slots({element<square>()}).combine(product).result<square>());
        check_all(builder(kind, "named").slots({element<named>()}).combine(larger).result<named>());
        check_all(builder(kind, "dot")
                      .slots({element<double>(), element<double>()})
                      .call<double>(times, {operand(0), operand(1)})
                      .combine(plus)
                      .result<double>());
        const auto index = USER_FUNCTION((sk::index2 at) { return at.row + at.col; });
        check_all(builder(kind, "positions").call<std::size_t>(index, {at2()}).combine(plus).result<std::size_t>());
    }
}

TEST_CASE("the names that users take from the standard library", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((float x, double y, int i) {
        float a = std::sqrt(x) + std::abs(x) + std::min(x, 1.0f) + std::max(x, 2.0f) + std::exp(x) + std::pow(x, 2.0f) +
                  sqrtf(x) + std::floor(x) + std::fma(x, x, x) + fabs(x) + std::hypot(x, x) + std::clamp(x, 0.0f, 1.0f);
        double b = std::sqrt(y) + std::log(y) + std::sin(y) + std::cos(y) + std::atan2(y, y) +
                   std::numeric_limits<double>::max() + std::tanh(y) + INFINITY + M_PI +
                   std::numeric_limits<float>::infinity() + (std::isnan(y) ? 1 : 0);
        static_assert(std::is_same_v<decltype(std::sqrt(x)), float>);
        static_assert(std::is_same_v<decltype(std::abs(x)), float>);
        static_assert(std::is_same_v<decltype(std::pow(x, x)), float>);
        std::uint32_t u = 3;
        uint64_t v = 4;
        std::size_t n = std::numeric_limits<std::size_t>::max();
        std::swap(u, u);
        return static_cast<float>(a + b + std::abs(i) + u + v + n + std::int8_t(1));
    });
    check_all(builder(skeleton::map, "names")
                  .slots({element<float>(), element<double>(), element<int>(), element<float>()})
                  .call<float>(f, {operand(0), operand(1), operand(2)})
                  .result<float>());
}

TEST_CASE("an error names the user's file and line", "[cuda][compile]")
{
    // Not USER_FUNCTION: the host would not take it either.
    const function_source bad{
        "(float x) { float unused_but_long = x * x * x * x * x * x * x * x; return x + undefined_name; }", "user.cpp",
        77};
    const user_function<int> f{0, bad};
    const std::string message = message_of(builder(skeleton::map, "map (user.cpp:77)")
                                               .slots({element<float>(), element<float>()})
                                               .call<float>(f, {operand(0)})
                                               .result<float>());
    INFO(message);
    CHECK_THAT(message, StartsWith("user.cpp:77: error: identifier \"undefined_name\" is undefined"));
    CHECK_THAT(message, Contains("return x + undefined_name") && Contains("^") && Contains("map (user.cpp:77)"));
    CHECK_THAT(message, !Contains("skelrt-generated") && !Contains("skelrt_f0"));
}

TEST_CASE("an error inside a generic function names the user's line", "[cuda][compile]")
{
    const function_source bad{"(auto x) { return x.no_such_member; }", "user.cpp", 5};
    const user_function<int> f{0, bad};
    const std::string message = message_of(builder(skeleton::map, "map (user.cpp:5)")
                                               .slots({element<float>(), element<float>()})
                                               .call<float>(f, {operand(0)})
                                               .result<float>());
    INFO(message);
    CHECK_THAT(message, StartsWith("user.cpp:5: error:"));
    CHECK_THAT(message, !Contains("skelrt-generated"));
}

TEST_CASE("uniforms that no kernel takes are refused with the way out", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((float x) { return x; });
    builder b(skeleton::map, "huge");
    b.slots({{slot_kind::uniform, "float", 40000, 4}, element<float>()}).call<float>(f, {operand(0)}).result<float>();
    CHECK_THAT(message_of(b), Contains("huge: its uniform values take") && Contains("sk::vec"));
}

TEST_CASE("an architecture newer than NVRTC gets PTX, an ancient one an error", "[cuda][compile]")
{
    const std::string source = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }";
    const auto future = skelrt::detail::compile_cuda(source, "sm_999", "k");
    CHECK_THAT(future.image, Contains(".entry k"));
    CHECK_THROWS_AS(skelrt::detail::compile_cuda(source, "sm_30", "k"), skelrt::error);
}

TEST_CASE("scans compile for small and large elements", "[cuda][compile]")
{
    const auto plus = USER_FUNCTION((float a, float b) { return a + b; });
    const auto product = USER_FUNCTION((square a, square b) { return multiply(a, b); });
    const auto larger = USER_FUNCTION((body a, body b) { return a.mass > b.mass ? a : b; });
    for (const skeleton kind : {skeleton::scan, skeleton::scan_rows, skeleton::scan_columns}) {
        check_all(builder(kind, "sums").slots({element<float>(), element<float>()}).combine(plus).result<float>());
        check_all(
            builder(kind, "products").slots({element<square>(), element<square>()}).combine(product).result<square>());
        check_all(builder(kind, "bodies").slots({element<body>(), element<body>()}).combine(larger).result<body>());
    }
}

TEST_CASE("scans that store a part of their running values compile", "[cuda][compile]")
{
    const auto plus = USER_FUNCTION((float a, float b) { return a + b; });
    const auto product = USER_FUNCTION((square a, square b) { return multiply(a, b); });
    using skelrt::by_key::headed;
    using sums = headed<float, int>;
    using products = headed<square, int>;
    check_all(builder(skeleton::scan, "sums").slots({element<sums>(), element<float>()}).combine(plus).result<sums>());
    check_all(builder(skeleton::scan, "products")
                  .slots({element<products>(), element<square>()})
                  .combine(product)
                  .result<products>());
}

TEST_CASE("filters compile for small and large elements", "[cuda][compile]")
{
    const bool keeps_others = GENERATE(false, true);
    const auto compile = [&](const char* name, slot_type type, const auto& predicate, auto result) {
        builder b(skeleton::filter, name);
        b.slots({type, type}).template call<bool>(predicate, {operand(0)}).template result<decltype(result)>();
        auto& what = const_cast<recipe&>(b.get());
        what.root = operand(0);
        what.keeps_others = keeps_others;
        check_all(b);
    };
    compile("bytes", element<unsigned char>(), USER_FUNCTION((unsigned char v) { return v < 5; }),
            static_cast<unsigned char>(0));
    compile("points", element<point>(), USER_FUNCTION((point p) { return p.x < p.y; }), point{});
    compile("bodies", element<body>(), USER_FUNCTION((body b) { return b.id[0] > 0; }), body{});
    // Too large for tiles in shared memory; NVRTC takes time for each number that is copied.
    compile("pages", element<page>(), USER_FUNCTION((page p) { return p.value[0]; }), page{});
}

TEST_CASE("reductions, scans and filters in blocks of any size compile", "[cuda][compile]")
{
    const auto keeps = USER_FUNCTION((float v) { return v < 5; });
    for (const unsigned threads : {32, 128, 1024}) {
        const auto check_it = [&](const builder& b) {
            CAPTURE(threads, b.get().name);
            CHECK_NOTHROW(cuda::check(b.get(), "sm_90", {1, false, threads}));
        };
        for (const skeleton kind : {skeleton::reduce, skeleton::reduce_rows, skeleton::reduce_columns})
            check_it(builder(kind, "sum").slots({element<float>()}).combine(plus).result<float>());
        for (const skeleton kind : {skeleton::scan, skeleton::scan_rows, skeleton::scan_columns})
            check_it(builder(kind, "sums").slots({element<float>(), element<float>()}).combine(plus).result<float>());
        builder b(skeleton::filter, "kept");
        b.slots({element<float>(), element<float>()}).call<bool>(keeps, {operand(0)}).result<float>();
        const_cast<recipe&>(b.get()).root = operand(0);
        check_it(b);
    }
}
