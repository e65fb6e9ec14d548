// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "recipes.hpp"
#include "stencil_reference.hpp"

#include "codelets/work.hpp"

#include <skelrt/function.hpp>

#include <algorithm>
#include <utility>

/// Stencils that every backend's kernels must get right, on grids of many shapes. A backend gives check(f, layout,
/// call): runs f, an SKELRT_FN, over the layout's grid on its device, and compares with stencil_reference::apply(...,
/// call).
namespace stencil_cases
{

using namespace skelrt::detail;
using stencil_reference::layout;
using stencil_reference::layouts;

constexpr int outside = 77;

inline std::vector<int> numbers(std::size_t n)
{
    std::vector<int> all(n);
    unsigned x = 12345;
    for (int& i : all) i = static_cast<int>((x = x * 1664525 + 1013904223) >> 20);
    return all;
}

/// What the first hood is over.
enum class under { operand, map, slow_map };

/// Kernels are specialised on shape and border, and live as long as the process: one recipe for each.
struct known_recipe {
    const function_source* function;
    under what;
    recipes::builder* made;
};
inline std::vector<known_recipe> known_recipes;

/// From here on there are new recipes: these have the kernels of the device that they were built for.
inline void forget_recipes() { known_recipes.clear(); }

template <class Complete>
const recipe& find_recipe(const function_source& f, const stencil_shape& shape, under what, Complete complete)
{
    for (const known_recipe& r : known_recipes)
        if (r.function == &f && r.what == what && r.made->get().stencil == shape) return r.made->get();
    auto& b = *new recipes::builder(skeleton::stencil, "stencil");
    complete(b.stencil(shape));
    known_recipes.push_back({&f, what, &b});
    return b.get();
}

inline const recipe& recipe_for(const function_source& f, const stencil_shape& shape)
{
    using namespace recipes;
    return find_recipe(f, shape, under::operand, [&](builder& b) {
        b.slots({hood<int>(), element<int>()}).call<int>(f, {operand(0)}).result<int>();
    });
}

inline std::size_t count_different(const std::vector<int>& a, const std::vector<int>& b)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < a.size(); ++i) n += a[i] != b[i];
    return n;
}

/// A work over a layout in the making. `make(values)` gives a pointer to an array on the device, with view(rows,
/// columns, ld, first), row() and read().
template <class Make>
class pieces_of_work
{
public:
    pieces_of_work(const layout& l, const Make& make) : layout_(l), make_(make) {}

    auto array(const std::vector<int>& values) const { return make_(values); }
    template <class Array>
    void add(const Array& a, const segment& where, std::size_t first)
    {
        slots_.push_back(a->view(where.rows, where.cols, layout_.width(), first));
    }
    void add_value(const int& v) { slots_.push_back({const_cast<int*>(&v), 0, 1, 1, 1, 1}); }
    void add_lines(const stencil_reference::piece<int>& p, const int* border)
    {
        hoods_.push_back({lines(p.before), lines(p.after), border});
    }
    void add_segment(const segment& where) { segments_.push_back(where); }

    template <class Launch>
    void run(const recipe& r, const Launch& launch) const
    {
        work w{r, layout_.matrix, {layout_.width(), layout_.n[2], layout_.n[2]}, segments_, slots_};
        w.hoods = hoods_;
        std::copy_n(layout_.n, 3, w.grid);
        w.steps = layout_.steps;
        w.color = layout_.color;
        launch(w);
    }

private:
    slot_view lines(const std::vector<int>& values)
    {
        if (values.empty()) return slot_view{};
        lines_.push_back(make_(values));
        return lines_.back()->row();
    }

    const layout& layout_;
    const Make& make_;
    std::vector<segment> segments_;
    std::vector<slot_view> slots_;
    std::vector<hood_view> hoods_;
    std::vector<decltype(std::declval<const Make&>()(std::vector<int>()))> lines_;
};

/// Runs f over the layout on a device and compares. `launch` runs a work.
template <class F, class Call, class Make, class Launch>
std::size_t count_wrong(const F& f, const layout& l, const Call& call, const Make& make, const Launch& launch)
{
    const auto grid = numbers(l.size());
    const auto in = make(grid), out = make(std::vector<int>(grid.size(), -1));
    pieces_of_work<Make> all(l, make);
    for (const auto& p : stencil_reference::cut(l, grid, outside)) {
        all.add_segment(p.where);
        for (const auto* side : {&in, &out}) all.add(*side, p.where, p.first);
        all.add_lines(p, &outside);
    }
    all.run(recipe_for(f.source(), l.shape), launch);
    return count_different(out->read(), stencil_reference::apply(l, grid, outside, call));
}

