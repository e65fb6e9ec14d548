// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/likely_cost.hpp"

#include <catch2/catch.hpp>

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
