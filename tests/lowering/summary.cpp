// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/summary/table.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;
using Catch::Matchers::Contains;

namespace
{

std::size_t place_of(const std::string& text, const std::string& what)
{
    INFO(text);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return at;
}

} // namespace

TEST_CASE("rows of one name and place are added up, and the longest comes first", "[summary]")
{
    const std::string text = summary_text(
        {{"short", "cores", 1, 1, 1000}, {"long", "CUDA 0", 2, 6, 3000}, {"long", "CUDA 0", 1, 3, 3000}}, {}, 1.5);
    CHECK_THAT(text, Contains("summary of 1.500 s"));
    CHECK_THAT(text, Contains("6.000   86 %         3         9      2000.0  CUDA 0     long"));
    CHECK(place_of(text, "long") < place_of(text, "short"));
}

TEST_CASE("copies are told where there were some", "[summary]")
{
    const std::string text =
        summary_text({}, {{"RAM", "CUDA 0", 3, 2.5e9}, {"CUDA 0", "RAM", 0, 0}, {"CUDA 0", "CUDA 1", 1, 3e6}}, 0);
    CHECK_THAT(text, Contains("no calls"));
    CHECK_THAT(text, Contains("copied from RAM to CUDA 0: 2.50 GB in 3 copies\n"));
    CHECK_THAT(text, Contains("copied from CUDA 0 to CUDA 1: 3.0 MB in 1 copy\n"));
    CHECK_THAT(text, !Contains("to RAM"));
}
