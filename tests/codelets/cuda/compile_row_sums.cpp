// SPDX-License-Identifier: BSD-3-Clause
#include "../sparse/products.hpp"
#include "compiles.hpp"

#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

using Catch::Matchers::Contains;
using skelrt::detail::skeleton;
namespace cuda = skelrt::detail::cuda;

TEMPLATE_TEST_CASE("products of sparse matrices compile, and have a kernel of their own", "[cuda][compile]", float,
                   double, int, unsigned long, short, signed char)
{
    for (const bool matrix : {false, true})
        for (const bool fused : {false, true}) {
            recipes::builder b(skeleton::map, "product");
            products::describe<TestType>(b, matrix, fused);
            check_all(b);
            CHECK_THAT(cuda::source_of(cuda::program(b.get()), false), Contains("map_row_sums"));
        }
}

TEST_CASE("products of sparse matrices in blocks of any size compile", "[cuda][compile]")
{
    for (const bool matrix : {false, true}) {
        recipes::builder b(skeleton::map, "product");
        products::describe<double>(b, matrix, false);
        check_blocks(b, true);
    }
}

TEST_CASE("products of bool are maps as any other", "[cuda][compile]")
{
    recipes::builder b(skeleton::map, "product");
    products::describe<bool>(b, false, false);
    check_all(b);
    CHECK_THAT(cuda::source_of(cuda::program(b.get()), false), !Contains("map_row_sums"));
}
