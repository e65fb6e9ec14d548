// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "compiles.hpp"
#include "types.hpp"

#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

using namespace recipes;
namespace cuda = skelrt::detail::cuda;

namespace
{

const auto times = USER_FUNCTION((auto a, auto b) { return a * b; });
const auto add = USER_FUNCTION((auto a, auto b) { return a + b; });
const auto first = USER_FUNCTION((auto a, auto) { return a; });

template <class T, class Zip, class Op>
void describe(builder& b, const Zip& zip, const Op& op)
{
    b.slots({slot<T>(slot_kind::row_vec), slot<T>(slot_kind::column_vec), element<T>()})
        .template call<T>(zip, {operand(0), operand(1)})
        .combine(op)
        .template result<T>();
}

} // namespace

TEMPLATE_TEST_CASE("products in blocks of any size compile", "[cuda][compile]", float, double, signed char)
{
    builder b(skeleton::all_pairs, "product");
    describe<TestType>(b, times, add);
    check_all(b);
    check_blocks(b);
}

TEST_CASE("products of structs compile in blocks that have memory for them", "[cuda][compile]")
{
    builder bodies(skeleton::all_pairs, "bodies"), tables(skeleton::all_pairs, "tables");
    describe<body>(bodies, first, first);
    check_all(bodies);
    check_blocks(bodies);
    describe<table>(tables, first, first);
    CHECK_THROWS_WITH(cuda::check(tables.get(), "compute_80", {1, false, 1024}),
                      Catch::Contains("block of 1024 threads"));
}

TEST_CASE("a block of any size covers its tile once, and threads of large ones have fewer results", "[cuda][compile]")
{
    builder b(skeleton::all_pairs, "product");
    describe<float>(b, times, add);
    for (unsigned threads = 32; threads <= 1024; threads *= 2) {
        const cuda::pair_shape s = cuda::pair_shape_of(b.get(), threads);
        CAPTURE(threads);
        CHECK(32 * s.down * s.across == threads);
        CHECK(threads * s.rows * s.cols == s.tile_rows() * s.tile_cols());
        CHECK(threads * s.blocks * s.rows * s.cols <= 2 * 256 * 64);
    }
}
