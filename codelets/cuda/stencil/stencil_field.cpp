// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

/// What all kernels of a stencil share: positions in a segment, in the grid, and what happens at its edges.
namespace skelrt::detail::cuda
{
namespace
{

constexpr const char* places = R"cuda(
/// A position in the grid.
struct place {
    long z, y, x;
};

inline place place_of(const field& f, long z, long y, long x)
{
    return {f.first[0] + z, f.first[1] + y, f.first[2] + x};
}

inline bool in_grid(const sweep& c, const place& at)
{
    return (unsigned long)at.z < (unsigned long)c.grid[0] && (unsigned long)at.y < (unsigned long)c.grid[1] &&
           (unsigned long)at.x < (unsigned long)c.grid[2];
}

template <int Axis> inline bool leaves_on(const sweep& c, long i)
{
    return i < reach_before[Axis] || i + reach_after[Axis] >= c.grid[Axis];
}

/// Whether the hood around the position reaches over an edge of the grid.
inline bool leaves_grid(const sweep& c, const place& at)
{
    return leaves_on<0>(c, at.z) || leaves_on<1>(c, at.y) || leaves_on<2>(c, at.x);
}

template <int Axis> inline long wrapped_on(const sweep& c, long i)
{
    if (reach_before[Axis] + reach_after[Axis] == 0 || (unsigned long)i < (unsigned long)c.grid[Axis]) return i;
    return (i % c.grid[Axis] + c.grid[Axis]) % c.grid[Axis];
}

/// The position that a cyclic grid has there.
inline place wrapped(const sweep& c, const place& at)
{
    return {wrapped_on<0>(c, at.z), wrapped_on<1>(c, at.y), wrapped_on<2>(c, at.x)};
}

/// Whether step number t (from 0) leaves the position as it is.
inline bool keeps(const sweep& c, const place& at, int t)
{
    if (border == border_rule::none && leaves_grid(c, at)) return true;
    return c.color >= 0 && ((at.z + at.y + at.x + c.color + t) & 1) != 0;
}

inline result_type evaluate_at(const element& e, const uniforms& u, const sweep& c, const place& at)
{
    if (rank == 3) return evaluate(e, u, at.z, at.y * c.grid[2] + at.x);
    return evaluate(e, u, at.y - c.corner[1], at.x - c.corner[2]);
}

/// Whether column x of a segment's lines is one of the call's.
inline bool in_columns(const sweep& c, long x) { return x >= c.columns[0] && x < c.columns[1]; }

inline space space_of(const field& f, const sweep& c)
{
    return {{f.n[0], f.n[1], f.n[2]}, rank == 3 ? 0 : rank == 2 || down ? 1 : int(c.cut)};
}
)cuda";

/// The function of a stencil that keeps elements is a part of what is evaluated.
constexpr const char* evaluate_at_edges = R"cuda(
#define SKELRT_KEEPS_WITHIN
inline result_type evaluate_edge_at(const element& e, const uniforms& u, const sweep& c, const place& at)
{
    if (rank == 3) return evaluate_at_edge(e, u, at.z, at.y * c.grid[2] + at.x);
    return evaluate_at_edge(e, u, at.y - c.corner[1], at.x - c.corner[2]);
}
)cuda";

template <class Is>
std::string for_slots(const recipe& what, std::size_t first, std::size_t last, Is is, const std::string& form,
                      const std::string& between)
{
    std::string text;
    for (std::size_t k = first; k < last; ++k) {
        if (!is(what.slots[k].kind)) continue;
        if (!text.empty()) text += between;
        for (const char c : form) text += c == '#' ? std::to_string(k) : std::string(1, c);
    }
    return text;
}

} // namespace

std::string for_each_slot(const recipe& what, slot_kind kind, const std::string& form, const std::string& between)
{
    const std::size_t inputs = what.slots.size() - (has_result_slot(what.kind) ? 1 : 0);
    return for_slots(
        what, 0, inputs, [=](slot_kind k) { return k == kind; }, form, between);
}

std::string for_each_hood(const recipe& what, const std::string& form, const std::string& between)
{
    return for_slots(what, 0, what.slots.size() - 1, sees_hood, form, between);
}

std::string for_each_surrounded(const recipe& what, const std::string& form, const std::string& between)
{
    return for_slots(what, 0, what.slots.size() - 1, has_surroundings, form, between);
}

std::string for_each_source(const recipe& what, const hood_map& map, const std::string& form,
                            const std::string& between)
{
    return for_slots(
        what, map.first, map.slot, [](slot_kind k) { return k == slot_kind::hood_source; }, form, between);
}

std::string element_list(const recipe& what, const std::string& hood, const std::string& mapped,
                         const std::string& other)
{
    std::string text;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const slot_kind kind = what.slots[k].kind;
        if (!sees_hood(kind) && kind != slot_kind::element) continue;
        if (!text.empty()) text += ", ";
        for (const char c : kind == slot_kind::hood ? hood : kind == slot_kind::mapped_hood ? mapped : other)
            if (c == '#') text += std::to_string(k);
            else if (c == '@')
                text += "skelrt::hood" + std::to_string(what.stencil.rank) + "<skelrt_t" + std::to_string(k) + ">";
            else text += c;
    }
    return text;
}

bool keeps_elements(const recipe& what)
{
    return !keeps_within(what) && what.slots[first_hood(what)].type == what.result;
}

std::string stencil_field_text(const recipe& what, unsigned threads)
{
    std::string text = "namespace skelrt::generated\n{\n";
    text += "constexpr int threads = " + std::to_string(threads) +
            ";\n/// Blocks that a processor runs at once, for as many threads as in so many blocks of the usual size.\n"
            "constexpr int resident(int blocks)\n{\n    const int fit = blocks * " +
            std::to_string(block_threads) + " / threads;\n    return fit < 1 ? 1 : fit > 32 ? 32 : fit;\n}\n";
    const bool constant = what.stencil.border == border_rule::constant;
    const auto around = [](const std::string& outside) {
        return "inline around<skelrt_t#> around_s#(const field& f, const uniforms& u)\n{\n"
               "    return {f.s#.data, f.s#.before, f.s#.after, " +
               outside + "};\n}\n";
    };
    text += for_each_slot(what, slot_kind::hood, around(constant ? "&u.s#_border" : "nullptr"), "");
    // What maps would make of the elements beyond a constant border is nowhere used: any element will do.
    for (const hood_map& m : what.hood_maps) text += for_each_source(what, m, around("f.s#.data"), "");
    text += places;
    if (keeps_within(what)) text += evaluate_at_edges;
    return text + "} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
