// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/shape.hpp"
#include "codelets/cuda/stencil/stencil.hpp"
#include "src/function/signature.hpp"

#include <skelrt/detail/hoods.hpp>

#include <algorithm>
#include <array>
#include <vector>

/// Which stencils keep their hoods in registers.
namespace skelrt::detail::cuda
{
namespace
{

constexpr unsigned lanes = warp_lanes;

/// Registers for windows and for slices that are read ahead; addresses and the function itself need some, too, and 128
/// in all let a processor run sixteen warps.
constexpr std::size_t most_slice_registers = 96;

/// Copies of the user's functions in the kernel, counted in tokens: more take long to build and leave the caches.
constexpr std::size_t most_strip_tokens = 40'000;

/// Every hood is used at constant distances: others would take registers for an array.
bool at_constant_distances(const recipe& what)
{
    return std::ranges::all_of(what.calls, [&](const function_call& call) {
        std::vector<int> ranks;
        for (const argument& a : call.arguments)
            ranks.push_back(a.kind == argument_kind::slot && sees_hood(what.slots[a.which].kind) ? what.stencil.rank
                                                                                                 : 0);
        return scan_hoods(*call.function, ranks.data(), ranks.size()).literal;
    });
}

const slot_type& hood_of(const recipe& what)
{
    return *std::ranges::find_if(what.slots, [](const slot_type& s) { return s.kind == slot_kind::hood; });
}

std::size_t element_slots(const recipe& what)
{
    return static_cast<std::size_t>(
               std::ranges::count_if(what.slots, [](const slot_type& s) { return s.kind == slot_kind::element; })) -
           1; // the result is none that is read
}

/// Reach along slices, along the rows of a slice, along columns.
struct reaches {
    unsigned s_before, s_after, m, x_before, x_after;
};

reaches reaches_of(const stencil_shape& s)
{
    const bool volume = s.rank == 3;
    const int along = volume ? 0 : 1;
    return {s.before[along], s.after[along], volume ? s.before[1] + s.after[1] : 0, s.before[2], s.after[2]};
}

unsigned idle(unsigned reach, unsigned steps, unsigned pack) { return (steps * reach + pack - 1) / pack; }

/// Slices read ahead and in the loop's body. A body of as many slices as the window has leaves its values where they
/// are.
void choose_depth(stream_shape& shape, unsigned ring, std::size_t slice_bytes)
{
    const auto depth = static_cast<unsigned>(std::clamp<std::size_t>(64 / slice_bytes, 1, 4));
    if (ring == 1 || ring > 4) {
        shape.depth = shape.unroll = depth;
        return;
    }
    shape.unroll = ring;
    shape.depth = depth >= ring ? ring : depth >= 2 && ring == 4 ? 2 : 1;
}

} // namespace

bool numbers_at_constant_distances(const recipe& what)
{
    const auto fits = [](const slot_type& slot) {
        const bool in_registers =
            slot.kind == slot_kind::element || has_surroundings(slot.kind) || sees_hood(slot.kind);
        return !in_registers || is_plain_number(slot.type);
    };
    return std::ranges::all_of(what.slots, fits) && at_constant_distances(what);
}

std::optional<stream_shape> shape_stream(const recipe& what, unsigned steps)
{
    if (count_hoods(what) != 1 || !numbers_at_constant_distances(what)) return std::nullopt;
    const reaches reach = reaches_of(what.stencil);
    const std::size_t size = hood_of(what).size, words = (size + 3) / 4;
    const std::size_t largest = std::max<std::size_t>(size, what.result_size);
    stream_shape shape;
    shape.pack = static_cast<unsigned>(std::clamp<std::size_t>(widest_access / largest, 1, most_pack));
    const unsigned ring = reach.s_before + 1 + reach.s_after, window_x = reach.x_before + shape.pack + reach.x_after;
    for (shape.rows = what.stencil.rank == 3 ? 2 : 1; shape.rows > 0; --shape.rows) {
        const std::size_t rows = shape.rows + std::size_t{steps} * reach.m;
        choose_depth(shape, ring, rows * shape.pack * size);
        std::size_t registers = (rows + element_slots(what) * shape.rows) * shape.pack * words * shape.depth;
        for (unsigned t = 0; t < steps; ++t)
            registers += (shape.rows + std::size_t{steps - t} * reach.m) * ring * window_x * words;
        shape.tokens = std::size_t{shape.unroll} * steps * rows * shape.pack * tokens_of(what);
        if (registers <= most_slice_registers && shape.tokens <= most_strip_tokens) break;
    }
    if (shape.rows == 0) return std::nullopt;
    const unsigned helpers = idle(reach.x_before, steps, shape.pack) + idle(reach.x_after, steps, shape.pack);
    if (helpers > lanes / 2) return std::nullopt; // most lanes would only help
    return shape;
}

std::size_t strip_columns(const recipe& what, const stencil_plan& plan)
{
    const reaches reach = reaches_of(what.stencil);
    const unsigned pack = plan.stream.pack;
    return std::size_t{pack} * (lanes - idle(reach.x_before, plan.steps, pack) - idle(reach.x_after, plan.steps, pack));
}

} // namespace skelrt::detail::cuda
