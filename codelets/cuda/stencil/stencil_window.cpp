// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include <algorithm>

/// One step of a stencil at constant distances: a thread loads all that the hoods of its patch see into registers, in
/// words of 16 bytes wherever lines allow it, makes the border there, and computes. A warp has neighbouring columns, so
/// what threads share comes from the first cache.
namespace skelrt::detail::cuda
{
namespace
{

/// Registers for what hoods see; two blocks should run on a processor at once.
constexpr std::size_t most_window_registers = 96;
/// Copies of the user's functions in the kernel, counted in tokens.
constexpr std::size_t most_patch_tokens = 20'000;
/// Up to so many, patches that lie wholly in the segment have copies of their own.
constexpr std::size_t few_patch_tokens = 8'000;

constexpr const char* window_kernel = R"cuda(
/// What the hoods of a patch see.
template <class T> struct window {
    T v[window_z][window_y][window_x];

    skelrt::SKELRT_HOOD<T> hood(int s, int r, int k) const
    {
        const T* const at = &v[s + reach_before[0]][r + reach_before[1]][lead + k];
        if (rank == 3) return {at, window_y * window_x, window_x};
        return {at, 0, window_x};
    }
};

/// The element at column i of a line, which lies beyond its ends.
template <class T> inline T beyond(const around<T>& from, const space& s, const T* line, long i)
{
    const long n = s.n[2];
    if (s.cut == 2) { // no further than the elements in front and behind go
        const long low = -reach_before[2], high = n - 1 + reach_after[2];
        return from.at(s, 0, 0, i < low ? low : i > high ? high : i);
    }
    if (border == border_rule::constant) return *from.outside;
    if (border == border_rule::cyclic) return line[(i % n + n) % n];
    return line[i < 0 ? 0 : n - 1];
}

inline constexpr bool is_seen(int i) { return i >= lead - reach_before[2] && i < lead + pack_x + reach_after[2]; }

template <class T> inline void load_words(T (&to)[window_x], int i, const T* from)
{
    pack<T, pack_x> all;
    all.load(from);
    #pragma unroll
    for (int k = 0; k < pack_x; ++k) to[i + k] = all.get(k);
}

/// Columns x - lead and following of line (z, y).
template <class T>
inline void load_line(T (&to)[window_x], const around<T>& from, const space& s, long z, long y, long x, bool aligned)
{
    const long n = s.n[2];
    const T* const line = s.cut == 2 ? from.data : from.row(s, z, y);
    if (border == border_rule::constant && line == nullptr) {
        #pragma unroll
        for (int i = 0; i < window_x; ++i) to[i] = *from.outside;
        return;
    }
    #pragma unroll
    for (int i = 0; i < window_x; i += pack_x) {
        const long first = x - lead + i;
        if (aligned && first >= 0 && first + pack_x <= n) {
            generated::load_words(to, i, line + first);
            continue;
        }
        #pragma unroll
        for (int k = i; k < i + pack_x; ++k) {
            if (!is_seen(k)) continue;
            const long column = x - lead + k;
            if ((unsigned long)column < (unsigned long)n) to[k] = line[column];
            else to[k] = generated::beyond(from, s, line, column);
        }
    }
}

/// Whether all lines that a patch sees on this axis lie in the segment.
template <int Axis> inline bool lies_in(const field& f, long first, int own)
{
    return first >= reach_before[Axis] && first + own + reach_after[Axis] <= f.n[Axis];
}

/// Whether all lines that a patch sees on this axis are there, those in front of the segment and behind it included.
template <int Axis, class T> inline bool lines_on(const around<T>& from, const field& f, long first, int own)
{
    const bool low = first >= reach_before[Axis] || (Axis == axis_s && from.before != nullptr);
    const bool high = first + own + reach_after[Axis] <= f.n[Axis] ||
                      (Axis == axis_s && from.after != nullptr && first + own <= f.n[Axis]);
    return low && high;
}

/// Line (z, y), which is there.
template <class T> inline const T* line_at(const around<T>& from, const field& f, long z, long y)
{
    const long n = f.n[axis_s], pitch = rank == 3 ? f.n[1] * f.n[2] : f.n[2];
    const T* lines = from.data;
    long s = rank == 3 ? z : y;
    if (reach_before[axis_s] > 0 && s < 0) lines = from.before, s += reach_before[axis_s];
    if (reach_after[axis_s] > 0 && s >= n) lines = from.after, s -= n;
    return lines + (s * pitch + (rank == 3 ? y * f.n[2] : 0));
}

template <bool Inside, class T>
inline void load_window(window<T>& to, const around<T>& from, const space& s, const field& f, long z, long y, long x)
{
    const long n = f.n[2];
    const bool whole_lines = Inside || (x >= lead && x + pack_x + trail <= n);
    if (Inside || (f.aligned && whole_lines && lies_in<0>(f, z, own_z) && lies_in<1>(f, y, own_y))) { // most patches
        const T* const first = from.data + (((z - reach_before[0]) * f.n[1] + y - reach_before[1]) * n + x - lead);
        #pragma unroll
        for (int j = 0; j < window_z; ++j)
            #pragma unroll
            for (int r = 0; r < window_y; ++r) {
                const T* const line = first + (j * f.n[1] + r) * n;
                #pragma unroll
                for (int i = 0; i < window_x; i += pack_x) generated::load_words(to.v[j][r], i, line + i);
            }
        return;
    }
    // Without a question in between, so that all loads are on their way together.
    if (f.aligned && (whole_lines || s.cut != 2) && generated::lines_on<0>(from, f, z, own_z) &&
        generated::lines_on<1>(from, f, y, own_y)) {
        #pragma unroll
        for (int j = 0; j < window_z; ++j)
            #pragma unroll
            for (int r = 0; r < window_y; ++r) {
                const T* const line = generated::line_at(from, f, z - reach_before[0] + j, y - reach_before[1] + r);
                #pragma unroll
                for (int i = 0; i < window_x; i += pack_x) {
                    const long first = x - lead + i, last = n - pack_x;
                    generated::load_words(to.v[j][r], i, line + (first < 0 ? 0 : first > last ? last : first));
                }
            }
        if (whole_lines) return;
        #pragma unroll
        for (int j = 0; j < window_z; ++j)
            #pragma unroll
            for (int r = 0; r < window_y; ++r) {
                const T* const line = generated::line_at(from, f, z - reach_before[0] + j, y - reach_before[1] + r);
                #pragma unroll
                for (int i = 0; i < window_x; ++i)
                    if (is_seen(i) && (i < lead || i >= lead + pack_x))
                        if ((unsigned long)(x - lead + i) >= (unsigned long)n)
                            to.v[j][r][i] = generated::beyond(from, s, line, x - lead + i);
            }
        return;
    }
    #pragma unroll
    for (int j = 0; j < window_z; ++j)
        #pragma unroll
        for (int r = 0; r < window_y; ++r) { // a patch may end behind the segment: no further than there is something
            const long last_z = f.n[0] - 1 + reach_after[0], last_y = f.n[1] - 1 + reach_after[1];
            const long pz = z - reach_before[0] + j, py = y - reach_before[1] + r;
            generated::load_line(to.v[j][r], from, s, pz < last_z ? pz : last_z, py < last_y ? py : last_y,
                                 x, f.aligned);
        }
}

/// What a map under a hood makes of the windows of its sources: map(slice, row, column). The constant around the grid
/// is no result of it.
template <class T, class F>
inline void map_window(window<T>& to, const field& f, const sweep& c, const T* outside, long z, long y, long x, const F& map)
{
    const long first_z = f.first[0] + z - reach_before[0], first_y = f.first[1] + y - reach_before[1],
               first_x = f.first[2] + x - lead;
    constexpr bool everywhere = border != border_rule::constant;
    #pragma unroll
    for (int j = 0; j < window_z; ++j)
        #pragma unroll
        for (int r = 0; r < window_y; ++r) {
            const bool in_line = (unsigned long)(first_z + j) < (unsigned long)c.grid[0] &&
                                 (unsigned long)(first_y + r) < (unsigned long)c.grid[1];
            #pragma unroll
            for (int i = 0; i < window_x; ++i) {
                if (!is_seen(i)) continue;
                if (everywhere || (in_line && (unsigned long)(first_x + i) < (unsigned long)c.grid[2]))
                    to.v[j][r][i] = map(j, r, i);
                else to.v[j][r][i] = *outside;
            }
        }
}

inline result_type result_at(const windows& w, const field& f, const fields& p, int s, int r, int k, long z, long y, long x)
{
    const place at = place_of(f, z + s, y + r, x + k);
#ifdef SKELRT_KEEPS
    if ((border == border_rule::none || colored) && keeps(p.c, at, 0)) return center(w, s, r, k);
#endif
#ifdef SKELRT_KEEPS_WITHIN
    if (keeps(p.c, at, 0)) return evaluate_edge_at(element_of(w, f, s, r, k, z, y, x), p.u, p.c, at);
#endif
    return evaluate_at(element_of(w, f, s, r, k, z, y, x), p.u, p.c, at);
}

/// Calls f(s, r, k) for all positions of a patch.
template <class F> inline void for_patch(const F& f)
{
    #pragma unroll
    for (int s = 0; s < own_z; ++s)
        #pragma unroll
        for (int r = 0; r < own_y; ++r)
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) f(s, r, k);
}

/// Inside: all of the patch's hoods lie in the segment, in aligned words.
template <bool Inside> inline void compute_patch(const field& f, const fields& p, long z, long y, long x)
{
    if (!Inside) {
        if (z >= f.n[0] || y >= f.n[1] || x >= f.n[2]) return;
        if (x + pack_x <= p.c.columns[0] || x >= p.c.columns[1]) return;
    }
    const bool whole_words =
        Inside || (f.aligned && x + pack_x <= f.n[2] && in_columns(p.c, x) && in_columns(p.c, x + pack_x - 1));
    const bool whole = Inside || (whole_words && z + own_z <= f.n[0] && y + own_y <= f.n[1]);
    windows w;
    load_windows<Inside>(w, f, p.u, p.c, space_of(f, p.c), z, y, x);
    values<result_type, own_z * own_y * pack_x> results;
    const auto compute = [&](int s, int r, int k) {
        results[(s * own_y + r) * pack_x + k] = result_at(w, f, p, s, r, k, z, y, x);
    };
    if (Inside || (whole_apart && whole)) { // without questions in between
        for_patch(compute);
    } else {
        for_patch([&](int s, int r, int k) {
            if (whole || (z + s < f.n[0] && y + r < f.n[1] && x + k < f.n[2] && in_columns(p.c, x + k))) compute(s, r, k);
        });
    }
    result_type* const first = &f.out.at(z, y, x);
    #pragma unroll
    for (int s = 0; s < own_z; ++s)
        #pragma unroll
        for (int r = 0; r < own_y; ++r) {
            if (!Inside && (z + s >= f.n[0] || y + r >= f.n[1])) continue;
            result_type* const to = first + (s * f.out.z + r * f.out.y);
            if (whole_words) {
                pack<result_type, pack_x> all;
                #pragma unroll
                for (int k = 0; k < pack_x; ++k) all.set(k, results[(s * own_y + r) * pack_x + k]);
                all.store(to);
            } else {
                #pragma unroll
                for (int k = 0; k < pack_x; ++k)
                    if (x + k < f.n[2] && in_columns(p.c, x + k)) to[k * f.out.x] = results[(s * own_y + r) * pack_x + k];
            }
        }
}

/// Where a thread has one pack, it takes those of a whole block of columns in turn: blocks that end at once would spend
/// more time on their start.
extern "C" __global__ void __launch_bounds__(threads, resident(blocks_at_once)) stencil_window(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.z];
    const unsigned slices = unsigned(p.c.first) + blockIdx.y; // blocks of rows, in all planes
    if (blockIdx.x >= f.blocks[2] || slices >= f.blocks[0] * f.blocks[1]) return;
    const int lanes = p.c.lanes, lane = threadIdx.x & (lanes - 1), row = threadIdx.x >> (31 - __clz(lanes));
    const unsigned plane = rank == 3 ? slices / unsigned(f.blocks[1]) : 0;
    const long z = plane * own_z;
    const long y = (slices - plane * unsigned(f.blocks[1])) * p.c.block[1] + row * own_y;
    const long first = blockIdx.x * p.c.block[2], x = first + lane * pack_x;
    if (own_z * own_y > 1) return compute_patch<false>(f, p, z, y, x);
    const long end = first + p.c.block[2], step = lanes * pack_x;
    if (f.aligned && first >= lead && end + trail <= f.n[2] && in_columns(p.c, first) && in_columns(p.c, end - 1) &&
        lies_in<0>(f, z, 1) && lies_in<1>(f, y, 1))
        for (long at = x; at < end; at += step) compute_patch<true>(f, p, z, y, at);
    else
        for (long at = x; at < end; at += step) compute_patch<false>(f, p, z, y, at);
}

} // namespace skelrt::generated
)cuda";

