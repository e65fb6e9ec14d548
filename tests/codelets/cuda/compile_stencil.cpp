// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "types.hpp"

#include "codelets/cuda/launch/launchers.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace recipes;

namespace
{

/// Instructions by name are checked by the assembler, which comes after PTX and takes longest. No border has its own.
std::array<const char*, 2> architectures(border_rule border)
{
    if (border == border_rule::constant) return {"sm_80", "sm_90"};
    return {"compute_80", "compute_90"};
}

void check_steps(const builder& b, unsigned steps, bool colored = false)
{
    for (const char* arch : architectures(b.get().stencil.border)) {
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

namespace
{

/// A filter of floats with weights and a width, which must compile.
template <class F>
cuda::stencil_plan plan_of(const F& f, unsigned reach, border_rule border = border_rule::nearest, unsigned threads = 0)
{
    builder b(skeleton::stencil, "a filter");
    b.slots({hood<float>(), slot<float>(slot_kind::mat), uniform<int>(), element<float>(), element<float>()})
        .stencil({2, false, {0, reach, reach}, {0, reach, reach}, border})
        .template call<float>(f.source(), {operand(0), operand(1), operand(2), operand(3)})
        .template result<float>();
    cuda::program kernels{b.get(), {1, false, threads}};
    CAPTURE(reach, int(border), threads);
    CHECK_NOTHROW(cuda::build(kernels, "sm_90", false));
    return kernels.stencil;
}

const auto filter = SKELRT_FN((sk::hood2<float> u, sk::mat<float> w, int far, float e) {
    float sum = 0.0f;
    for (int r = -far; r <= far; ++r)
        for (int c = -far; c <= far; ++c) sum += w(r + far, c + far) * u(r, c);
    return sum * e;
});

} // namespace

TEST_CASE("functions that loop over hoods compute several positions at once", "[cuda][compile][stencil]")
{
    for (const border_rule border :
         {border_rule::constant, border_rule::cyclic, border_rule::nearest, border_rule::none})
        CHECK(plan_of(filter, 2, border).hoods == cuda::hood_place::patch);
    CHECK(plan_of(filter, 3).lockstep.rows == 4);
    CHECK(plan_of(filter, 4).lockstep.columns == 16);
    CHECK(plan_of(filter, 31).lockstep.columns < 16); // the tile of so many has no room
    CHECK(plan_of(filter, 300).hoods == cuda::hood_place::memory);
    for (const unsigned threads : {64, 1024})
        CHECK(plan_of(filter, 4, border_rule::none, threads).hoods == cuda::hood_place::patch);
    const auto down = SKELRT_FN((sk::hood2<float> u, const sk::mat<float>& w, int far, float) {
        double sum = 0, most = (double)w.rows();
        const auto all = far * 2;
        for (int c = -far; c <= far; ++c) {
            auto column = 0.5f * u(0, c);
            for (int r = 0; r <= all; ++r) column = column + w(r, c + far) * (float)u(r - far, c);
            sum += -static_cast<double>(column) / most;
        }
        return float(sum);
    });
    CHECK(plan_of(down, 5).hoods == cuda::hood_place::patch);
    CHECK(plan_of(down, 5).lockstep.columns == 1);
}

TEST_CASE("functions whose positions may go different ways compute these one by one", "[cuda][compile][stencil]")
{
    const auto in_memory = [](const auto& f) { CHECK(plan_of(f, 3).hoods == cuda::hood_place::memory); };
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        float most = 0;
        for (int c = -far; c <= far; ++c) most = u(0, c) > most ? u(0, c) : most;
        return most + e;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        float sum = 0;
        for (int c = -far; c <= far; ++c)
            if (u(0, c) > e) sum += 1;
        return sum;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        float sum = 0;
        for (int c = -far; c <= (int)e; ++c) sum += u(0, c);
        return sum;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float> w, int far, float e) {
        float sum = 0;
        for (int c = 0; c <= far; ++c) sum += u(0, c) * w((int)u(0, c), (int)e);
        return sum;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        float sum = 0;
        for (int c = -far; c <= far; ++c) sum += sqrtf(u(0, c) * e);
        return sum;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        auto sum = 0.0f; // what it becomes is not what its type says
        for (int c = -far; c <= far; ++c) sum += u(0, c) * e;
        return sum;
    }));
    in_memory(SKELRT_FN((sk::hood2<float> u, sk::mat<float>, int far, float e) {
        float sum[2] = {0, e};
        for (int c = -far; c <= far; ++c) sum[c & 1] += u(0, c);
        return sum[0] + sum[1];
    }));
}