// --- maps under hoods ------------------------------------------------------------------------------------------------

constexpr int weight = 3;
constexpr int nobody = -30000; ///< beyond a constant border: what no map may take
inline const auto join = SKELRT_FN((int a, int b, int w) { return (a * w + b) % 1009; });
inline const auto slow_join = SKELRT_FN((int a, int b, int w) {
    int sum = b;
    for (int i = 0; i < w; ++i) sum += a;
    return sum % 1009;
});
inline const auto shifted = SKELRT_FN((int a) { return a + 5; });

/// The first hood is over a map of two operands and a value, which is the same with a loop or without, the second over
/// an operand.
inline const recipe& recipe_over_map(const function_source& f, const stencil_shape& shape, under what)
{
    using namespace recipes;
    return find_recipe(f, shape, what, [&](builder& b) {
        b.slots(
             {hood_source<int>(), hood_source<int>(), uniform<int>(), mapped_hood<int>(), hood<int>(), element<int>()})
            .call<int>(what == under::slow_map ? slow_join.source() : join.source(),
                       {operand(0), operand(1), operand(2)})
            .call<int>(shifted.source(), {result_of(0)})
            .under_hood(0, 3)
            .call<int>(f, {operand(3), operand(4)})
            .result<int>();
    });
}

/// The same as count_wrong for f(hood over a map, hood). call(padded map, padded operand, z, y, x).
template <class F, class Call, class Make, class Launch>
std::size_t count_wrong_over_map(const F& f, const layout& l, under what, const Call& call, const Make& make,
                                 const Launch& launch)
{
    const auto a = numbers(l.size());
    auto b = a, c = a, mapped = a;
    std::reverse(b.begin(), b.end());
    std::rotate(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(c.size() / 3), c.end());
    for (std::size_t i = 0; i < a.size(); ++i) mapped[i] = shifted(join(a[i], b[i], weight));
    const auto x = make(a), y = make(b), z = make(c), out = make(std::vector<int>(a.size(), -1));
    const auto of_x = stencil_reference::cut(l, a, nobody), of_y = stencil_reference::cut(l, b, nobody),
               of_z = stencil_reference::cut(l, c, outside);
    pieces_of_work<Make> all(l, make);
    for (std::size_t s = 0; s < of_x.size(); ++s) {
        const auto& [where, first, before, after] = of_x[s];
        all.add_segment(where);
        all.add(x, where, first);
        all.add(y, where, first);
        all.add_value(weight);
        all.add_value(outside);
        all.add(z, where, first);
        all.add(out, where, first);
        all.add_lines(of_x[s], nullptr);
        all.add_lines(of_y[s], nullptr);
        all.add_lines(of_z[s], &outside);
    }
    all.run(recipe_over_map(f.source(), l.shape, what), launch);
    const stencil_reference::padded<int> other(l, c, outside);
    return count_different(out->read(),
                           stencil_reference::apply(l, mapped, outside, [&](const auto& p, long pz, long py, long px) {
                               return call(p, other, pz, py, px);
                           }));
}

inline const auto along = SKELRT_FN((sk::hood1<int> u) { return (3 * u(-2) + u[-1] + 7 * u(0) + 5 * u(1)) % 1009; });
inline const auto five = SKELRT_FN(
    (sk::hood2<int> u) { return (3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -2) + 11 * u(0, -1) + u(0, 1)) % 1009; });
inline const auto loops = SKELRT_FN((sk::hood2<int> u) {
    int sum = 0;
    for (int r = -1; r <= 1; ++r)
        for (int c = -2; c <= 1; ++c) sum += (r * 3 + c + 10) * u(r, c);
    return sum % 1009;
});
inline const auto cube = SKELRT_FN((sk::hood3<int> u) {
    return (u(-1, 0, 0) + 3 * u(1, 1, -1) + 5 * u(0, -1, 0) + 7 * u(0, 0, 1) + 11 * u(0, 0, 0)) % 1009;
});

inline const auto along_two = SKELRT_FN(
    (sk::hood1<int> u, sk::hood1<int> v) { return (3 * u(-2) + u[-1] + 7 * v(0) + 5 * u(1) + 11 * v(-1)) % 1009; });
