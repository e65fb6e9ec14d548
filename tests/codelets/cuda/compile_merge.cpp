// SPDX-License-Identifier: BSD-3-Clause
#include "compiles.hpp"
#include "merges.hpp"

#include "codelets/cuda/launchers.hpp"
#include "codelets/cuda/source.hpp"

using Catch::Matchers::Contains;
using skelrt::detail::skeleton;
namespace cuda = skelrt::detail::cuda;

TEMPLATE_TEST_CASE("merges compile, and have a kernel of their own", "[cuda][compile]", int, double, unsigned char)
{
    recipes::builder b(skeleton::map, "merge");
    describe_merge<TestType>(b);
    check_all(b);
    CHECK_THAT(cuda::source_of(cuda::program(b.get()), false), Contains("merge_tiles"));
}

TEST_CASE("the path of a merge is a map as any other", "[cuda][compile]")
{
    using namespace skelrt::detail;
    recipes::builder b(skeleton::map, "path");
    b.slots({recipes::slot<int>(slot_kind::vec), recipes::slot<int>(slot_kind::vec), recipes::element<std::size_t>()})
        .call<std::size_t>(own_function<merge_crossing<int>, int>().source(),
                           {recipes::at1(), recipes::operand(0), recipes::operand(1)})
        .result<std::size_t>();
    check_all(b);
    CHECK_THAT(cuda::source_of(cuda::program(b.get()), false), !Contains("merge_tiles"));
}
