#include "device.hpp"

#include "../stencil_reference.hpp"

#include <skelrt/hood.hpp>

#include <memory>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
using stencil_reference::layout;
namespace sk = skelrt;

namespace
{

std::vector<int> numbers(std::size_t n)
{
    std::vector<int> all(n);
    unsigned x = 12345;
    for (int& i : all) i = static_cast<int>((x = x * 1664525 + 1013904223) >> 20);
    return all;
}

constexpr int outside = 77;

/// Recipes live as long as the process, and each has its own kernels.
recipe& new_recipe(const function_source& f, const stencil_shape& shape)
{
    auto& r = *new recipe;
    fill<int, int>(r, skeleton::stencil, "int", "int", &f, 1);
    r.slots.push_back(slot<int>(slot_kind::element, "int"));
    r.slots[0].kind = slot_kind::hood;
    r.stencil = shape;
    return r;
}

/// Kernels are specialised on shape and border: one recipe for each.
recipe& recipe_for(const function_source& f, const stencil_shape& shape)
{
    static std::vector<std::pair<const function_source*, recipe*>> known;
    for (const auto& [source, r] : known)
        if (source == &f && r->stencil == shape) return *r;
    known.emplace_back(&f, &new_recipe(f, shape));
    return *known.back().second;
}

/// Runs a stencil of one hood over the layout.
std::vector<int> on_the_device(const recipe& r, const layout& l, const std::vector<int>& grid)
{
    const on_device<int> in(grid, 3), out(std::vector<int>(grid.size(), -1), 1);
    const auto pieces = stencil_reference::cut(l, grid, outside);
    std::vector<std::unique_ptr<on_device<int>>> lines;
    const auto lines_view = [&](const std::vector<int>& values) {
        if (values.empty()) return slot_view{};
        lines.push_back(std::make_unique<on_device<int>>(values, 2));
        return lines.back()->row();
    };
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    std::vector<hood_view> hoods;
    for (const auto& p : pieces) {
        segments.push_back(p.where);
        for (const auto* side : {&in, &out})
            slots.push_back(side->view(p.where.rows, p.where.cols, l.width(), 1, p.first));
        hoods.push_back({lines_view(p.before), lines_view(p.after), &outside});
    }
    work w{r, l.matrix, l.width(), segments, slots};
    w.hoods = hoods;
    std::copy_n(l.n, 3, w.grid);
    w.steps = l.steps;
    w.color = l.color;
    run(w);
    return out.read();
}

template <class F, class Call>
void check(const F& f, const layout& l, const Call& call)
{
    const auto grid = numbers(l.size());
    const auto result = on_the_device(recipe_for(f.source(), l.shape), l, grid);
    const auto expected = stencil_reference::apply(l, grid, outside, call);
    CAPTURE(l);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) wrong += result[i] != expected[i];
    CHECK(wrong == 0);
}

const auto along = SKELRT_FN((sk::hood1<int> u) { return (3 * u(-2) + u[-1] + 7 * u(0) + 5 * u(1)) % 1009; });
const auto five = SKELRT_FN(
    (sk::hood2<int> u) { return (3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -2) + 11 * u(0, -1) + u(0, 1)) % 1009; });
const auto loops = SKELRT_FN((sk::hood2<int> u) {
    int sum = 0;
    for (int r = -1; r <= 1; ++r)
        for (int c = -2; c <= 1; ++c) sum += (r * 3 + c + 10) * u(r, c);
    return sum % 1009;
});
const auto cube = SKELRT_FN((sk::hood3<int> u) {
    return (u(-1, 0, 0) + 3 * u(1, 1, -1) + 5 * u(0, -1, 0) + 7 * u(0, 0, 1) + 11 * u(0, 0, 0)) % 1009;
});

} // namespace

TEST_CASE("hoods along vectors, rows and columns, all borders, cut and uncut", "[opencl][stencil]")
{
    const auto f = [](const auto& p, const layout& l, long z, long y, long x) { return along(p.hood1(l, z, y, x)); };
    for (const unsigned steps : {1, 3})
        for (const int kind : {0, 1, 2}) { // vector, along rows, down columns
            const bool down = kind == 2;
            for (auto l : stencil_reference::layouts(1, down, kind != 0, {0, down ? 2u : 0u, down ? 0u : 2u},
                                                     {0, down ? 1u : 0u, down ? 0u : 1u})) {
                l.steps = steps;
                check(along, l, [&](const auto& p, long z, long y, long x) { return f(p, l, z, y, x); });
            }
        }
}

TEST_CASE("hoods of matrices, all borders, cut and uncut", "[opencl][stencil]")
{
    for (const unsigned steps : {1, 3})
        for (auto l : stencil_reference::layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
            l.steps = steps;
            check(five, l, [&](const auto& p, long z, long y, long x) { return five(p.hood2(l, z, y, x)); });
            check(loops, l, [&](const auto& p, long z, long y, long x) { return loops(p.hood2(l, z, y, x)); });
        }
}

TEST_CASE("hoods of tensors, all borders, cut and uncut", "[opencl][stencil]")
{
    for (const unsigned steps : {1, 2})
        for (auto l : stencil_reference::layouts(3, false, true, {1, 1, 1}, {1, 1, 1})) {
            l.steps = steps;
            check(cube, l, [&](const auto& p, long z, long y, long x) { return cube(p.hood3(l, z, y, x)); });
        }
}

TEST_CASE("red and black take turns", "[opencl][stencil]")
{
    for (const unsigned steps : {1, 2})
        for (const int color : {0, 1})
            for (auto l : stencil_reference::layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
                l.steps = steps;
                l.color = color;
                check(five, l, [&](const auto& p, long z, long y, long x) { return five(p.hood2(l, z, y, x)); });
            }
}

TEST_CASE("reaches wider than the grid, and wider than local memory", "[opencl][stencil]")
{
    for (const unsigned reach : {9u, 1500u})
        for (auto l : stencil_reference::layouts(2, false, true, {0, reach, 2}, {0, 1, reach})) {
            if (l.shape.border == border_rule::none || l.size() > 10000) continue;
            check(five, l, [&](const auto& p, long z, long y, long x) { return five(p.hood2(l, z, y, x)); });
        }
}
