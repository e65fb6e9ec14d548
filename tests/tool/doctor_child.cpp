// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/child.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace skelrt::tool::doctor;
using Catch::Matchers::Contains;

namespace
{

ending shell(const std::string& script, double limit_s = 60) { return run({{"/bin/sh", "-c", script}, {}, limit_s}); }

} // namespace

TEST_CASE("a process that answers", "[doctor]")
{
    const ending e = shell("echo hello; echo aside >&2; printf '{}' >&3");
    REQUIRE(e.how == ended::by_itself);
    REQUIRE(e.code == 0);
    REQUIRE(e.answer == "{}");
    REQUIRE_THAT(e.said, Contains("hello") && Contains("aside"));
    REQUIRE(problem_of(e, 60).empty());
}

TEST_CASE("a process that says much keeps nobody waiting", "[doctor]")
{
    const ending e =
        shell("i=0; while [ $i -lt 20000 ]; do echo 'a line of text'; i=$((i+1)); done; printf done >&3; echo last");
    REQUIRE(e.answer == "done");
    REQUIRE(e.said.size() <= 4096);
    REQUIRE(e.said.ends_with("last\n"));
}

TEST_CASE("a process that fails, crashes or hangs", "[doctor]")
{
    const ending failed = shell("echo 'no luck'; exit 3");
    REQUIRE(problem_of(failed, 60) == "it ended with exit code 3; it said last: no luck");
    const ending crashed = shell("kill -SEGV $$");
    REQUIRE(crashed.how == ended::by_signal);
    REQUIRE_THAT(problem_of(crashed, 60), Contains("it crashed (signal 11: "));
    const ending hung = shell("echo waiting; trap '' TERM; sleep 1000 & wait", 0.5);
    REQUIRE(hung.how == ended::by_limit);
    REQUIRE_THAT(problem_of(hung, 0.5), Contains("no answer within 0.5 s; it said last: waiting"));
    const ending missing = run({{"/nowhere/program"}, {}, 60});
    REQUIRE(missing.code == 127);
}

TEST_CASE("a process's environment", "[doctor]")
{
    setenv("SKELRT_TEST_A", "a", 1);
    setenv("SKELRT_TEST_B", "b", 1);
    const ending e =
        run({{"/bin/sh", "-c", "printf '%s.%s.%s' \"$SKELRT_TEST_A\" \"$SKELRT_TEST_B\" \"$SKELRT_TEST_C\" >&3"},
             {{"SKELRT_TEST_A", std::nullopt}, {"SKELRT_TEST_C", "c"}},
             60});
    REQUIRE(e.answer == ".b.c");
    REQUIRE(std::string(std::getenv("SKELRT_TEST_A")) == "a");
    unsetenv("SKELRT_TEST_A");
    unsetenv("SKELRT_TEST_B");
}
