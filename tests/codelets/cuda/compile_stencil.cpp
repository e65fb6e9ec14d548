// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "types.hpp"

#include "codelets/cuda/launch/launchers.hpp"

#include <catch2/catch.hpp>

using namespace recipes;

namespace
{

void check_steps(const builder& b, unsigned steps, bool colored = false)
{
    for (const char* arch : {"sm_80", "sm_90"}) {
        CAPTURE(arch, b.get().name, steps, colored);
        cuda::program kernels{b.get(), {steps, colored}};
        CHECK_NOTHROW(cuda::build(kernels, arch, false));
    }
}

const auto five = USER_FUNCTION((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); });
const auto three = USER_FUNCTION((sk::hood1<double> u) { return 0.5 * u[-1] + 0.25 * (u(0) + u(1)); });
const auto cube = USER_FUNCTION((sk::hood3<float> u) {
    float sum = 0;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) sum += u(z, y, x);
    return sum / 27;
});

} // namespace

TEST_CASE("stencils of every rank, border and number of steps compile", "[cuda][compile][stencil]")
{
    for (const border_rule border :
         {border_rule::constant, border_rule::cyclic, border_rule::nearest, border_rule::none}) {
        for (const unsigned steps : {1, 3}) {
            check_steps(builder(skeleton::stencil, "five points")
                            .slots({hood<float>(), element<float>()})
                            .stencil({2, false, {0, 1, 1}, {0, 1, 1}, border})
                            .call<float>(five, {operand(0)})
                            .result<float>(),
                        steps);
            for (const bool down : {false, true})
                check_steps(
                    builder(skeleton::stencil, "three points")
                        .slots({hood<double>(), element<double>()})
                        .stencil(
                            {1, down, {0, down ? 1u : 0u, down ? 0u : 1u}, {0, down ? 1u : 0u, down ? 0u : 1u}, border})
                        .call<double>(three, {operand(0)})
                        .result<double>(),
                    steps);
        }
        check_steps(builder(skeleton::stencil, "27 points")
                        .slots({hood<float>(), element<float>()})
                        .stencil({3, false, {1, 1, 1}, {1, 1, 1}, border})
                        .call<float>(cube, {operand(0)})
                        .result<float>(),
                    1);
    }
}

TEST_CASE("half steps compile, in place where hoods see the other color only", "[cuda][compile][stencil]")
{
    for (const border_rule border :
         {border_rule::constant, border_rule::cyclic, border_rule::nearest, border_rule::none})
        for (const bool cross : {false, true}) {
            builder b(skeleton::stencil, "five points");
            b.slots({hood<float>(), element<float>()})
                .stencil({2, false, {0, 1, 1}, {0, 1, 1}, border, cross})
                .call<float>(five, {operand(0)})
                .result<float>();
            check_steps(b, 1, true);
            CHECK(cuda::program(b.get(), {1, true}).stencil.alternates == cross);
        }
}