std::size_t words_of(const slot_type& slot) { return (slot.size + 3) / 4; }

/// Words that hoods see in each position.
std::size_t words_seen(const recipe& what)
{
    std::size_t words = 0;
    for (const slot_type& slot : what.slots)
        if (slot.kind == slot_kind::hood) words += words_of(slot);
    for (const hood_map& m : what.hood_maps) { // the sources' while they are mapped, one by one
        std::size_t sources = 0;
        for (unsigned k = m.first; k < m.slot; ++k)
            if (what.slots[k].kind == slot_kind::hood_source) sources += words_of(what.slots[k]);
        words += std::max(sources, words_of(what.slots[m.slot]));
    }
    return words;
}

std::size_t lines_seen(const stencil_shape& s, const patch_shape& p)
{
    return std::size_t{p.planes + s.before[0] + s.after[0]} * (p.rows + s.before[1] + s.after[1]);
}

/// Words that the hoods of such a patch see.
std::size_t window_registers(const recipe& what, const patch_shape& p)
{
    const stencil_shape& s = what.stencil;
    return words_seen(what) * lines_seen(s, p) * (s.before[2] + p.pack + s.after[2]);
}

/// Blocks that a processor should run at once: as many as have registers for what they load, and no fewer than two.
std::size_t blocks_at_once(const recipe& what, const patch_shape& p)
{
    constexpr std::size_t registers = 256, others = 16, most = 5; // for each of the threads of one block
    const stencil_shape& s = what.stencil;
    const std::size_t columns = rounded_up(s.before[2], p.pack) + p.pack + rounded_up(s.after[2], p.pack);
    const std::size_t results = p.planes * p.rows * p.pack * ((what.result_size + 3) / 4);
    return std::clamp<std::size_t>(registers / (words_seen(what) * lines_seen(s, p) * columns + results + others), 2,
                                   most);
}

