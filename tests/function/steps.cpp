// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/known.hpp"
#include "src/function/steps/numbers.hpp"
#include "src/function/steps/reader.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace steps = skelrt::detail::function_steps;
using steps::number;
using steps::number_kind;

TEST_CASE("numbers are C++'s", "[function][steps]")
{
    CHECK(steps::literal("7") == number(7));
    CHECK(steps::literal("0x1F") == number(31));
    CHECK(steps::literal("7u") == number(7u));
    CHECK(steps::literal("7ul") == number(7ul));
    CHECK(steps::literal("1.5f") == number(1.5f));
    CHECK(steps::literal("1e-3") == number(1e-3));
    for (const char* text : {"1'000", "017", "0x1p3", "3000000000", "1.5L"}) CHECK_FALSE(steps::literal(text));
    CHECK(steps::joined(number(7), "/", number(-2)) == number(-3));
    CHECK(steps::joined(number(7), "/", number(2.0f)) == number(3.5f));
    CHECK(steps::joined(number(-1), "<", number(1u)) == number(0));
    CHECK(steps::joined(number(-1), "<", number(1)) == number(1));
    CHECK(steps::joined(number(2u), "-", number(3u)) == number(~0u));
    CHECK_FALSE(steps::joined(number(7), "%", number(0)));
    CHECK_FALSE(steps::joined(number(2147483647), "+", number(1)));
    CHECK(steps::converted(number(-3.7), number_kind::int_) == number(-3));
    CHECK_FALSE(steps::converted(number(1e30), number_kind::int_));
}

namespace
{

/// Of a body that sees `u`, a hood of floats that reach one element far, and has the number `far`.
std::optional<skelrt::detail::lockstep_steps> read(const std::string& body, int far)
{
    const auto tokens = skelrt::detail::tokenize(body);
    skelrt::detail::stencil_shape shape;
    for (int a : {1, 2}) shape.before[a] = shape.after[a] = 1;
    return steps::step_reader(tokens,
                              {{"u", steps::operand_role::hood, number_kind::float_, 0, {}, {}},
                               {"far", steps::operand_role::number, number_kind::int_, 1, {}, number(far)}},
                              number_kind::float_, shape, 100)
        .read(0);
}

} // namespace

TEST_CASE("sums of what hoods see are one step", "[function][steps]")
{
    const auto all =
        read("{ float sum = 0; for (int c = -far; c <= far; ++c) sum += 2.0f * u(-1, c); return sum; }", 1);
    REQUIRE(all);
    REQUIRE(all->steps.size() == 1);
    REQUIRE(all->taps.size() == 3);
    CHECK(all->taps[0].way == -101);
    CHECK(all->taps[2].factor == 2);
    const auto two = read("{ float a = u(0, 0) + u(0, 1); float b = a; a += u(1, 0); return a * b; }", 1);
    REQUIRE(two);
    CHECK(two->steps.size() == 3);
}

TEST_CASE("what positions do not share is left to the compiler", "[function][steps]")
{
    for (const char* body :
         {"{ return u(0, far); }", "{ return u(0, 0) > 0 ? 1.0f : 0.0f; }", "{ return 0.5 * u(0, 0); }",
          "{ int n = u(0, 0); return n; }", "{ return std::sqrt(u(0, 0)); }", "{ return 1.0f; }",
          "{ float a[2]; return u(0, 0); }", "{ while (far) {} return u(0, 0); }",
          "{ for (int i = 0; i < 1; i += 0) far = 2; return u(0, 0); }"})
        CHECK_FALSE(read(body, 2));
}

namespace
{

/// A stencil whose function sees a hood of floats and a matrix of weights.
struct weighing_recipe {
    explicit weighing_recipe(const char* text) : facts{"", text, nullptr, 1, {parameters, 2, "float"}}
    {
        using namespace skelrt::detail;
        f = {text, "user.cpp", 1, nullptr, nullptr, &facts};
        what.kind = skeleton::stencil;
        what.stencil.rank = 2;
        for (int a : {1, 2}) what.stencil.before[a] = what.stencil.after[a] = 1;
        for (const slot_kind kind : {slot_kind::hood, slot_kind::mat, slot_kind::element})
            what.slots.push_back({kind, "float", 4, 4});
        what.calls.push_back({&f, "float", 4, {{argument_kind::slot, 0}, {argument_kind::slot, 1}}});
        what.root = {argument_kind::call, 0};
        what.result = "float";
        what.result_size = 4;
        views.resize(3);
        views[1] = {weights.data(), 0, 1, 2, 2, 1};
    }
    auto steps(std::size_t pitch) const { return known_steps(what, views.data(), pitch); }

    static constexpr std::string_view parameters[] = {"skelrt::hood2<float>", "skelrt::mat<float>"};
    skelrt::detail::source_facts facts;
    skelrt::detail::function_source f{};
    skelrt::detail::recipe what;
    std::vector<float> weights{2, 3};
    std::vector<skelrt::detail::slot_view> views;
};

} // namespace

TEST_CASE("a function is read once for the same arguments", "[function][steps]")
{
    weighing_recipe both("(sk::hood2<float> u, sk::mat<float> w) { return w(0, 0) * u(0, 0) + w(0, 1) * u(1, 0); }");
    const auto first = both.steps(100);
    REQUIRE(first);
    CHECK(first->taps[1].way == 100);
    CHECK(both.steps(100) == first);
    both.weights[1] = 5;
    const auto second = both.steps(100);
    REQUIRE(second);
    CHECK(second != first);
    CHECK((second->taps[1].factor == 5 && second->taps[1].as_float == 5));
    CHECK(both.steps(200)->taps[1].way == 200);
    CHECK(first->taps[1].factor == 3); // whoever has it keeps it
}

TEST_CASE("a function that cannot be read is not read again", "[function][steps]")
{
    const weighing_recipe rooted("(sk::hood2<float> u, sk::mat<float> w) { return std::sqrt(w(0, 0) * u(0, 0)); }");
    CHECK_FALSE(rooted.steps(100));
    CHECK_FALSE(rooted.steps(100));
}
