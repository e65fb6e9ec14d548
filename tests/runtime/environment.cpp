// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/environment.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace skelrt::detail;
using Catch::Contains;

namespace
{

/// Sets a variable for the time of a case.
struct with {
    const char* name;
    with(const char* n, const char* value) : name(n) { ::setenv(n, value, 1); }
    with(const with&) = delete;
    with& operator=(const with&) = delete;
    ~with() { ::unsetenv(name); }
};

bool is_explained(std::span<const variable> all, std::string_view name)
{
    return std::ranges::any_of(all, [&](const variable& v) { return v.name == name; });
}

} // namespace

TEST_CASE("unset and empty variables have no value", "[environment]")
{
    ::unsetenv("SKELRT_TILES");
    REQUIRE_FALSE(env_text("SKELRT_TILES"));
    const with empty("SKELRT_TILES", "");
    REQUIRE_FALSE(env_text("SKELRT_TILES"));
    REQUIRE_FALSE(env_number("SKELRT_TILES", 1, 10));
    REQUIRE_FALSE(env_flag("SKELRT_TILES"));
    REQUIRE_FALSE(env_choice("SKELRT_TILES", {"a"}));
    REQUIRE_FALSE(env_choices("SKELRT_TILES", {"a"}));
}

TEST_CASE("numbers", "[environment]")
{
    const auto number = [](const char* text) {
        const with set("SKELRT_TILES", text);
        return env_number("SKELRT_TILES", 1, 100).value();
    };
    REQUIRE(number("1") == 1);
    REQUIRE(number("100") == 100);
    for (const char* bad : {"0", "101", "-5", "7 ", "7x", "x", "1.5", "99999999999999999999"})
        REQUIRE_THROWS_WITH(number(bad), Contains("SKELRT_TILES") && Contains(bad) && Contains("1 to 100"));
}

TEST_CASE("flags and choices", "[environment]")
{
    {
        const with set("SKELRT_OPENCL_ON_CPU", "1");
        REQUIRE(env_flag("SKELRT_OPENCL_ON_CPU").value());
    }
    {
        const with set("SKELRT_OPENCL_ON_CPU", "0");
        REQUIRE_FALSE(env_flag("SKELRT_OPENCL_ON_CPU").value());
    }
    const with set("SKELRT_MODEL", "starpu");
    REQUIRE(env_choice("SKELRT_MODEL", {"skelrt", "starpu"}).value() == 1);
    REQUIRE_THROWS_WITH(env_choice("SKELRT_MODEL", {"one", "two"}), Contains("starpu") && Contains("one, two"));
}

TEST_CASE("comma lists", "[environment]")
{
    const auto list = [](const char* text) {
        const with set("SKELRT_DEVICES", text);
        return env_choices("SKELRT_DEVICES", {"cpu", "cuda", "opencl"}).value();
    };
    REQUIRE(list("cpu") == std::vector<std::size_t>{0});
    REQUIRE(list("opencl,cpu,opencl") == std::vector<std::size_t>{2, 0});
    for (const char* bad : {"gpu", "cpu,", ",", "cpu cuda", "CPU"})
        REQUIRE_THROWS_WITH(list(bad), Contains(bad) && Contains("cpu, cuda, opencl"));
}

TEST_CASE("a misspelt variable is reported with the right name", "[environment]")
{
    const auto only_complaint = [](const char* name) {
        const auto before = environment_complaints().size();
        const with set(name, "1");
        const auto found = environment_complaints();
        REQUIRE(found.size() == before + 1);
        return *std::ranges::find_if(found, [&](const std::string& s) { return s.starts_with(name); });
    };
    REQUIRE_THAT(only_complaint("SKELRT_TILE"), Contains("did you mean SKELRT_TILES?"));
    REQUIRE_THAT(only_complaint("SKELRT_DEVICE"), Contains("did you mean SKELRT_DEVICES?"));
    REQUIRE_THAT(only_complaint("SKELRT_SOMETHING_ELSE"), Contains("skelrt env"));
    const auto before = environment_complaints().size();
    const with known("SKELRT_TILES", "1"), other("STARPU_SOMETHING", "1");
    REQUIRE(environment_complaints().size() == before);
}

TEST_CASE("every variable is explained once", "[environment]")
{
    for (const auto& v : skelrt_variables()) {
        REQUIRE(v.name.starts_with("SKELRT_"));
        REQUIRE_FALSE(v.meaning.empty());
        REQUIRE(std::ranges::count(skelrt_variables(), v.name, &variable::name) == 1);
    }
    for (const auto& v : other_variables()) {
        REQUIRE_FALSE(v.meaning.empty());
        REQUIRE(std::ranges::count(other_variables(), v.name, &variable::name) == 1);
    }
    for (const char* name : {"SKELRT_DEVICES", "SKELRT_LOG", "SKELRT_CACHE", "SKELRT_MODEL"})
        REQUIRE(is_explained(skelrt_variables(), name));
    for (const char* name : {"STARPU_SCHED", "STARPU_NCPU", "STARPU_NCUDA"})
        REQUIRE(is_explained(other_variables(), name));
}
