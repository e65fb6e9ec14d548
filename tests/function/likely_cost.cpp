// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/likely_cost.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace skelrt::detail;

namespace
{

double ns_of(const char* text, skeleton kind = skeleton::map)
{
    const function_source source{text, "app.cpp", 1};
    recipe r;
    r.kind = kind;
    r.calls.push_back({&source, "float", 4, {}});
    return likely_element_ns(r);
}

} // namespace

TEST_CASE("what functions cost is guessed from their texts", "[likely cost]")
{
    const double copy = ns_of("(float x) { return x; }"), sum = ns_of("(float a, float b) { return a + b; }"),
                 root = ns_of("(float x) { return sqrtf(x); }"), power = ns_of("(float x) { return std::exp(x); }");
    CHECK(copy == 0);
    CHECK(sum > copy);
    CHECK(root > sum);
    CHECK(power > root);
    CHECK(ns_of("(float x) { return expf(x) * log(x); }") > 1.9 * power);
    CHECK(ns_of("(float x) { while (x > 1) x = x / 2; return x; }") >
          4 * ns_of("(float x) { return x > 1 ? x / 2 : x; }"));
    CHECK(ns_of("(int x) { return float(x); }") < ns_of("(int x) { return mine(x); }"));
    CHECK(ns_of("(float x) { return x; }", skeleton::wavefront) > ns_of("(float x) { return x; }"));
}

TEST_CASE("to look into an operand is no call", "[likely cost]")
{
    const double five = ns_of("(sk::hood2<double> u) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - u(0, 0); }"),
                 called = ns_of("(double u) { return f(1, 0) + f(1, 0) + f(0, 1) + f(0, 1) - f(0, 0); }");
    CHECK(five < called / 2);
    CHECK(five > ns_of("(sk::hood2<double> u) { return u(-1, 0) + u(1, 0); }"));
    CHECK(ns_of("(sk::mat<float> m, int k) { return m(k * 2 + 1, k); }") >
          ns_of("(sk::mat<float> m, int k) { return m(1, 2); }"));
    CHECK(ns_of("(sk::hood2<double> u) { return u(0, 0); }") == ns_of("(sk::hood1<double> u) { return u(1); }"));
    CHECK(ns_of("(sk::hood1<float> u) { return u(") >= 0); // what ends in between
}

TEST_CASE("loops count as often as they go round, if that is written there", "[likely cost]")
{
    const auto sum = [](const std::string& head, const std::string& rest = "") {
        return ns_of(
            ("(sk::vec<float> x) { float s = 0; " + head + " s += x[k] * x[k]; " + rest + " return s; }").c_str());
    };
    const double four = sum("for (int k = 0; k < 4; ++k)"), eight = sum("for (int k = 0; k < 8; ++k)");
    CHECK(eight == Approx(2 * four));
    CHECK(sum("for (int k = -4; k <= 3; ++k)") == Approx(eight));
    CHECK(sum("for (int k = 0; k < n; ++k)") == Approx(eight)); // nobody knows
    CHECK(sum("for (int i = 0; i < 2; ++i) for (int k = 0; k < 4; ++k)") > eight);
    CHECK(sum("for (int k = 0; k < 4; ++k)", "s = s * s;") - four == Approx(ns_of("(float s) { return s * s; }")));
    CHECK(ns_of("(float s) { for (int k = 0; k < 4; ++k) { s = s * s; s = s + s; } return s; }") ==
          Approx(ns_of("(float s) { for (int k = 0; k < 8; ++k) s = s * s; return s; }")).epsilon(0.3));
    CHECK(ns_of("(float s) { for (int k = 0; k <") >= 0); // what ends in between
    CHECK(ns_of("(float s) { while (s > 1) s = s * 0.5f") >= 0);
    CHECK(ns_of("(float s) { for (int k = 9; k < 3; ++k) s = s * s; return s; }") == 0);
}

TEST_CASE("operators of reductions and all functions of a fused call count", "[likely cost]")
{
    const function_source f{"(float x) { return exp(x); }", "app.cpp", 1},
        op{"(float a, float b) { return a + b; }", "app.cpp", 2};
    recipe one, two;
    one.calls.push_back({&f, "float", 4, {}});
    two.calls.push_back({&f, "float", 4, {}});
    two.calls.push_back({&f, "float", 4, {}});
    CHECK(likely_element_ns(two) == 2 * likely_element_ns(one));
    const double mapped = likely_element_ns(one);
    one.kind = skeleton::reduce;
    one.combine = &op;
    CHECK(likely_element_ns(one) > mapped);
}
