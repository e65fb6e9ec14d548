// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/replay/play.hpp"

#include <string>
#include <utility>
#include <vector>

/// Recordings that no program made.
namespace made_up
{

using namespace skelrt::detail;

/// 2 us a value, 10 us a message, 1 us one more, 0.001 us a byte, 0.0005 us a byte copied.
inline network_peaks network()
{
    const auto f = [](double value) { return fact{value, source::assumed}; };
    return {f(2), f(10), f(1), f(1000), f(2000)};
}

/// Containers of doubles.
inline recorded_container vector(std::size_t n) { return {1, n, 8, false, true}; }
inline recorded_container matrix(std::size_t rows, std::size_t cols) { return {rows, cols, 8, true, true}; }

inline recorded_recipe recipe_of(skeleton kind, const std::vector<slot_kind>& slots)
{
    recorded_recipe r{kind, "made up", 1, {}, 8, {}};
    for (const slot_kind s : slots) r.slots.push_back({s, 8});
    return r;
}

/// Four neighbours.
inline recorded_recipe cross(border_rule border)
{
    recorded_recipe r = recipe_of(skeleton::stencil, {slot_kind::hood, slot_kind::element});
    r.stencil.rank = 2;
    for (const int axis : {1, 2}) r.stencil.before[axis] = r.stencil.after[axis] = 1;
    r.stencil.border = border;
    return r;
}

inline recorded_operand whole(const recording& r, std::size_t container)
{
    const recorded_container& c = r.containers[container];
    return {container, 0, c.rows, c.cols, c.cols, 1};
}

/// One call of a recipe on these containers, all of them whole, whose space is the first one's; an element takes 1 ns.
inline recording one_call(recorded_recipe what, std::vector<recorded_container> containers,
                          const std::vector<std::size_t>& operands)
{
    recording r{"nowhere", {std::move(what)}, std::move(containers), {}, {}};
    const recorded_container& first = r.containers[operands[0]];
    recorded_call c;
    c.matrix = first.whole_rows;
    c.rank = first.whole_rows ? 2 : 1;
    c.rows = first.rows, c.cols = first.cols;
    for (const std::size_t o : operands) c.operands.push_back(whole(r, o));
    r.costs.push_back({0, c.rows * c.cols, "team", 0, 1e-3, true});
    r.calls.push_back(std::move(c));
    return r;
}

/// So many steps of a stencil, forth and back between two matrices.
inline recording steps(std::size_t rows, std::size_t cols, std::size_t count, border_rule border)
{
    recording r = one_call(cross(border), {matrix(rows, cols), matrix(rows, cols)}, {0, 1});
    recorded_call back = r.calls[0];
    std::swap(back.operands[0], back.operands[1]);
    for (std::size_t k = 1; k < count; ++k) r.calls.push_back(k % 2 == 1 ? back : r.calls[0]);
    return r;
}

} // namespace made_up
