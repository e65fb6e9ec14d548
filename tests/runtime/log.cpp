// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include "../stderr_of.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

using namespace skelrt::detail;

namespace
{

void say_all()
{
    log_debug("d {}", 1);
    log_trace("t {}", 0);
    log_info("i {}", 2);
    log_warning("w {}", 3);
    log_error("e {}", 4);
}

std::string said_with(const char* level)
{
    ::setenv("SKELRT_LOG", level, 1);
    start_log();
    return stderr_of(say_all);
}

} // namespace

TEST_CASE("SKELRT_LOG sets what is said", "[log]")
{
    const std::string d = "skelrt: debug: d 1\n", i = "skelrt: info: i 2\n", w = "skelrt: warning: w 3\n",
                      e = "skelrt: error: e 4\n";
    REQUIRE(said_with("off").empty());
    REQUIRE(said_with("error") == e);
    REQUIRE(said_with("warning") == w + e);
    REQUIRE(said_with("") == w + e);
    REQUIRE(said_with("info") == i + w + e);
    REQUIRE(log_enabled(log_level::info));
    REQUIRE_FALSE(log_enabled(log_level::debug));
    REQUIRE(said_with("debug") == d + i + w + e);
    REQUIRE(said_with("trace") == d + "skelrt: trace: t 0\n" + i + w + e);
    REQUIRE_THROWS_AS(said_with("loud"), skelrt::error);
    ::unsetenv("SKELRT_LOG");
    start_log();
}
