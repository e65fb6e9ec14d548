// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/index_fault.hpp"

#include <skelrt/detail/index_checks.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace skelrt::detail
{
namespace
{

/// The function that sees a slot: library functions have a name in place of a file.
std::string function_of(const recipe& what, std::uint64_t slot)
{
    for (const function_call& f : what.calls)
        for (const argument& a : f.arguments) {
            if (a.kind != argument_kind::slot || a.which != slot) continue;
            const std::string_view file = f.function->file;
            if (file.starts_with("sk::")) return std::string{file};
            return fmt::format("the function in {}:{}", file, f.function->line);
        }
    return "a function";
}

std::string position_text(const index_fault& f)
{
    const std::string flat = fmt::format("element {}", f.row * f.width + f.col);
    return f.row == 0 ? flat : fmt::format("{} (row {}, column {})", flat, f.row, f.col);
}

std::string hood_text(const recipe& what, const index_fault& f)
{
    const stencil_shape& s = what.stencil;
    const int first = s.rank == 1 ? (s.down ? 1 : 2) : 3 - s.rank; // of the axes along which the hood goes
    std::string index, from, to;
    for (int axis = first; axis < first + s.rank; ++axis) {
        const char* const comma = axis > first ? ", " : "";
        index += fmt::format("{}{}", comma, f.index[s.rank == 1 ? 2 : axis]);
        from += fmt::format("{}{}", comma, -static_cast<long>(s.before[axis]));
        to += fmt::format("{}{}", comma, s.after[axis]);
    }
    return fmt::format(
        "reads ({}) of operand {}, an sk::hood{}<{}> that reaches from ({}) to ({}); sk::reach says how far", index,
        f.slot + 1, s.rank, what.slots[f.slot].type, from, to);
}

const char* change_text(accumulate_rule rule)
{
    return rule == accumulate_rule::add ? "adds to" : rule == accumulate_rule::write ? "sets" : "changes";
}

/// Such an index is that of a second writer.
bool is_inside(const index_fault& f) { return static_cast<std::uint64_t>(f.index[0]) < f.size[0]; }

std::string access_text(const recipe& what, const index_fault& f)
{
    const slot_type& slot = what.slots[f.slot];
    if (sees_hood(slot.kind)) return hood_text(what, f);
    if (slot.kind == slot_kind::mat)
        return fmt::format("reads ({}, {}) of operand {}, an sk::mat<{}> of {} x {} elements", f.index[0], f.index[1],
                           f.slot + 1, slot.type, f.size[0], f.size[1]);
    if (slot.kind == slot_kind::accumulator)
        return fmt::format("{} index {} of operand {}, an sk::{}<{}> of {} elements{}", change_text(slot.rule),
                           f.index[0], f.slot + 1, name_of(slot.rule), slot.type, f.size[0],
                           is_inside(f) ? ", which is set already; a call sets each element at most once" : "");
    return fmt::format("reads index {} of operand {}, an sk::vec<{}> of {} elements", f.index[0], f.slot + 1, slot.type,
                       f.size[0]);
}

} // namespace

bool checks_indices(const recipe& what)
{
    return checks_bounds() && std::ranges::any_of(what.slots, [&](const slot_type& s) {
               // all_pairs takes the rows of its sides apart itself
               if (what.kind == skeleton::all_pairs && moves(s.kind)) return false;
               return sees_vec(s.kind) || sees_hood(s.kind) || s.kind == slot_kind::mat ||
                      s.kind == slot_kind::accumulator;
           });
}

std::size_t writer_bytes_of(const recipe& what, std::size_t elements)
{
    return what.rule == accumulate_rule::write && checks_bounds() ? writer_bytes(elements) : 0;
}

void throw_index_fault(const recipe& what, const index_fault& fault)
{
    throw bounds_error(fmt::format("{}: at {} of the call {} {}", what.name, position_text(fault),
                                   function_of(what, fault.slot), access_text(what, fault)));
}

} // namespace skelrt::detail
