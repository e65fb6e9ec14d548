// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "compiles.hpp"
#include "types.hpp"

#include "codelets/cuda/cuda.hpp"

#include <catch2/catch.hpp>

using namespace recipes;

namespace
{

/// A function that only moves what it sees, of any type.
template <class T, class F>
void check_type(const F& f, const char* name)
{
    builder b(skeleton::wavefront, name);
    b.slots({uniform<T>(), element<T>()});
    b.call<T>(f, {before(0)});
    b.result<T>();
    check_all(b);
}

} // namespace

TEST_CASE("wavefronts amid one value, and within edges, compile", "[cuda][compile]")
{
    const auto sum = USER_FUNCTION((sk::before2<double> d) { return d.left() + d.above() - d.diagonal(); });
    check_all(builder(skeleton::wavefront, "amid one value")
                  .slots({uniform<double>(), element<double>()})
                  .call<double>(sum, {before(0)})
                  .result<double>());
    check_all(
        builder(skeleton::wavefront, "within edges")
            .slots({uniform<double>(), slot<double>(slot_kind::vec), slot<double>(slot_kind::vec), element<double>()})
            .edges()
            .call<double>(sum, {before(0)})
            .result<double>());
}

TEST_CASE("wavefronts of operands and positions compile", "[cuda][compile]")
{
    const auto f = USER_FUNCTION((sk::index2 at, sk::before2<float> d, float x, sk::vec<float> v, float of_row) {
        return d.left() + x * v[at.col] + of_row;
    });
    check_all(builder(skeleton::wavefront, "operands")
                  .slots({uniform<float>(), element<float>(), slot<float>(slot_kind::vec),
                          slot<float>(slot_kind::row_element), element<float>()})
                  .call<float>(f, {at2(), before(0), operand(1), operand(2), operand(3)})
                  .result<float>());
}

TEST_CASE("wavefronts in blocks of any size compile", "[cuda][compile]")
{
    const auto first = USER_FUNCTION((sk::before2<unsigned char> d) { return d.diagonal(); });
    const auto second = USER_FUNCTION((sk::before2<double> d) { return d.left() + d.above(); });
    builder small(skeleton::wavefront, "bytes"), usual(skeleton::wavefront, "doubles");
    small.slots({uniform<unsigned char>(), element<unsigned char>()}).call<unsigned char>(first, {before(0)});
    small.result<unsigned char>();
    usual.slots({uniform<double>(), element<double>()}).call<double>(second, {before(0)}).result<double>();
    check_blocks(small);
    check_blocks(usual);
}

TEST_CASE("wavefronts of elements of any size compile", "[cuda][compile]")
{
    check_type<unsigned char>(USER_FUNCTION((sk::before2<unsigned char> d) { return d.diagonal(); }), "a byte");
    check_type<rgb>(USER_FUNCTION((sk::before2<rgb> d) { return d.left(); }), "three bytes");
    check_type<point>(USER_FUNCTION((sk::before2<point> d) { return d.above(); }), "twelve bytes");
    check_type<atom>(USER_FUNCTION((sk::before2<atom> d) { return d.above(); }), "aligned");
    check_type<body>(USER_FUNCTION((sk::before2<body> d) { return d.left(); }), "large");
    check_type<named>(USER_FUNCTION((sk::before2<named> d) { return d.left(); }), "no default constructor");
}
