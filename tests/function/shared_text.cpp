// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/lines.hpp"
#include "src/function/shared.hpp"
#include "src/function/signature.hpp"
#include "src/function/tokens.hpp"

#include <skelrt/function.hpp>

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace skelrt::detail;

namespace
{

std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> result;
    for (const auto& t : tokenize(text)) result.emplace_back(t.text);
    return result;
}

/// A text of a translation unit of which the name of its file reminds, in a namespace.
void define(const char* text, const char* unit, unsigned order, const char* scope = "")
{
    const source_facts facts{scope, text, unit, order};
    register_shared({text, unit, 1, nullptr, nullptr, &facts});
}

/// The shared texts that a map with this function needs.
std::vector<std::string> needed(const char* function, const char* unit, const char* type = "float",
                                unsigned order = 1000)
{
    const source_facts facts{"", function, unit, order};
    const function_source source{function, "app.cpp", 1, nullptr, nullptr, &facts};
    recipe r;
    r.slots = {{slot_kind::element, type, 4, 4}};
    r.calls.push_back({&source, "float", 4, {}});
    r.result = "float";
    std::vector<std::string> result;
    for (const auto* s : shared_for(r)) result.emplace_back(s->text);
    return result;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("tokens", "[function]")
{
    CHECK(words("a+=b->c<<1.5e-3f; // end\n/* x */ x") == texts{"a", "+=", "b", "->", "c", "<<", "1.5e-3f", ";", "x"});
    CHECK(words("1'000 0x1Fu 0x1p-3 .5f 'a' \"s\\\"t\" u8\"x\" R\"q(a)\" )q\"") ==
          texts{"1'000", "0x1Fu", "0x1p-3", ".5f", "'a'", "\"s\\\"t\"", "u8\"x\"", "R\"q(a)\" )q\""});
    CHECK(words("0xe+1 1e+1 a\\\nb") == texts{"0xe", "+", "1", "1e+1", "a", "b"});
    CHECK(words("").empty());
    CHECK(words("\"open").size() == 1);
    CHECK(words("/* open").empty());
}

TEST_CASE("a call gets the shared texts that it needs, in order, each once", "[function]")
{
    const char* types = "struct point { float x, y; };";
    const char* helper = "inline float area(point p) { return p.x * p.y; }";
    const char* other = "inline float cube(float x) { return x * x * x; }";
    const char* operators = "inline point operator+(point a, point b) { return {a.x + b.x, a.y + b.y}; }";
    static const char* const unit = "points";
    for (const char* includes_it : {"another", unit}) {
        unsigned order = 0;
        for (const char* text : {types, helper, other, operators}) define(text, includes_it, order++);
    }

    CHECK(needed("(float a) { return a; }", unit).empty());
    CHECK(needed("(float a) { return cube(a); }", unit) == texts{other});
    CHECK(needed("(float a) { return area({a, 1}); }", unit) == texts{types, helper});
    CHECK(needed("(auto a) { return 1.0f; }", unit, "point") == texts{types});
    CHECK(needed("(point a) { return (a + a).x; }", unit) == texts{types, operators});
}

TEST_CASE("a name that several translation units define means the one of the function's own", "[function]")
{
    static const char *const one = "one", *const two = "two";
    define("constexpr float scale = 1;", one, 1);
    define("constexpr float scale = 2;", two, 1);
    // The same text, with another meaning in each.
    define("inline float scaled(float x) { return x * scale; }", one, 2);
    define("inline float scaled(float x) { return x * scale; }", two, 2);
    CHECK(needed("(float a) { return a * scale; }", one) == texts{"constexpr float scale = 1;"});
    CHECK(needed("(float a) { return a * scale; }", two) == texts{"constexpr float scale = 2;"});
    CHECK(needed("(float a) { return scaled(a); }", two).front() == "constexpr float scale = 2;");
    CHECK(needed("(float a) { return a * scale; }", "three").empty());
}

TEST_CASE("a function sees what stands in front of it", "[function]")
{
    static const char* const unit = "order";
    define("constexpr float early = 1;", unit, 1);
    define("constexpr float late = 2;", unit, 3);
    CHECK(needed("(float a) { return a * early * late; }", unit, "float", 2) == texts{"constexpr float early = 1;"});
    CHECK(needed("(float a) { return a * early * late; }", unit, "float", 4).size() == 2);
}

namespace spelt
{
namespace
{
namespace inner
{
const auto by_alias = SKELRT_FN((float x) { return x; });
struct item {
    float x;
};
} // namespace inner
} // namespace

template <class T, unsigned N>
struct box {
    template <class U>
    static auto function()
    {
        return SKELRT_FN((T x, const U& y) {
                   U z = y;
                   return x * N + z.x;
               })
            .source();
    }
};
} // namespace spelt

TEST_CASE("a function knows the namespaces around it, and what names stand for", "[function]")
{
    CHECK(scope_of(spelt::inner::by_alias.source()) == "spelt::inner");
    const auto in_template = spelt::box<float, 3>::function<spelt::inner::item>();
    CHECK(scope_of(in_template) == "spelt::box::function");
    const auto here = SKELRT_FN((int x) { return x; }).source();
    CHECK(scope_of(here).find("::") == std::string::npos);

    const auto names = bound_names(in_template, tokenize(code_of(in_template)));
    const auto called = [&](std::string_view name) -> bound_name {
        for (const auto& b : names)
            if (b.name == name) return b;
        return {};
    };
    CHECK(called("T").type == "float");
    CHECK(called("U").type == "spelt::inner::item");
#ifndef __clang__
    CHECK(called("N").type == "unsigned int");
    CHECK(called("N").value == "3");
#else
    CHECK(called("N").hidden());
#endif
}

TEST_CASE("the line of a function is that of its macro", "[function]")
{
    const int line = __LINE__ + 1;
    const auto f = SKELRT_FN((float a) { return a; });
    CHECK(f.source().line == line);
}

#define TEST_TWICE(x) (2 * (x))
#define TEST_OFFSET 5

TEST_CASE("macros of the user are replaced, lines stay", "[function]")
{
    const int line = __LINE__ + 1;
    const auto f = SKELRT_FN((int a) {
                       int b = TEST_TWICE(a + TEST_OFFSET);
                       return b;
                   }).source();
    CHECK(words(code_of(f)) == words("(int a) { int b = (2 * (a + 5)); return b; }"));
    const std::string_view code = code_of(f);
    CHECK(locate(f, code.find("2 *")) == std::string(__FILE__) + ":" + std::to_string(line + 1));
    CHECK(locate(f, code.find("return")) == std::string(__FILE__) + ":" + std::to_string(line + 2));
}

TEST_CASE("lines of the user's file", "[function]")
{
    const auto path = std::filesystem::temp_directory_path() / ("skelrt-lines-" + std::to_string(getpid()) + ".cpp");
    std::ofstream(path) << "auto f = FN((float a)\n{ // a comment\n    float b   = a;\n    return\n        b;\n});\n"
                           "auto g = FN((float a) { float b = a; return b; });\n";
    const auto name = path.string();
    const char* text = "(float a) { float b = a; return b; }";
    const auto column = std::string_view(text).find("return");

    CHECK(locate({text, name.c_str(), 1}, column) == name + ":4");
    CHECK(locate({text, name.c_str(), 6}, column) == name + ":4"); // some compilers count from the end
    CHECK(locate({text, name.c_str(), 7}, column) == name + ":7");
    CHECK(locate({"(int i) { return i; }", name.c_str(), 5}, 12) == name + ":5");
    CHECK(locate({text, "no/such/file.cpp", 5}, column) == "no/such/file.cpp:5");

    const auto lines = relined({text, name.c_str(), 1});
    CHECK(lines.text == "(float a)\n{\nfloat b = a;\nreturn\nb;\n}");
    CHECK(lines.line == 1);
    std::filesystem::remove(path);
}