/// Lines loaded for each line computed.
double loads_of(const stencil_shape& s, const patch_shape& p)
{
    return static_cast<double>(lines_seen(s, p)) / (p.planes * p.rows);
}

} // namespace

std::optional<patch_shape> shape_window(const recipe& what)
{
    if (!numbers_at_constant_distances(what)) return std::nullopt;
    const stencil_shape& s = what.stencil;
    std::size_t largest = what.result_size;
    for (const slot_type& slot : what.slots)
        if (moves(slot.kind)) largest = std::max<std::size_t>(largest, slot.size);
    const auto widest = static_cast<unsigned>(std::clamp<std::size_t>(widest_access / largest, 1, most_pack));
    // Hoods that do not reach along the columns share nothing there: narrower packs leave room for more rows.
    const unsigned narrowest = s.before[2] + s.after[2] == 0 ? std::max(widest / 2, 1u) : widest;
    std::optional<patch_shape> best;
    for (unsigned pack = widest; pack >= narrowest; pack /= 2)
        for (const unsigned planes : {1u, 2u, 4u})
            for (const unsigned rows : {1u, 2u, 4u, 8u}) {
                if ((planes > 1 && s.rank != 3) || (rows > 1 && s.rank == 1 && !s.down)) continue;
                const patch_shape p{pack, planes, rows};
                if (window_registers(what, p) > most_window_registers ||
                    std::size_t{planes} * rows * pack * tokens_of(what) > most_patch_tokens)
                    continue;
                if (!best || loads_of(s, p) < loads_of(s, *best)) best = p;
            }
    return best;
}

