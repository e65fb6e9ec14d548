// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <cstdint>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
namespace sk = skelrt;

SKELRT_SHARED(
    /// x -> a x + b over the integers modulo 2^32: composition is associative, and the order matters
    struct affine { unsigned a, b; }; inline affine then(affine f, affine g) {
        return {g.a * f.a, g.a * f.b + g.b};
    })

namespace
{

const auto compose = SKELRT_FN((affine f, affine g) { return then(f, g); });
const auto product = SKELRT_FN((auto a, auto b) { return a * b; });
const auto sum = SKELRT_FN((auto a, auto b) { return a + b; });

std::vector<affine> functions(std::size_t n)
{
    std::vector<affine> values(n);
    std::uint32_t state = 1;
    for (auto& f : values) {
        state = state * 1664525u + 1013904223u;
        f = {state | 1u, state >> 7};
    }
    return values;
}

affine fold(const std::vector<affine>& values)
{
    affine result = values.at(0);
    for (std::size_t i = 1; i < values.size(); ++i) result = then(result, values[i]);
    return result;
}

bool same(affine x, affine y) { return x.a == y.a && x.b == y.b; }

template <class T>
void reduction(recipe& r, skeleton kind, std::string_view type, const function_source& op)
{
    fill<T, T>(r, kind, type, type, nullptr, 1);
    r.root = {argument_kind::slot, 0};
    r.combine = &op;
}

template <class T>
std::vector<T> scratch_for(const recipe& r, std::size_t n, std::size_t columns)
{
    return std::vector<T>(opencl::scratch_bytes(r, n, columns) / sizeof(T));
}

} // namespace

TEST_CASE("a reduction keeps the order of its operands", "[opencl][reduce]")
{
    recipe r;
    reduction<affine>(r, skeleton::reduce, "affine", compose.source());
    const std::size_t n = GENERATE(1, 2, 3, 4095, 4096, 4097, 100003, 1 << 20);
    const auto values = functions(n);
    const on_device<affine> x(values, 5), result({affine{9, 9}}, 3), scratch(scratch_for<affine>(r, n, n), 1);
    const std::vector<segment> segments{{1, n, 0, 0}};
    const std::vector<slot_view> slots{x.row()};
    run({r, false, n, segments, slots, result.row(), nullptr, scratch.row()});
    CHECK(same(result.read()[0], fold(values)));
}

TEST_CASE("segments are reduced one after the other, also strided and thousands of them", "[opencl][reduce]")
{
    recipe r;
    reduction<affine>(r, skeleton::reduce, "affine", compose.source());
    const std::size_t pieces = GENERATE(1, 7, 3000);
    const std::size_t rows = 5, cols = 3, ld = 8;
    const auto values = functions(pieces * rows * ld);
    const on_device<affine> x(values), result({affine{}}), scratch(scratch_for<affine>(r, values.size(), cols));
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    std::vector<affine> in_order;
    for (std::size_t p = 0; p < pieces; ++p) {
        segments.push_back({rows, cols, p * rows, 0});
        slots.push_back(x.view(rows, cols, ld, 2, p * rows * ld));
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < cols; ++j) in_order.push_back(values[p * rows * ld + i * ld + j * 2]);
    }
    run({r, true, cols, segments, slots, result.row(), nullptr, scratch.row()});
    CHECK(same(result.read()[0], fold(in_order)));
}

TEST_CASE("no item contributes a neutral element of its own", "[opencl][reduce]")
{
    recipe r;
    reduction<double>(r, skeleton::reduce, "double", product.source());
    const std::size_t n = GENERATE(1, 3, 300, 5000);
    const on_device<double> x(std::vector<double>(n, 1.0)), result({0.0}), scratch(scratch_for<double>(r, n, n));
    const std::vector<segment> segments{{1, n, 0, 0}};
    const std::vector<slot_view> slots{x.row()};
    run({r, false, n, segments, slots, result.row(), nullptr, scratch.row()});
    CHECK(result.read()[0] == 1.0);
}

