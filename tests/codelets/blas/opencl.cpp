// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "../opencl/device.hpp"

#include "codelets/blas/clblast.hpp"

#include <catch2/catch.hpp>

#include <complex>
#include <limits>

/// Products by CLBlast, on whatever OpenCL device there is.

using namespace products;
using opencl::test::on_device;

namespace
{

bool has_clblast() { return blas::opencl::find_library().missing.empty(); }

/// Of whole numbers; the result held `before`. What OpenCL sees lies 3 elements behind a buffer's begin.
template <class T>
void check_exact(const shape& s, const sides& across, std::size_t tiles, bool begun, T before)
{
    CAPTURE(s.rows, s.cols, s.depth, across.left, across.right, tiles, begun, sizeof(T));
    const auto a = side_of<T>(s.rows, s.depth, across.left, 2,
                              [](std::size_t r, std::size_t k) { return small_value<T>(r, k, 7); });
    const auto b = side_of<T>(s.cols, s.depth, across.right, 0,
                              [](std::size_t r, std::size_t k) { return small_value<T>(r, k, 5); });
    std::vector<T> c(s.rows * s.cols, before);
    product_recipe<T> what(across);
    const product_work<T> host(what.get(), a, a.memory.data(), b, b.memory.data(), c.data(), s.cols, tiles);
    work w = host.get(nullptr, begun);
    const on_device<T> x(a.memory, 3), y(b.memory, 3), z(c, 3);
    std::vector<slot_view> views(w.slots.begin(), w.slots.end());
    const T* const begins[] = {a.memory.data(), b.memory.data(), c.data()};
    const slot_view buffers[] = {x.row(), y.row(), z.row()};
    for (std::size_t v = 0; v < views.size(); ++v) {
        const auto behind = static_cast<std::size_t>(static_cast<const T*>(views[v].data) - begins[v % 3]);
        views[v].data = buffers[v % 3].data;
        views[v].offset = buffers[v % 3].offset + behind * sizeof(T);
    }
    w.slots = views;
    auto& d = opencl::test::device::get();
    REQUIRE(blas::opencl::multiply(w, d.context(), d.id(), d.queue()));
    const auto got = z.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.cols; ++j) {
            T sum = begun ? before : T{0};
            for (std::size_t k = 0; k < s.depth; ++k) sum += a.at(i, k) * b.at(j, k);
            wrong += !(got[i * s.cols + j] == sum);
        }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("products by CLBlast", "[blas][opencl]")
{
    if (!has_clblast()) {
        product_recipe<float> what({});
        auto& d = opencl::test::device::get();
        const work nothing{what.get(), true, 1, {}, {}};
        CHECK_FALSE(blas::opencl::multiply(nothing, d.context(), d.id(), d.queue()));
        return;
    }
    for (const shape s : {shape{1, 1, 1}, shape{1, 40, 20}, shape{40, 1, 20}, shape{17, 19, 23}, shape{67, 131, 97}})
        for (const bool left : {false, true})
            for (const bool right : {false, true}) {
                check_exact<float>(s, {left, right}, s.rows > 3 ? 3 : 1, true, 3);
                check_exact<double>(s, {left, right}, 1, false, -1);
                check_exact<std::complex<float>>(s, {left, right}, 1, true, {3, 1});
                check_exact<std::complex<double>>(s, {left, right}, s.rows > 3 ? 3 : 1, false, -1);
            }
    check_exact<float>({300, 280, 260}, {false, true}, 1, false, std::numeric_limits<float>::quiet_NaN());
    check_exact<float>({20, 30, 40}, {false, true}, 1, false, std::numeric_limits<float>::quiet_NaN());
    blas::opencl::release();
    check_exact<float>({17, 19, 23}, {}, 3, true, 3);
    blas::opencl::release();
}
