#include "device.hpp"
#include "recipes.hpp"

#include "../stencil_reference.hpp"

#include <algorithm>
#include <memory>

using namespace recipes;
using device::buffer;
using stencil_reference::layout;

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

/// Kernels are specialised on shape and border, and live as long as the process: one recipe for each.
template <class F>
const recipe& recipe_for(const F& f, const stencil_shape& shape)
{
    static std::vector<std::pair<const F*, builder*>> known;
    for (const auto& [function, b] : known)
        if (function == &f && b->get().stencil == shape) return b->get();
    auto& b = *new builder(skeleton::stencil, "stencil");
    b.slots({hood<int>(), element<int>()}).stencil(shape).template call<int>(f, {operand(0)}).template result<int>();
    known.emplace_back(&f, &b);
    return b.get();
}

/// Runs a stencil of one hood over the layout. `shift` takes the elements off the best alignment.
std::vector<int> on_the_device(const recipe& r, const layout& l, const std::vector<int>& grid, std::size_t shift)
{
    const buffer<int> in(grid, shift), out(grid.size(), -1, shift);
    const auto pieces = stencil_reference::cut(l, grid, outside);
    std::vector<std::unique_ptr<buffer<int>>> lines;
    const auto lines_view = [&](const std::vector<int>& values) {
        if (values.empty()) return slot_view{};
        lines.push_back(std::make_unique<buffer<int>>(values));
        return device::flat(lines.back()->data(), values.size());
    };
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    std::vector<hood_view> hoods;
    for (const auto& p : pieces) {
        segments.push_back(p.where);
        for (const auto* side : {&in, &out})
            slots.push_back(device::matrix(side->data() + p.first, p.where.rows, p.where.cols, l.width()));
        hoods.push_back({lines_view(p.before), lines_view(p.after), &outside});
    }
    work w{r, l.matrix, {l.width(), l.n[2], l.n[2]}, segments, slots};
    w.hoods = hoods;
    std::copy_n(l.n, 3, w.grid);
    w.steps = l.steps;
    w.color = l.color;
    cuda::launch(w, nullptr);
    return out.read();
}

template <class F, class Call>
void check(const F& f, const layout& l, const Call& call, std::size_t shift = 0)
{
    const auto grid = numbers(l.size());
    const auto result = on_the_device(recipe_for(f, l.shape), l, grid, shift);
    const auto expected = stencil_reference::apply(l, grid, outside, call);
    CAPTURE(l, shift);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) wrong += result[i] != expected[i];
    CHECK(wrong == 0);
}

const auto along = USER_FUNCTION((sk::hood1<int> u) { return (3 * u(-2) + u[-1] + 7 * u(0) + 5 * u(1)) % 1009; });
const auto five = USER_FUNCTION(
    (sk::hood2<int> u) { return (3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -2) + 11 * u(0, -1) + u(0, 1)) % 1009; });
const auto loops = USER_FUNCTION((sk::hood2<int> u) {
    int sum = 0;
    for (int r = -1; r <= 1; ++r)
        for (int c = -2; c <= 1; ++c) sum += (r * 3 + c + 10) * u(r, c);
    return sum % 1009;
});
const auto cube = USER_FUNCTION((sk::hood3<int> u) {
    return (u(-1, 0, 0) + 3 * u(1, 1, -1) + 5 * u(0, -1, 0) + 7 * u(0, 0, 1) + 11 * u(0, 0, 0)) % 1009;
});

} // namespace

TEST_CASE("stencil: hoods along vectors, rows and columns, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    for (const unsigned steps : {1, 3})
        for (const int kind : {0, 1, 2}) { // vector, along rows, down columns
            const bool down = kind == 2;
            for (auto l : stencil_reference::layouts(1, down, kind != 0, {0, down ? 2u : 0u, down ? 0u : 2u},
                                                     {0, down ? 1u : 0u, down ? 0u : 1u})) {
                l.steps = steps;
                for (const std::size_t shift : {0, 1})
                    check(
                        along, l,
                        [&](const auto& p, long z, long y, long x) { return along.call(p.hood1(l, z, y, x)); }, shift);
            }
        }
}

TEST_CASE("stencil: hoods of matrices, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    for (const unsigned steps : {1, 2, 4})
        for (auto l : stencil_reference::layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
            l.steps = steps;
            for (const std::size_t shift : {0, 1})
                check(
                    five, l, [&](const auto& p, long z, long y, long x) { return five.call(p.hood2(l, z, y, x)); },
                    shift);
            check(loops, l, [&](const auto& p, long z, long y, long x) { return loops.call(p.hood2(l, z, y, x)); });
        }
}

TEST_CASE("stencil: hoods of tensors, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    for (const unsigned steps : {1, 2})
        for (auto l : stencil_reference::layouts(3, false, true, {1, 1, 1}, {1, 1, 1})) {
            l.steps = steps;
            for (const std::size_t shift : {0, 1})
                check(
                    cube, l, [&](const auto& p, long z, long y, long x) { return cube.call(p.hood3(l, z, y, x)); },
                    shift);
        }
}

TEST_CASE("stencil: red and black take turns", "[cuda][gpu][stencil]")
{
    for (const unsigned steps : {1, 2})
        for (const int color : {0, 1})
            for (auto l : stencil_reference::layouts(2, false, true, {0, 1, 2}, {0, 1, 1})) {
                l.steps = steps;
                l.color = color;
                check(five, l, [&](const auto& p, long z, long y, long x) { return five.call(p.hood2(l, z, y, x)); });
            }
}

TEST_CASE("stencil: reaches wider than the grid, and wider than shared memory", "[cuda][gpu][stencil]")
{
    for (const unsigned reach : {9u, 300u})
        for (auto l : stencil_reference::layouts(2, false, true, {0, reach, 2}, {0, 1, reach})) {
            if (l.shape.border == border_rule::none || l.size() > 10000) continue;
            check(five, l, [&](const auto& p, long z, long y, long x) { return five.call(p.hood2(l, z, y, x)); });
        }
}
