// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc/used_kernels.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

const used_kernels map_of_a{"sm_90", "a", {"map_linear", "map_packed"}}, scan_of_b{"sm_90", "b", {"scan_linear"}},
    other_gpu{"sm_86", "c", {"map_linear"}};

} // namespace

TEST_CASE("the list of used kernels comes back from its text", "[jit][used]")
{
    const std::vector<used_kernels> all{map_of_a, scan_of_b, other_gpu};
    CHECK(used_kernels_in(text_of(all)) == all);
    CHECK(used_kernels_in("").empty());
    CHECK(text_of({}).empty());
    CHECK(used_kernels_in("sm_90\n\nsm_90 a\n" + text_of({scan_of_b})) == std::vector{scan_of_b});
}

TEST_CASE("what was used now comes before what was used earlier", "[jit][used]")
{
    CHECK(with_earlier({scan_of_b}, {map_of_a, scan_of_b, other_gpu}, 8) ==
          std::vector{scan_of_b, map_of_a, other_gpu});
    CHECK(with_earlier({scan_of_b}, {map_of_a, other_gpu}, 2) == std::vector{scan_of_b, map_of_a});
    CHECK(with_earlier({scan_of_b, map_of_a}, {other_gpu}, 1) == std::vector{scan_of_b, map_of_a}); // nothing is lost
    CHECK(with_earlier({}, {map_of_a}, 8) == std::vector{map_of_a});
}
