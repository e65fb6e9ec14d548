#include "src/function/lines.hpp"
#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

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

/// The shared texts that a map with this function needs.
std::vector<std::string> needed(const char* function, const char* file, const char* type = "float")
{
    const function_source source{function, file, 1};
    recipe r;
    r.slots = {{slot_kind::element, type, 4, 4}};
    r.calls.push_back({&source, "float", 4, {}});
    r.result = "float";
    std::vector<std::string> result;
    for (const auto& s : shared_for(r)) result.emplace_back(s.text);
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
    for (int translation_unit = 0; translation_unit < 2; ++translation_unit)
        for (const char* text : {types, helper, other, operators}) register_shared({text, "points.hpp", 1});

    CHECK(needed("(float a) { return a; }", "app.cpp").empty());
    CHECK(needed("(float a) { return cube(a); }", "app.cpp") == texts{other});
    CHECK(needed("(float a) { return area({a, 1}); }", "app.cpp") == texts{types, helper});
    CHECK(needed("(auto a) { return 1.0f; }", "app.cpp", "point") == texts{types});
    CHECK(needed("(point a) { return (a + a).x; }", "app.cpp") == texts{types, operators});
}

TEST_CASE("a name that several source files define means the one of the call's own file", "[function]")
{
    register_shared({"constexpr float scale = 1;", "one.cpp", 1});
    register_shared({"constexpr float scale = 2;", "two.cpp", 1});
    CHECK(needed("(float a) { return a * scale; }", "one.cpp") == texts{"constexpr float scale = 1;"});
    CHECK(needed("(float a) { return a * scale; }", "two.cpp") == texts{"constexpr float scale = 2;"});
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
