// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/stencil/lockstep_shape.hpp"
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "src/function/cuda/lockstep.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <algorithm>

/// What threads and blocks of stencil_lockstep.cpp compute, and the shared memory that this takes.
namespace skelrt::detail::cuda
{

std::size_t hood_width(const recipe& what) { return 2 * even_reach(what.stencil) + 1; }

std::size_t weights_line(const recipe& what, std::size_t size)
{
    return rounded_up(hood_width(what) * size, widest_access) / size;
}

std::size_t weights_bytes(const recipe& what, std::size_t size)
{
    return hood_width(what) * weights_line(what, size) * size;
}

namespace
{

/// A group of columns that would leave threads beside each other the same banks is followed by so many bytes.
constexpr std::size_t gap_bytes = 16, bank_bytes = 128;

std::size_t gap_of(const lockstep_shape& shape, std::size_t size)
{
    return shape.columns * size % (2 * gap_bytes) == 0 ? gap_bytes / size : 0;
}

/// Elements from a row of a tile to the next: such that banks go on as if the threads of the next row stood beside
/// those of this one.
std::size_t patch_pitch(const recipe& what, const lockstep_shape& shape, std::size_t size)
{
    const std::size_t columns = shape.across * shape.columns + hood_width(what) - 1;
    const std::size_t gap = gap_of(shape, size), seen = columns + columns / shape.columns * gap;
    const std::size_t step = shape.across * (shape.columns + gap) * size % bank_bytes;
    std::size_t bytes = rounded_up(seen * size, bank_bytes) + step;
    if (bytes >= bank_bytes + seen * size) bytes -= bank_bytes;
    return bytes / size;
}

std::size_t tile_bytes_of(const recipe& what, const lockstep_shape& shape, unsigned block, std::size_t size)
{
    const std::size_t rows = block / shape.across * shape.rows + hood_width(what) - 1;
    return rounded_up(rows * patch_pitch(what, shape, size) * size, widest_access);
}

std::size_t shared_bytes_of(const recipe& what, const lockstep_shape& shape, unsigned block)
{
    std::size_t bytes = 0;
    for (const slot_type& s : what.slots)
        if (s.kind == slot_kind::hood) bytes += tile_bytes_of(what, shape, block, s.size);
        else if (s.kind == slot_kind::mat) bytes += weights_bytes(what, s.size);
    return bytes;
}

/// Bytes of the largest number that moves with the position.
std::size_t largest_number(const recipe& what)
{
    std::size_t size = what.result_size;
    for (const slot_type& s : what.slots)
        if (s.kind == slot_kind::hood || s.kind == slot_kind::element) size = std::max<std::size_t>(size, s.size);
    return size;
}

/// What threads may compute, the best first. Where all loops can be unrolled, rows share what they read, too; else only
/// what innermost loops go along. Less for a thread is less for a block, whose tile then has room.
std::vector<lockstep_shape> lockstep_shapes(const recipe& what, bool down)
{
    constexpr std::size_t few_reads = 1024; // of unrolled code
    constexpr unsigned rows = 4;
    const auto word =
        static_cast<unsigned>(std::clamp<std::size_t>(widest_access / largest_number(what), 1, most_pack));
    std::vector<lockstep_shape> shapes;
    if (hood_width(what) * hood_width(what) * rows * word <= few_reads)
        shapes.push_back({rows, word, warp_lanes, true});
    for (const unsigned words : {4U, 2U, 1U})
        if (down) shapes.push_back({words * word, 1, warp_lanes, false});
        else shapes.push_back({1, words * word, 16 / words, false});
    return shapes;
}

} // namespace

std::size_t patch_tile_bytes(const recipe& what, const stencil_plan& plan, std::size_t size)
{
    return tile_bytes_of(what, plan.lockstep, plan.block, size);
}

std::optional<lockstep_shape> shape_lockstep(const recipe& what, unsigned block)
{
    constexpr std::size_t sure_bytes = 48 << 10, most_tokens = 40'000;
    if (checks_bounds() || keeps_within(what) || even_reach(what.stencil) == 0) return {};
    const auto text = read_lockstep(what);
    if (!text) return {};
    for (const lockstep_shape& s : lockstep_shapes(what, text->down)) {
        const std::size_t copies = s.rows * s.columns * hood_width(what) * (s.unrolled ? hood_width(what) : 1);
        if (shared_bytes_of(what, s, block) <= sure_bytes && copies * text->tokens <= most_tokens) return s;
    }
    return {};
}

std::array<std::size_t, 3> lockstep_block(const stencil_plan& plan)
{
    const lockstep_shape& s = plan.lockstep;
    return {1, std::size_t{plan.block} / s.across * s.rows, std::size_t{s.across} * s.columns};
}

std::size_t lockstep_bytes(const recipe& what, const stencil_plan& plan)
{
    return shared_bytes_of(what, plan.lockstep, plan.block);
}

std::string lockstep_constants(const recipe& what, const stencil_plan& plan)
{
    if (plan.hoods != hood_place::patch) return {};
    const lockstep_shape& s = plan.lockstep;
    const auto number = [](std::size_t n) { return std::to_string(n); };
    std::string text = "namespace skelrt::generated\n{\nconstexpr int own_y = " + number(s.rows) +
                       ", own_x = " + number(s.columns) + ", across = " + number(s.across) +
                       ";\ntemplate <size_t Size> constexpr int gap = 0;\n"
                       "template <size_t Size> constexpr int pitch = 0;\n";
    for (const std::size_t size : {1, 2, 4, 8})
        text += "template <> constexpr int gap<" + number(size) + "> = " + number(gap_of(s, size)) +
                ";\ntemplate <> constexpr int pitch<" + number(size) + "> = " + number(patch_pitch(what, s, size)) +
                ";\n";
    return text + "} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
