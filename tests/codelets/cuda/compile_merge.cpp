// SPDX-License-Identifier: BSD-3-Clause
#include "compiles.hpp"
#include "merges.hpp"
#include "types.hpp"

#include "codelets/cuda/launch/launchers.hpp"
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

TEST_CASE("merges in the order of a comparator compile, those of small structs by the same kernel", "[cuda][compile]")
{
    recipes::builder numbers(skeleton::map, "descending"), small(skeleton::map, "structs"),
        large(skeleton::map, "bodies");
    describe_merge<double>(numbers, SKELRT_FN((auto a, auto b) { return b < a; }));
    describe_merge<named>(small, SKELRT_FN((named a, named b) { return a.number < b.number; }));
    describe_merge<body>(large, SKELRT_FN((body a, body b) { return a.mass < b.mass; }));
    for (const recipes::builder* b : {&numbers, &small, &large}) check_all(*b);
    CHECK_THAT(cuda::source_of(cuda::program(small.get()), false), Contains("merge_tiles"));
    CHECK_THAT(cuda::source_of(cuda::program(large.get()), false), !Contains("merge_tiles"));
}

TEST_CASE("merges in blocks of any size compile, by a kernel of their own where tiles can be shared", "[cuda][compile]")
{
    recipes::builder b(skeleton::map, "merge");
    describe_merge<double>(b);
    check_blocks(b, true);
    const auto text = [&](unsigned threads) {
        return cuda::source_of(cuda::program(b.get(), {1, false, threads}), false);
    };
    for (const unsigned threads : {64, 128, 512, 1024}) CHECK_THAT(text(threads), Contains("merge_tiles"));
    CHECK_THAT(text(96), !Contains("merge_tiles"));
}

TEST_CASE("the path of a merge is a map as any other", "[cuda][compile]")
{
    using namespace skelrt::detail;
    using less = decltype(ascending_order)::lambda;
    recipes::builder b(skeleton::map, "path");
    b.slots({recipes::slot<int>(slot_kind::vec), recipes::slot<int>(slot_kind::vec), recipes::element<std::size_t>()})
        .call<std::size_t>(own_function_calling<merge_crossing<int, less>, int, int>(ascending_order).source(),
                           {recipes::at1(), recipes::operand(0), recipes::operand(1)})
        .result<std::size_t>();
    check_all(b);
    CHECK_THAT(cuda::source_of(cuda::program(b.get()), false), !Contains("merge_tiles"));
}
