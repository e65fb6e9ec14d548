// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/device_table.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

using namespace skelrt::detail;
using state = device_verdict::state;

namespace
{

const device_compilers compilers{"NVRTC 13.0 for sm_80", "no platform here, so translated only"};

std::size_t longest_line(const std::string& text)
{
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

} // namespace

TEST_CASE("a table of functions and devices", "[table]")
{
    const std::vector<device_row> rows{
        {"map (app.cpp:12)", {state::compiles, {}}, {state::translates, {}}},
        {"stencil (app.cpp:30)", {state::compiles, {}}, {state::refused, "app.cpp:31: a lambda in a function"}},
        {"map (app.cpp:12)", {state::compiles, {}}, {state::translates, {}}}};
    REQUIRE(as_text(compilers, rows) == "skelrt: the program's functions on other devices\n"
                                        "  CUDA: NVRTC 13.0 for sm_80\n"
                                        "  OpenCL: no platform here, so translated only\n"
                                        "  function              CUDA        OpenCL\n"
                                        "  map (app.cpp:12)      yes         translates\n"
                                        "  stencil (app.cpp:30)  yes         no\n"
                                        "      OpenCL: app.cpp:31: a lambda in a function\n");
    REQUIRE(count_refused(rows) == 1);
}

TEST_CASE("long names and reasons stay within the page", "[table]")
{
    std::string reason;
    for (int i = 0; i < 40; ++i) reason += "something that no compiler takes ";
    const std::vector<device_row> rows{
        {"map (" + std::string(300, 'x') + ".cpp:1)", {state::refused, reason}, {state::refused, "a\nb"}},
        {"reduce (b.cpp:1)", {state::unknown, {}}, {state::compiles, {}}}};
    const std::string text = as_text(compilers, rows);
    REQUIRE(longest_line(text) <= 100);
    REQUIRE(longest_line(as_text(compilers, rows, 70)) <= 70);
    REQUIRE(text.find("...") != text.npos);
    REQUIRE(as_text(compilers, {}).find("no skeleton was called") != std::string::npos);
}