TEST_CASE("a map under a reduction is one kernel", "[opencl][reduce]")
{
    static const auto times = SKELRT_FN((float a, float b) { return a * b; });
    recipe r;
    fill<float, float>(r, skeleton::reduce, "float", "float", &times.source(), 2);
    r.combine = &sum.source();
    const on_device<float> x(std::vector<float>(10000, 2.0f)), y(std::vector<float>(10000, 0.5f)), result({0.0f}),
        scratch(scratch_for<float>(r, 10000, 10000));
    const std::vector<segment> segments{{1, 10000, 0, 0}};
    const std::vector<slot_view> slots{x.row(), y.row()};
    run({r, false, 10000, segments, slots, result.row(), nullptr, scratch.row()});
    CHECK(result.read()[0] == 10000.0f);
}

TEST_CASE("work without elements leaves the result alone", "[opencl][reduce]")
{
    recipe r;
    reduction<float>(r, skeleton::reduce, "float", sum.source());
    CHECK(opencl::scratch_bytes(r, 0, 0) == 0);
    const on_device<float> x({}), result({5.0f});
    const std::vector<segment> segments{{1, 0, 0, 0}};
    const std::vector<slot_view> slots{x.row()};
    run({r, false, 0, segments, slots, result.row()});
    CHECK(result.read()[0] == 5.0f);
}

TEST_CASE("each row is reduced behind the start value", "[opencl][reduce_rows]")
{
    recipe r;
    reduction<affine>(r, skeleton::reduce_rows, "affine", compose.source());
    const std::size_t cols = GENERATE(0, 1, 5, 1000);
    const bool with_start = GENERATE(false, true);
    const affine start{3, 4};
    const std::size_t ld = cols + 2;
    const auto values = functions(7 * ld);
    const on_device<affine> x(values), result(std::vector<affine>(7, affine{8, 8}), 2);
    const std::vector<segment> segments{{4, cols, 0, 0}, {0, cols, 4, 0}, {3, cols, 4, 0}};
    const std::vector<slot_view> slots{x.view(4, cols, ld), x.view(0, cols, ld), x.view(3, cols, ld, 1, 4 * ld)};
    run({r, true, cols, segments, slots, result.row(), with_start ? &start : nullptr});
    const auto got = result.read();
    for (std::size_t i = 0; i < 7; ++i) {
        std::vector<affine> row(values.begin() + i * ld, values.begin() + i * ld + cols);
        if (with_start) row.insert(row.begin(), start);
        CHECK(same(got[i], row.empty() ? affine{8, 8} : fold(row)));
    }
}

TEST_CASE("each column is reduced from top to bottom", "[opencl][reduce_columns]")
{
    recipe r;
    reduction<affine>(r, skeleton::reduce_columns, "affine", compose.source());
    const std::size_t cols = GENERATE(1, 3, 700);
    const std::size_t rows = GENERATE(1, 15, 1000);
    const auto values = functions(2 * rows * cols);
    const on_device<affine> x(values), result(std::vector<affine>(cols), 1),
        scratch(scratch_for<affine>(r, 2 * rows * cols, cols), 1);
    const std::vector<segment> segments{{rows, cols, 0, 0}, {rows, cols, rows, 0}};
    const std::vector<slot_view> slots{x.view(rows, cols, cols), x.view(rows, cols, cols, 1, rows * cols)};
    run({r, true, cols, segments, slots, result.row(), nullptr, scratch.row()});
    const auto got = result.read();
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < cols; ++j) {
        std::vector<affine> column;
        for (std::size_t i = 0; i < 2 * rows; ++i) column.push_back(values[i * cols + j]);
        wrong += !same(got[j], fold(column));
    }
    CHECK(wrong == 0);
}

TEST_CASE("a copy moves bytes between offsets", "[opencl]")
{
    const on_device<int> from({1, 2, 3, 4}), to({0, 0, 0, 0});
    auto* source = static_cast<cl_mem>(from.row().data);
    auto* target = static_cast<cl_mem>(to.row().data);
    opencl::copy(target, 8, source, 4, 8, device::get().queue());
    opencl::copy(target, 0, source, 0, 0, device::get().queue());
    CHECK(to.read() == std::vector<int>{0, 0, 2, 3});
}