inline const auto five_of_two = SKELRT_FN((sk::hood2<int> u, sk::hood2<int> v) {
    return (3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -2) + 11 * v(0, -1) + u(0, 1) + 13 * v(1, 1)) % 1009;
});
inline const auto loops_of_two = SKELRT_FN((sk::hood2<int> u, sk::hood2<int> v) {
    int sum = 0;
    for (int r = -1; r <= 1; ++r)
        for (int c = -2; c <= 1; ++c) sum += (r * 3 + c + 10) * u(r, c) - v(r, c);
    return sum % 1009;
});
inline const auto cube_of_two = SKELRT_FN((sk::hood3<int> u, sk::hood3<int> v) {
    return (u(-1, 0, 0) + 3 * u(1, 1, -1) + 5 * v(0, -1, 0) + 7 * u(0, 0, 1) + 11 * v(0, 0, 0)) % 1009;
});

template <class Check>
void check_along(const layout& l, const Check& check)
{
    check(along, l, [&](const auto& p, long z, long y, long x) { return along(p.hood1(l, z, y, x)); });
}
template <class F, class Check>
void check_in_matrix(const F& f, const layout& l, const Check& check)
{
    check(f, l, [&](const auto& p, long z, long y, long x) { return f(p.hood2(l, z, y, x)); });
}

/// Hoods along vectors, rows and columns.
template <class Check>
void lines(const Check& check)
{
    for (const unsigned steps : {1, 3})
        for (const int kind : {0, 1, 2}) { // vector, along rows, down columns
            const bool down = kind == 2;
            for (auto l : layouts(1, down, kind != 0, {0, down ? 2u : 0u, down ? 0u : 2u},
                                  {0, down ? 1u : 0u, down ? 0u : 1u})) {
                l.steps = steps;
                check_along(l, check);
            }
        }
}

template <class Check>
void matrices(const Check& check)
{
    for (const unsigned steps : {1, 2, 4})
        for (auto l : layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
            l.steps = steps;
            check_in_matrix(five, l, check);
            check_in_matrix(loops, l, check);
        }
}

template <class Check>
void tensors(const Check& check)
{
    for (const unsigned steps : {1, 2})
        for (auto l : layouts(3, false, true, {1, 1, 1}, {1, 1, 1})) {
            l.steps = steps;
            check(cube, l, [&](const auto& p, long z, long y, long x) { return cube(p.hood3(l, z, y, x)); });
        }
}

template <class Check>
void red_and_black(const Check& check)
{
    for (const int color : {0, 1})
        for (auto l : layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
            l.color = color;
            check_in_matrix(five, l, check);
        }
}

/// Reaches wider than the grid, and, with `most`, wider than the memory that a group shares.
template <class Check>
void wide_reaches(unsigned most, const Check& check)
{
    for (const unsigned reach : {9u, most})
        for (auto l : layouts(2, false, true, {0, reach, 2}, {0, 1, reach})) {
            if (l.shape.border == border_rule::none || l.size() > 10000) continue;
            check_in_matrix(five, l, check);
        }
}

/// Hoods over maps, of all ranks. check(f, layout, under, call) as count_wrong_over_map has it.
template <class Check>
void over_maps(const Check& check)
{
    const auto in_matrix = [&](const auto& f, const layout& l, under what) {
        check(f, l, what, [&](const auto& p, const auto& q, long z, long y, long x) {
            return f(p.hood2(l, z, y, x), q.hood2(l, z, y, x));
        });
    };
    for (const under what : {under::map, under::slow_map}) {
        for (const int kind : {0, 1, 2}) { // vector, along rows, down columns
            const bool down = kind == 2;
            for (const auto& l :
                 layouts(1, down, kind != 0, {0, down ? 2u : 0u, down ? 0u : 2u}, {0, down ? 1u : 0u, down ? 0u : 1u}))
                check(along_two, l, what, [&](const auto& p, const auto& q, long z, long y, long x) {
                    return along_two(p.hood1(l, z, y, x), q.hood1(l, z, y, x));
                });
        }
        for (const auto& l : layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
            in_matrix(five_of_two, l, what);
            in_matrix(loops_of_two, l, what);
        }
        for (const auto& l : layouts(3, false, true, {1, 1, 1}, {1, 1, 1}))
            check(cube_of_two, l, what, [&](const auto& p, const auto& q, long z, long y, long x) {
                return cube_of_two(p.hood3(l, z, y, x), q.hood3(l, z, y, x));
            });
    }
}

} // namespace stencil_cases
