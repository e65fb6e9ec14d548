// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/shape.hpp"

#include "src/function/cuda/cuda.hpp"

#include <algorithm>
#include <bit>

namespace skelrt::detail::cuda
{
namespace
{

constexpr std::size_t word = 16; ///< bytes that one thread loads at once, at best

bool asks_for(const recipe& what, argument_kind kind)
{
    const auto wants = [kind](const argument& a) { return a.kind == kind; };
    return wants(what.root) || std::ranges::any_of(what.calls, [&](const function_call& call) {
               return std::ranges::any_of(call.arguments, wants);
           });
}

bool aligned(const slot_view& view) { return reinterpret_cast<std::uintptr_t>(view.data) % word == 0; }

/// Calls f for the element operands of a segment, a map's result among them, until one answers false.
template <class F>
bool all_operands(const work& what, std::size_t s, const kernel_shape& shape, const F& f)
{
    for (const unsigned k : shape.inputs)
        if (!f(what.slot(s, k), what.what.slots[k].size)) return false;
    const std::size_t last = what.what.slots.size() - 1;
    return !has_result_slot(what.what.kind) || f(what.slot(s, last), what.what.slots[last].size);
}

/// Inputs that may be transposed matrices. None where tiles of all of them would keep other blocks away.
std::vector<unsigned> turned_inputs(const recipe& what, const std::vector<unsigned>& inputs)
{
    constexpr std::size_t most_bytes = 32; // of the elements at a position
    std::vector<unsigned> turned;
    std::size_t bytes = 0;
    for (const unsigned k : inputs)
        if (what.slots[k].kind == slot_kind::column_element) turned.push_back(k), bytes += what.slots[k].size;
    return what.kind == skeleton::map && bytes <= most_bytes ? turned : std::vector<unsigned>();
}

} // namespace

std::vector<unsigned> kernel_shape::straight() const
{
    std::vector<unsigned> all;
    for (const unsigned k : inputs)
        if (std::ranges::find(turned, k) == turned.end()) all.push_back(k);
    return all;
}

kernel_shape shape_of(const recipe& what)
{
    kernel_shape shape;
    const std::size_t slots = has_result_slot(what.kind) ? what.slots.size() - 1 : what.slots.size();
    std::size_t largest = has_result_slot(what.kind) ? what.result_size : 1, bytes = 0;
    for (unsigned k = 0; k < slots; ++k) {
        if (!moves(what.slots[k].kind) || has_surroundings(what.slots[k].kind))
            continue; // hoods have words of their own
        shape.inputs.push_back(k);
        if (what.slots[k].kind == slot_kind::output) shape.outputs.push_back(k);
        shape.pairs = shape.pairs || what.slots[k].kind != slot_kind::element;
        largest = std::max<std::size_t>(largest, what.slots[k].size);
        bytes += what.slots[k].size;
    }
    shape.index1 = asks_for(what, argument_kind::index1) || asks_for(what, argument_kind::random);
    shape.index2 = asks_for(what, argument_kind::index2) || asks_for(what, argument_kind::index3) ||
                   asks_for(what, argument_kind::index4);
    shape.loops = loops(what);
    shape.turned = turned_inputs(what, shape.inputs);
    if (largest <= 4) shape.turned_side = 64;

    // The widest operand fills a word; narrower ones then stay coalesced with smaller words.
    if (!shape.loops) shape.pack = static_cast<unsigned>(std::bit_floor(std::max<std::size_t>(word / largest, 1)));
    // Two packs a thread hide the memory's latency; four and eight were no faster on an H100, and slower where operands
    // are strided, for the registers that they take.
    const std::size_t per_pack = std::max<std::size_t>(bytes * shape.pack, word);
    shape.in_flight = static_cast<unsigned>(std::bit_floor(std::clamp<std::size_t>(8 * word / per_pack, 1, 2)));
    if (shape.loops) shape.in_flight = 1;
    return shape;
}

access access_of(const work& what, std::size_t s, const kernel_shape& shape)
{
    const segment& where = what.segments[s];
    const bool positions_fit = where.rows == 1 || (!shape.index2 && (!shape.index1 || where.cols == what.width));
    const auto contiguous = [&](const slot_view& view, std::size_t) {
        return (view.stride == 1 || where.cols == 1) && (where.rows == 1 || view.ld == where.cols);
    };
    if (shape.pairs || !positions_fit || !all_operands(what, s, shape, contiguous)) return access::strided;
    if (shape.loops) return access::linear;
    const bool words = all_operands(what, s, shape, [](const slot_view& view, std::size_t) { return aligned(view); });
    return words ? access::packed : access::linear;
}

access row_access_of(const work& what, std::size_t s, const kernel_shape& shape)
{
    const segment& where = what.segments[s];
    const auto contiguous = [&](const slot_view& view, std::size_t) { return view.stride == 1 || where.cols == 1; };
    if (shape.pairs || !all_operands(what, s, shape, contiguous)) return access::strided;
    if (shape.loops) return access::linear;
    const bool words = all_operands(what, s, shape, [&](const slot_view& view, std::size_t size) {
        return aligned(view) && (where.rows == 1 || view.ld * size % word == 0);
    });
    return words ? access::packed : access::linear;
}

} // namespace skelrt::detail::cuda
