// SPDX-License-Identifier: BSD-3-Clause
// Stencils of the CUDA codelets against a device copy of the same grid, and several steps in one pass against single
// ones. Needs a GPU with 2 GB.
#include "../recipes.hpp"
#include "timing.hpp"

#include "codelets/cuda/cuda.hpp"

#include <algorithm>

using namespace recipes;

namespace
{

struct grid {
    std::size_t planes, rows, cols;
    std::size_t size() const { return planes * rows * cols; }
};

/// Two grids on the device.
template <class T>
struct buffers {
    explicit buffers(const grid& g) : from(timing::zeros<T>(g.size())), to(timing::zeros<T>(g.size())) {}
    buffers(const buffers&) = delete;
    buffers& operator=(const buffers&) = delete;
    ~buffers()
    {
        cudaFree(from);
        cudaFree(to);
    }
    T *from, *to;
};

template <class T>
double copy_milliseconds(const grid& g, const buffers<T>& b)
{
    return timing::milliseconds(
        [&] { timing::check(cudaMemcpyAsync(b.to, b.from, g.size() * sizeof(T), cudaMemcpyDeviceToDevice)); });
}

/// Milliseconds of one pass of `steps` over the grid, which is one segment.
template <class T>
double pass_milliseconds(const recipe& what, const grid& g, const buffers<T>& b, unsigned steps)
{
    const T outside{};
    const bool volume = what.stencil.rank == 3, matrix = g.rows > 1;
    const std::size_t rows = volume ? g.planes : g.rows, cols = volume ? g.rows * g.cols : g.cols;
    const segment all{rows, cols, 0, 0};
    const std::vector<slot_view> slots{{b.from, 0, rows, cols, cols, 1}, {b.to, 0, rows, cols, cols, 1}};
    const hood_view around{{}, {}, &outside};
    work w{what, matrix, {cols, g.cols, g.cols}, {&all, 1}, slots};
    w.hoods = {&around, 1};
    w.grid[0] = g.planes, w.grid[1] = g.rows, w.grid[2] = g.cols;
    w.steps = steps;
    return timing::milliseconds([&] { cuda::launch(w, nullptr); });
}

template <class T>
void measure(const char* name, const recipe& what, const grid& g, std::initializer_list<unsigned> several_steps)
{
    const buffers<T> b(g);
    const double copy = copy_milliseconds(g, b), one = pass_milliseconds(what, g, b, 1);
    timing::report(name + std::string(" copy"), 2 * g.size() * sizeof(T), copy);
    timing::report(name + std::string(" step"), 2 * g.size() * sizeof(T), one);
    std::printf("    %.3f of the copy\n", copy / one);
    for (const unsigned steps : several_steps) {
        const double pass = pass_milliseconds(what, g, b, steps);
        std::printf("    %u steps in one pass %9.4f ms, %.2f x faster than one by one\n", steps, pass,
                    one * steps / pass);
    }
    std::fflush(stdout);
}

template <class T, class F>
void measure(const char* name, const F& f, const stencil_shape& shape, const grid& g,
             std::initializer_list<unsigned> several_steps = {})
{
    auto& b = *new builder(skeleton::stencil, name); // kernels live as long as the process
    b.slots({hood<T>(), element<T>()}).stencil(shape).template call<T>(f, {operand(0)}).template result<T>();
    measure<T>(name, b.get(), g, several_steps);
}

} // namespace

int main()
{
    const auto three = USER_FUNCTION((auto u) { return (u(-1) + u(0) + u(1)) / 3; });
    const auto five = USER_FUNCTION((auto u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; });
    const auto nine = USER_FUNCTION((auto u) {
        return (u(-1, -1) + u(-1, 0) + u(-1, 1) + u(0, -1) + u(0, 0) + u(0, 1) + u(1, -1) + u(1, 0) + u(1, 1)) / 9;
    });
    const auto seven = USER_FUNCTION(
        (auto u) { return (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1)) / 6; });
    const auto cube = USER_FUNCTION((auto u) {
        return 0.02f * (u(-1, -1, -1) + u(-1, -1, 1) + u(-1, 1, -1) + u(-1, 1, 1) + u(1, -1, -1) + u(1, -1, 1) +
                        u(1, 1, -1) + u(1, 1, 1)) +
               0.03f * (u(-1, -1, 0) + u(-1, 1, 0) + u(1, -1, 0) + u(1, 1, 0) + u(-1, 0, -1) + u(-1, 0, 1) +
                        u(1, 0, -1) + u(1, 0, 1) + u(0, -1, -1) + u(0, -1, 1) + u(0, 1, -1) + u(0, 1, 1)) +
               0.05f * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1)) +
               0.18f * u(0, 0, 0);
    });
    const auto blur = USER_FUNCTION((auto u) {
        float sum = 0;
        for (int i = -9; i <= 9; ++i) sum += (10 - (i < 0 ? -i : i)) * u(i);
        return sum / 100;
    });
    const grid square{1, 8192, 8192}, volume{512, 512, 512}, line{1, 1, std::size_t{1} << 26};
    const auto rule = border_rule::constant;
    measure<float>("5 points 8192^2 f32", five, {2, false, {0, 1, 1}, {0, 1, 1}, rule}, square, {2, 4, 8});
    measure<double>("5 points 8192^2 f64", five, {2, false, {0, 1, 1}, {0, 1, 1}, rule}, square, {2, 4});
    measure<float>("5 points cyclic f32", five, {2, false, {0, 1, 1}, {0, 1, 1}, border_rule::cyclic}, square, {4});
    measure<float>("9 points 8192^2 f32", nine, {2, false, {0, 1, 1}, {0, 1, 1}, rule}, square, {2, 4});
    measure<float>("7 points 512^3 f32", seven, {3, false, {1, 1, 1}, {1, 1, 1}, rule}, volume, {2});
    measure<float>("27 points 512^3 f32", cube, {3, false, {1, 1, 1}, {1, 1, 1}, rule}, volume, {2});
    measure<float>("3 points 64 Mi f32", three, {1, false, {0, 0, 1}, {0, 0, 1}, rule}, line, {4});
    measure<float>("19 values by row f32", blur, {1, false, {0, 0, 9}, {0, 0, 9}, border_rule::nearest}, square);
    measure<float>("19 values by column f32", blur, {1, true, {0, 9, 0}, {0, 9, 0}, border_rule::nearest}, square);
}
