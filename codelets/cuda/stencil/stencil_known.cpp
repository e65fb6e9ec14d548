// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"
#include "codelets/cuda/stencil/stencil.hpp"

#include "src/function/cuda/cuda.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

/// Filters whose functions loop as far as their hoods reach, which an argument or the size of a matrix of weights says:
/// compilers unroll loops, and load once what neighbours share, only where they know how often these go round. The
/// reach of the hoods is a constant of the kernel. Where the arguments agree with it, so are they.
namespace skelrt::detail::cuda
{
namespace
{

bool is_whole_number(std::string_view type)
{
    constexpr std::array<std::string_view, 6> all{"int",           "unsigned int", "long",
                                                  "unsigned long", "long long",    "unsigned long long"};
    return std::ranges::find(all, type) != all.end();
}

/// The first whole number among the arguments.
std::optional<std::size_t> count_slot(const recipe& what)
{
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k)
        if (what.slots[k].kind == slot_kind::uniform && is_whole_number(what.slots[k].type)) return k;
    return {};
}

} // namespace

std::size_t even_reach(const stencil_shape& shape)
{
    const std::size_t reach = shape.before[1];
    const std::array sides{shape.after[1], shape.before[2], shape.after[2]};
    return shape.rank == 2 && std::ranges::all_of(sides, [=](auto side) { return side == reach; }) ? reach : 0;
}

std::string stencil_known_text(const recipe& what)
{
    const auto is_matrix = [](const slot_type& s) { return s.kind == slot_kind::mat; };
    const std::size_t reach = even_reach(what.stencil);
    if (reach == 0 || !loops(what) || !(count_slot(what) || std::ranges::any_of(what.slots, is_matrix))) return {};
    const std::string width = std::to_string(2 * reach + 1);
    std::string agree, set;
    if (const auto k = count_slot(what)) {
        const std::string slot = "u.s" + std::to_string(*k);
        agree = slot + " == " + std::to_string(reach);
        set = "    " + slot + " = " + std::to_string(reach) + ";\n";
    }
    const std::string weights =
        for_each_slot(what, slot_kind::mat,
                      "u.s#.rows() == " + width + " && u.s#.cols() == " + width + " && u.s#.ld() == " + width, " && ");
    if (!weights.empty()) agree += (agree.empty() ? "" : " && ") + weights;
    set += for_each_slot(
        what, slot_kind::mat,
        "    u.s# = skelrt::mat<skelrt_t#>(u.s#.data(), " + width + ", " + width + ", " + width + ");\n", "");
    return "#define SKELRT_KNOWN 1\ninline bool has_known_counts(const uniforms& u) { return " + agree +
           "; }\ninline uniforms with_known_counts(uniforms u)\n{\n" + set + "    return u;\n}\n";
}

} // namespace skelrt::detail::cuda
