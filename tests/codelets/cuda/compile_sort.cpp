// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "compiles.hpp"
#include "types.hpp"

#include "codelets/cuda/cuda.hpp"

#include <catch2/catch.hpp>

using namespace recipes;

namespace
{

const auto less = USER_FUNCTION((auto a, auto b) { return a < b; });
const auto lighter = USER_FUNCTION((body a, body b) { return a.mass < b.mass; });
const auto first_of_table = USER_FUNCTION((table a, table b) { return a.value[0] < b.value[0]; });
const auto smaller = USER_FUNCTION((named a, named b) { return a.number < b.number; });

template <class T>
class sort_of : public builder
{
public:
    explicit sort_of(const char* name) : builder(skeleton::sort, name)
    {
        slots({element<T>(), element<T>()}).template result<T>();
    }
};

} // namespace

TEMPLATE_TEST_CASE("sorts of numbers compile, with and without comparator", "[cuda][compile]", int, unsigned long,
                   float, double, short, bool, char)
{
    check_all(sort_of<TestType>("numbers"));
    check_all(sort_of<TestType>("numbers and a comparator").combine(less));
}

TEST_CASE("sorts of structs compile: large ones, and one without default constructor", "[cuda][compile]")
{
    check_all(sort_of<body>("bodies").combine(lighter));
    check_all(sort_of<table>("tables").combine(first_of_table));
    check_all(sort_of<named>("named").combine(smaller));
}

TEST_CASE("sorts by key and behind a map compile", "[cuda][compile]")
{
    const auto half = USER_FUNCTION((float x) { return x * 0.5f; });
    builder keys(skeleton::sort, "by key"), ordered(skeleton::sort, "by key and comparator"),
        mapped(skeleton::sort, "map");
    keys.slots({element<double>(), element<rgb>(), slot<rgb>(slot_kind::output), element<double>()}).result<double>();
    ordered.slots({element<double>(), element<rgb>(), slot<rgb>(slot_kind::output), element<double>()})
        .combine(less)
        .result<double>();
    mapped.slots({element<float>(), element<float>()}).call<float>(half, {operand(0)}).combine(less).result<float>();
    check_all(keys);
    check_all(ordered);
    check_all(mapped);
}

TEST_CASE("sorts in blocks of any size compile, those of large structs in small blocks", "[cuda][compile]")
{
    check_blocks(sort_of<int>("numbers"));
    builder keys(skeleton::sort, "by key");
    keys.slots({element<double>(), element<rgb>(), slot<rgb>(slot_kind::output), element<double>()}).result<double>();
    check_blocks(keys);
    sort_of<table> tables("tables");
    tables.combine(first_of_table);
    CHECK_THROWS_WITH(skelrt::detail::cuda::check(tables.get(), "compute_80", {1, false, 1024}),
                      Catch::Contains("a block of 1024 threads"));
}
