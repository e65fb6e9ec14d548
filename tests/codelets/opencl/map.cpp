// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <numeric>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
namespace sk = skelrt;

SKELRT_SHARED(
    struct flagged {
        float value;
        bool set;
    };
    struct cplx { float re, im; }; inline cplx cmul(const cplx& a, const cplx& b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    })

namespace
{

std::vector<float> counting(std::size_t n, float first = 0)
{
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), first);
    return values;
}

const auto axpy = SKELRT_FN((float x, float y) { return 2.0f * x + y; });

} // namespace

TEST_CASE("a map writes every element, whatever the size", "[opencl][map]")
{
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &axpy.source(), 2);
    const std::size_t n = GENERATE(0, 1, 2, 255, 256, 257, 1001, 1 << 20, (1 << 20) + 3);
    const on_device<float> x(counting(n), 3), y(counting(n, 7)), z(std::vector<float>(n, -1.0f), 1);
    const std::vector<segment> segments{{1, n, 0, 0}};
    const std::vector<slot_view> slots{x.row(), y.row(), z.row()};
    run({r, false, n, segments, slots});
    const auto result = z.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += result[i] != axpy(static_cast<float>(i), static_cast<float>(i) + 7);
    CHECK(wrong == 0);
}

TEST_CASE("a map may write where it reads", "[opencl][map]")
{
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &axpy.source(), 2);
    const on_device<float> x(counting(1000));
    const std::vector<segment> segments{{1, 1000, 0, 0}};
    const std::vector<slot_view> slots{x.row(), x.row(), x.row()};
    run({r, false, 1000, segments, slots});
    CHECK(x.read()[999] == 3 * 999.0f);
}

TEST_CASE("a map over parts of matrices, columns and several segments", "[opencl][map]")
{
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &axpy.source(), 2);
    // a 3 x 4 part of a 5 x 10 matrix, every second column of another; then one row
    const on_device<float> a(counting(50)), b(counting(50, 100)), c(std::vector<float>(50, -1.0f));
    const std::vector<segment> segments{{3, 4, 0, 0}, {1, 4, 3, 0}, {0, 4, 4, 0}};
    const std::vector<slot_view> slots{a.view(3, 4, 10, 1, 11), b.view(3, 4, 10, 2, 0),  c.view(3, 4, 10, 1, 2),
                                       a.view(1, 4, 10, 1, 40), b.view(1, 4, 10, 1, 30), c.view(1, 4, 10, 1, 40),
                                       a.view(0, 4, 10, 1, 0),  b.view(0, 4, 10, 1, 0),  c.view(0, 4, 10, 1, 0)};
    run({r, true, 4, segments, slots});
    auto expected = std::vector<float>(50, -1.0f);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            expected[2 + i * 10 + j] = axpy(float(11 + i * 10 + j), float(100 + i * 10 + 2 * j));
    for (std::size_t j = 0; j < 4; ++j) expected[40 + j] = axpy(float(40 + j), float(130 + j));
    CHECK(c.read() == expected);
}

TEST_CASE("positions count from the origin of the call", "[opencl][map]")
{
    static const auto f1 = SKELRT_FN((sk::index1 i) { return static_cast<int>(i.i); });
    static const auto f2 = SKELRT_FN((sk::index2 p) { return static_cast<int>(1000 * p.row + p.col); });
    const bool two = GENERATE(false, true);
    recipe r;
    fill<int, int>(r, skeleton::map, "int", "int", two ? &f2.source() : &f1.source(), 0);
    r.calls[0].arguments.push_back({two ? argument_kind::index2 : argument_kind::index1, 0});
    const std::size_t cols = GENERATE(7, 20); // 20: whole rows, which count on without a gap
    const std::size_t col0 = cols == 20 ? 0 : 5;
    const on_device<int> out(std::vector<int>(3 * cols));
    const std::vector<segment> segments{{3, cols, 10, col0}};
    const std::vector<slot_view> slots{out.view(3, cols, cols)};
    run({r, true, 20, segments, slots});
    const auto result = out.read();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            CHECK(result[i * cols + j] == int(two ? 1000 * (10 + i) + col0 + j : (10 + i) * 20 + col0 + j));
}

TEST_CASE("uniforms, scalars and whole containers reach the function", "[opencl][map]")
{
    static const auto f = SKELRT_FN((float x, flagged u, double s, sk::vec<float> w, const sk::mat<int>& m) {
        return u.set ? x * u.value + s + w[w.size() - 1] + m(m.rows() - 1, m.cols() - 1) : -1.0;
    });
    recipe r;
    r.name = "test";
    r.slots = {slot<float>(slot_kind::element, "float"),  slot<flagged>(slot_kind::uniform, "flagged"),
               slot<double>(slot_kind::scalar, "double"), slot<float>(slot_kind::vec, "float"),
               slot<int>(slot_kind::mat, "int"),          slot<double>(slot_kind::element, "double")};
    r.calls.push_back({&f.source(),
                       "double",
                       8,
                       {{argument_kind::slot, 0},
                        {argument_kind::slot, 1},
                        {argument_kind::slot, 2},
                        {argument_kind::slot, 3},
                        {argument_kind::slot, 4}}});
    r.root = {argument_kind::call, 0};
    r.result = "double";
    r.result_size = 8;
    flagged u{3.0f, true};
    const on_device<float> x(counting(100)), w({1, 2, 0.5f}, 2);
    const on_device<double> s({0.25}, 1), out(std::vector<double>(100));
    const on_device<int> m({0, 0, 0, 9, 0, 0, 0, 42, 9}, 1);
    const std::vector<segment> segments{{1, 100, 0, 0}};
    const std::vector<slot_view> slots{x.row(), {&u, 0, 1, 1, 1, 1}, s.row(), w.row(), m.view(2, 4, 4), out.row()};
    run({r, false, 100, segments, slots});
    CHECK(out.read()[10] == 10 * 3 + 0.25 + 0.5 + 42);
    u.set = false; // read at the launch, not at the preparation
    run({r, false, 100, segments, slots});
    CHECK(out.read()[10] == -1);
}

TEST_CASE("structs and bools are elements like any other; nested calls are one kernel", "[opencl][map]")
{
    static const auto multiply = SKELRT_FN((cplx a, cplx b) { return cmul(a, b); });
    static const auto is_real = SKELRT_FN((const cplx& a) { return a.im == 0; });
    recipe r;
    fill<cplx, bool>(r, skeleton::map, "cplx", "bool", &is_real.source(), 2);
    r.calls = {{&multiply.source(), "cplx", 8, {{argument_kind::slot, 0}, {argument_kind::slot, 1}}},
               {&is_real.source(), "bool", 1, {{argument_kind::call, 0}}}};
    r.root = {argument_kind::call, 1};
    const on_device<cplx> a({{1, 1}, {1, 2}, {0, 3}}), b({{1, -1}, {1, 2}, {0, 1}});
    const on_device<unsigned char> out({9, 9, 9});
    const std::vector<segment> segments{{1, 3, 0, 0}};
    const std::vector<slot_view> slots{a.row(), b.row(), out.row()};
    run({r, false, 3, segments, slots});
    CHECK(out.read() == std::vector<unsigned char>{1, 0, 1});
}