TEST_CASE("maps under hoods compile, in registers and in shared memory", "[cuda][compile][stencil]")
{
    const auto mix = USER_FUNCTION((float a, double b, float w, double s) { return float(a + w * b + s); });
    const auto red = USER_FUNCTION((rgb a, double b, float w, double s) { return float(a.r + w * b + s); });
    const auto slow = USER_FUNCTION((float a, double b, float w, double s) {
        for (int i = 0; i < 3; ++i) a = a * w + sqrt(float(b));
        return float(a + s);
    });
    const auto loops = USER_FUNCTION((sk::hood2<float> u) {
        float sum = 0;
        for (int c = -1; c <= 1; ++c) sum += u(0, c);
        return sum;
    });
    const auto paint = USER_FUNCTION((float a, double b, float w, double s) {
        return rgb{(unsigned char)a, (unsigned char)b, (unsigned char)(w + s)};
    });
    const auto of_rgb = USER_FUNCTION((sk::hood2<rgb> u) { return 0.25f * (u(-1, 0).r + u(1, 0).g + u(0, 1).b); });
    const auto under = [](builder& b, const slot_type& source, const slot_type& seen, const auto& map, const auto& f,
                          int rank, border_rule border) -> builder& {
        b.slots(
             {source, hood_source<double>(), uniform<float>(), slot<double>(slot_kind::scalar), seen, element<float>()})
            .stencil({rank, false, {rank == 3 ? 1u : 0u, 1, 1}, {rank == 3 ? 1u : 0u, 1, 1}, border})
            .template call<float>(map, {operand(0), operand(1), operand(2), operand(3)})
            .under_hood(0, 4)
            .template call<float>(f, {operand(4)})
            .template result<float>();
        return b;
    };
    for (const border_rule border :
         {border_rule::constant, border_rule::cyclic, border_rule::nearest, border_rule::none}) {
        const auto check_place = [&](const slot_type& source, const slot_type& seen, const auto& map, const auto& f,
                                     int rank, cuda::hood_place place) {
            builder b(skeleton::stencil, "a stencil of a map");
            check_steps(under(b, source, seen, map, f, rank, border), 1);
            CHECK(cuda::program(b.get()).stencil.hoods == place);
        };
        const auto number = hood_source<float>(), of_number = mapped_hood<float>();
        check_place(number, of_number, mix, five, 2, cuda::hood_place::window);
        check_place(number, of_number, mix, loops, 2, cuda::hood_place::memory);
        check_place(number, of_number, mix, cube, 3, cuda::hood_place::memory);
        check_place(hood_source<rgb>(), of_number, red, five, 2, cuda::hood_place::memory);
        check_place(number, mapped_hood<rgb>(), paint, of_rgb, 2, cuda::hood_place::memory);
        check_place(number, of_number, slow, five, 2, cuda::hood_place::tile);
        check_place(number, of_number, slow, cube, 3, cuda::hood_place::tile);
    }
}

TEST_CASE("a stencil with several hoods and every other kind of operand compiles", "[cuda][compile][stencil]")
{
    const auto f = USER_FUNCTION((sk::hood2<float> u, rgb e, sk::hood2<rgb> v, sk::vec<double> w, float a, double s,
                                  sk::index2 at, sk::mat<int> m) {
        double sum = u(0, -2) * e.r + v(1, 0).g * a + s + at.row + m(0, 0);
        for (size_t i = 0; i < w.size(); ++i) sum += w[i] * u(0, int(i) - 2);
        return sum;
    });
    for (const unsigned reach : {2u, 1000u}) // 1000: no tile holds that
        check_steps(
            builder(skeleton::stencil, "all operands")
                .slots({hood<float>(), element<rgb>(), hood<rgb>(), slot<double>(slot_kind::vec), uniform<float>(),
                        slot<double>(slot_kind::scalar), slot<int>(slot_kind::mat), element<double>()})
                .stencil({2, false, {0, 0, reach}, {0, 1, 0}, border_rule::constant})
                .call<double>(
                    f, {operand(0), operand(1), operand(2), operand(3), operand(4), operand(5), at2(), operand(6)})
                .result<double>(),
            1);
}

TEST_CASE("steps whose tile no block has room for are refused", "[cuda][compile][stencil]")
{
    builder b(skeleton::stencil, "five points");
    b.slots({hood<float>(), element<float>()})
        .stencil({2, false, {0, 1, 1}, {0, 1, 1}, border_rule::cyclic})
        .call<float>(five, {operand(0)})
        .result<float>();
    CHECK_THROWS_WITH(cuda::program(b.get(), {1000}), Catch::Contains("1000 steps"));
}

TEST_CASE("stencils in blocks of 64 threads and more compile", "[cuda][compile][stencil]")
{
    for (const unsigned threads : {64, 1024})
        for (const unsigned steps : {1, 3})
            for (const bool colored : {false, true}) {
                if (colored && steps > 1) continue;
                CAPTURE(threads, steps, colored);
                builder b(skeleton::stencil, "five points");
                b.slots({hood<float>(), element<float>()})
                    .stencil({2, false, {0, 1, 1}, {0, 1, 1}, border_rule::nearest, true})
                    .call<float>(five, {operand(0)})
                    .result<float>();
                cuda::program kernels{b.get(), {steps, colored, threads}};
                CHECK_NOTHROW(cuda::build(kernels, "sm_90", false));
            }
}