namespace
{

/// The windows of a map's sources, and what the map makes of them.
std::string made_windows_text(const recipe& what, const hood_map& m)
{
    const std::string slot = "s" + std::to_string(m.slot);
    const std::string outside = what.stencil.border == border_rule::constant
                                    ? "&u." + slot + "_border"
                                    : "(const skelrt_t" + std::to_string(m.slot) + "*)nullptr";
    return "    {\n" + for_each_source(what, m, "        window<skelrt_t#> r#;\n", "") +
           for_each_source(what, m, "        generated::load_window<Inside>(r#, around_s#(f, u), s, f, z, y, x);\n",
                           "") +
           "        generated::map_window(w." + slot + ", f, c, " + outside +
           ", z, y, x, [&](int j, int r, int i) { return generated::mapped_" + slot + "(u, " +
           for_each_source(what, m, "r#.v[j][r][i]", ", ") + "); });\n    }\n";
}

} // namespace

std::string stencil_window_text(const recipe& what, const stencil_plan& plan)
{
    const stencil_shape& s = what.stencil;
    const patch_shape& p = plan.patch;
    const auto number = [](std::size_t n) { return std::to_string(n); };
    const auto hoods = [&](const std::string& form, const std::string& between) {
        return for_each_hood(what, form, between);
    };
    std::string text = "namespace skelrt::generated\n{\n#define SKELRT_HOOD hood" + number(s.rank) + "\n";
    text +=
        "constexpr int pack_x = " + number(p.pack) + ", own_z = " + number(p.planes) + ", own_y = " + number(p.rows) +
        ", lead = " + number(rounded_up(s.before[2], p.pack)) + ", trail = " + number(rounded_up(s.after[2], p.pack)) +
        ",\n              window_z = own_z + reach_before[0] + reach_after[0], window_y = own_y + reach_before[1] + "
        "reach_after[1], window_x = lead + pack_x + trail,\n              axis_s = rank == 3 ? 0 : 1;\n";
    const bool apart = std::size_t{p.planes} * p.rows * p.pack * tokens_of(what) <= few_patch_tokens;
    text += std::string{"constexpr bool whole_apart = "} + (apart ? "true" : "false") +
            ", colored = " + (plan.colored ? "true" : "false") + ";\n";
    text += "constexpr int blocks_at_once = " + number(blocks_at_once(what, p)) + ";\n";
    text += "template <class T> struct window;\n";
    text += "template <bool Inside, class T>\ninline void load_window(window<T>& to, const around<T>& from, const "
            "space& s, const "
            "field& f, long z, long y, long x);\n";
    if (!what.hood_maps.empty())
        text +=
            "template <class T, class F>\ninline void map_window(window<T>& to, const field& f, const sweep& c, const "
            "T* outside, long z, long y, long x, const F& map);\n";
    const std::size_t begin = std::string_view{window_kernel}.find("/// The element at column i");
    text += std::string{std::string_view{window_kernel}.substr(0, begin)};
    text += "struct windows {\n" + hoods("    window<skelrt_t#> s#;\n", "") + "};\n";
    text += "template <bool Inside>\ninline void load_windows(windows& w, const field& f, const uniforms& u, const "
            "sweep& c, const space& s, "
            "long z, "
            "long y, long x)\n{\n" +
            for_each_slot(what, slot_kind::hood,
                          "    generated::load_window<Inside>(w.s#, around_s#(f, u), s, f, z, y, x);\n", "");
    for (const hood_map& m : what.hood_maps) text += made_windows_text(what, m);
    text += "}\n";
    text +=
        "inline element element_of(const windows& w, const field& f, int s, int r, int k, long z, long y, long x)\n{\n"
        "    return {" +
        element_list(what, "w.s#.hood(s, r, k)", "w.s#.hood(s, r, k)", "f.s#.at(z + s, y + r, x + k)") + "};\n}\n";
    if (keeps_elements(what))
        text += "#define SKELRT_KEEPS\ninline const auto& center(const windows& w, int s, int r, int k)\n{\n    return "
                "w.s" +
                number(first_hood(what)) + ".v[s + reach_before[0]][r + reach_before[1]][lead + k];\n}\n";
    return text + (window_kernel + begin);
}

} // namespace skelrt::detail::cuda
