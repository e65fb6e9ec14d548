// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"
#include "codelets/cuda/stencil/stencil.hpp"

/// Any stencil whose hoods fit in shared memory: a block of threads brings a tile with what lies around it, the border
/// made on the way, and computes from there. Several steps go to and fro between two tiles, each a reach narrower than
/// the last.
namespace skelrt::detail::cuda
{
const char* const tile_helpers = R"cuda(
/// A box of positions that count from the segment's first.
struct box {
    long at[3];
    int n[3];
};

inline box grown(const box& b, int times)
{
    box to = b;
    #pragma unroll
    for (int a = 0; a < 3; ++a) {
        to.at[a] -= times * reach_before[a];
        to.n[a] += times * (reach_before[a] + reach_after[a]);
    }
    return to;
}

/// Calls f(z, y, x) for all of n[0] x n[1] x n[2], spread over the block; `lanes` threads stand side by side on x.
template <class F> inline void for_each(const int (&n)[3], int lanes, const F& f)
{
    const int lane = threadIdx.x & (lanes - 1), row = threadIdx.x / unsigned(lanes), rows = threads / unsigned(lanes);
    for (int r = row; r < n[0] * n[1]; r += rows) {
        const int z = rank == 3 ? r / n[1] : 0, y = rank == 3 ? r - z * n[1] : r;
        for (int x = lane; x < n[2]; x += lanes) f(z, y, x);
    }
}

/// The same for what is loaded: rows are as wide as the tile's, so that no lane is left without work at their ends.
template <class F> inline void for_each_loaded(const int (&n)[3], int lanes, const F& f)
{
    if (rank == 1 && lanes == threads) return for_each(n, lanes, f); // a vector: one long row
    #pragma unroll 1
    for (int i = threadIdx.x; i < n[0] * n[1] * pitch_y; i += threads) {
        const int r = i / pitch_y, x = i - r * pitch_y, z = rank == 3 ? r / n[1] : 0;
        if (x < n[2]) f(z, r - z * n[1], x);
    }
}

/// From global to shared memory without a wait in between, in words that both addresses are multiples of. Elements that
/// are To and From behind the pointers: distances are a part of the instruction.
template <int To = 0, int From = 0, class T> inline void copy_async(T* to, const T* from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 && sizeof(T) <= 32) {
        constexpr int word = alignof(T) > 16 ? 16 : alignof(T);
        #pragma unroll
        for (int i = 0; i < int(sizeof(T)); i += word)
            asm volatile("cp.async.ca.shared.global [%0 + %3], [%1 + %4], %2;"
                         :
                         : "r"(unsigned(__cvta_generic_to_shared(reinterpret_cast<char*>(to) + i))),
                           "l"(reinterpret_cast<const char*>(from) + i), "n"(word), "n"(To * int(sizeof(T))),
                           "n"(From * int(sizeof(T)))
                         : "memory");
        return;
    }
#endif
    to[To] = from[From];
}

inline void wait_for_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncthreads();
}

/// Whether nothing of the box lies outside of the segment.
inline bool lies_in(const long (&n)[3], const box& b)
{
    bool whole = true;
    #pragma unroll
    for (int a = 0; a < 3; ++a) whole = whole && b.at[a] >= 0 && b.at[a] + b.n[a] <= n[a];
    return whole;
}

/// The border is made on the way.
template <class T> inline void load_at_border(T* to, const around<T>& from, const space& s, const box& b, int lanes)
{
    for_each_loaded(b.n, lanes, [&](int z, int y, int x) {
        to[tile_index<T>(z, y, x)] = from.at(s, b.at[0] + z, b.at[1] + y, b.at[2] + x);
    });
}

template <class T> inline void load_tile(T* to, const around<T>& from, const space& s, const box& b, int lanes)
{
    if (!lies_in(s.n, b)) return load_at_border(to, from, s, b, lanes);
    const T* const first = from.data + (b.at[0] * s.n[1] + b.at[1]) * s.n[2] + b.at[2];
    for_each_loaded(b.n, lanes, [&](int z, int y, int x) {
        generated::copy_async(to + tile_index<T>(z, y, x), first + (z * s.n[1] + y) * s.n[2] + x);
    });
}

/// The same for a map under a hood: inner(i) of element i of the segment, or anywhere(spot) by the border rule. The
/// constant around the grid is no result of the map.
template <class T, class Lines, class Inner, class Anywhere>
inline void load_mapped(T* to, const field& f, const sweep& c, const box& b, const T* outside, const Lines& lines,
                        const Inner& inner, const Anywhere& anywhere)
{
    if (lies_in(f.n, b)) {
        const long first = (b.at[0] * f.n[1] + b.at[1]) * f.n[2] + b.at[2];
        for_each_loaded(b.n, c.lanes, [&](int z, int y, int x) {
            to[tile_index<T>(z, y, x)] = inner(first + (z * f.n[1] + y) * f.n[2] + x);
        });
    } else {
        const space s = space_of(f, c);
        for_each_loaded(b.n, c.lanes, [&](int z, int y, int x) {
            const long pz = b.at[0] + z, py = b.at[1] + y, px = b.at[2] + x;
            if (border != border_rule::constant || in_grid(c, place_of(f, pz, py, px)))
                to[tile_index<T>(z, y, x)] = anywhere(lines.at_spot(s, pz, py, px));
            else to[tile_index<T>(z, y, x)] = *outside;
        });
    }
}

inline int clamped(long i, long n) { return int(i < 0 ? -i : i >= n ? n - 1 - i : 0); }

/// Between two steps under border_rule::nearest: positions outside of the grid get the nearest element's new value.
template <class T> inline void mend_border(T* tile, const box& b, int margin, const field& f, const sweep& c)
{
    for_each(b.n, c.lanes, [&](int z, int y, int x) {
        const place at = place_of(f, b.at[0] + z, b.at[1] + y, b.at[2] + x);
        if (in_grid(c, at)) return;
        const int dz = clamped(at.z, c.grid[0]), dy = clamped(at.y, c.grid[1]), dx = clamped(at.x, c.grid[2]);
        const int here = tile_index<T>(z + margin * reach_before[0], y + margin * reach_before[1], x + margin * reach_before[2]);
        tile[here] = tile[here + tile_index<T>(dz, dy, dx)];
    });
    __syncthreads();
}
)cuda";

namespace
{

constexpr const char* tile_places = R"cuda(
template <class T> inline int tile_index(int z, int y, int x) { return z * pitch_z + y * pitch_y + x; }
)cuda";

constexpr const char* tile_kernel = R"cuda(
extern "C" __global__ void __launch_bounds__(threads, resident(together)) stencil_tile(const __grid_constant__ fields p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const field& f = p.at[blockIdx.y];
    const sweep& c = p.c;
    const unsigned column = blockIdx.x % unsigned(f.blocks[2]), rest = blockIdx.x / unsigned(f.blocks[2]);
    if (rest >= f.blocks[0] * f.blocks[1]) return;
    box out;
    out.at[0] = rest / unsigned(f.blocks[1]) * c.block[0];
    out.at[1] = rest % unsigned(f.blocks[1]) * c.block[1];
    out.at[2] = column * c.block[2];
    #pragma unroll
    for (int a = 0; a < 3; ++a) out.n[a] = f.n[a] - out.at[a] < c.block[a] ? f.n[a] - out.at[a] : c.block[a];

    tiles now = tiles_at(memory, c.room);
    load_tiles(now, f, p.u, c, space_of(f, c), grown(out, steps));
    wait_for_copies();

    #pragma unroll 1
    for (int t = 0; t < steps; ++t) {
        const box to = grown(out, steps - 1 - t);
        const tiles next = other_tiles(memory, c.room, t);
        for_each(to.n, c.lanes, [&](int z, int y, int x) {
            const int here = tile_index<result_type>(z + (t + 1) * reach_before[0], y + (t + 1) * reach_before[1],
                                        x + (t + 1) * reach_before[2]);
            const long pz = to.at[0] + z, py = to.at[1] + y, px = to.at[2] + x;
            place at = place_of(f, pz, py, px);
            if (steps > 1) {
                if (border == border_rule::cyclic) at = wrapped(c, at);
                else if (!in_grid(c, at)) return put_border(next, here, p.u);
            }
            if (t == steps - 1 && !in_columns(c, px)) return;
#ifdef SKELRT_KEEPS
            const result_type value = keeps(c, at, t) ? result_type(center(now, here))
                                                      : evaluate_at(hoods_at(now, here, f, pz, py, px), p.u, c, at);
#elif defined(SKELRT_KEEPS_WITHIN)
            const element e = hoods_at(now, here, f, pz, py, px);
            const result_type value = keeps(c, at, t) ? evaluate_edge_at(e, p.u, c, at) : evaluate_at(e, p.u, c, at);
#else
            const result_type value = evaluate_at(hoods_at(now, here, f, pz, py, px), p.u, c, at);
#endif
            if (t == steps - 1) f.out.at(pz, py, px) = value;
            else generated::put(next, here, value);
        });
        if (t == steps - 1) break;
        __syncthreads();
        if (border == border_rule::nearest) mend(next, to, t + 1, f, c);
        now = next;
    }
}

} // namespace skelrt::generated
)cuda";

/// Loads what a map under a hood makes of its sources.
std::string made_tiles_text(const recipe& what, const hood_map& m)
{
    const std::string slot = "s" + std::to_string(m.slot);
    const std::string outside = what.stencil.border == border_rule::constant
                                    ? "&u." + slot + "_border"
                                    : "(const skelrt_t" + std::to_string(m.slot) + "*)nullptr";
    unsigned source = m.first; // any: all have the same shape
    while (what.slots[source].kind != slot_kind::hood_source) ++source;
    const auto mapped = [&](const std::string& element) {
        return "return generated::mapped_" + slot + "(u, " + for_each_source(what, m, element, ", ") + "); }";
    };
    return "    {\n" + for_each_source(what, m, "        const around<skelrt_t#> a# = around_s#(f, u);\n", "") +
           "        generated::load_mapped(t." + slot + ", f, c, b, " + outside + ", a" + std::to_string(source) +
           ",\n            [&](long i) { " + mapped("a#.data[i]") + ",\n            [&](const spot& at) { " +
           mapped("a#[at]") + ");\n    }\n";
}

/// The parts that depend on the slots.
std::string tiles_text(const recipe& what, unsigned steps)
{
    const auto hoods = [&](const std::string& form, const std::string& between = "") {
        return for_each_hood(what, form, between);
    };
    std::string text = "struct tiles {\n    " + hoods("skelrt_t#* s#; ") + "\n};\n";
    text += "inline tiles tiles_at(unsigned char* memory, long room)\n{\n    tiles t;\n    long at = 0;\n";
    text += hoods("    t.s# = reinterpret_cast<skelrt_t#*>(memory + at);\n"
                  "    at += (room * sizeof(skelrt_t#) + 15) / 16 * 16;\n");
    text += "    return t;\n}\n";
    text +=
        "inline void load_tiles(const tiles& t, const field& f, const uniforms& u, const sweep& c, const space& s, "
        "const "
        "box& b)\n{\n" +
        for_each_slot(what, slot_kind::hood, "    generated::load_tile(t.s#, around_s#(f, u), s, b, c.lanes);\n", "");
    for (const hood_map& m : what.hood_maps) text += made_tiles_text(what, m);
    text += "}\n";
    text +=
        "inline element hoods_at(const tiles& t, int here, const field& f, long z, long y, long x)\n{\n    return {";
    std::string between;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const std::string n = std::to_string(k);
        if (sees_hood(what.slots[k].kind))
            text += between + "skelrt::hood" + std::to_string(what.stencil.rank) + "<skelrt_t" + n + ">(t.s" + n +
                    " + here, pitch_z, pitch_y)";
        else if (what.slots[k].kind == slot_kind::element) text += between + "f.s" + n + ".at(z, y, x)";
        else continue;
        between = ", ";
    }
    text += "};\n}\n";
    const std::string first = "s" + std::to_string(first_hood(what));
    if (keeps_elements(what)) {
        text += "#define SKELRT_KEEPS\n";
        text += "inline const auto& center(const tiles& t, int here) { return t." + first + "[here]; }\n";
    }
    if (steps == 1) {
        text += "inline tiles other_tiles(unsigned char*, long, int) { return {}; }\n"
                "inline void put(const tiles&, int, const result_type&) {}\n"
                "inline void put_border(const tiles&, int, const uniforms&) {}\n"
                "inline void mend(const tiles&, const box&, int, const field&, const sweep&) {}\n";
        return text;
    }
    text += "inline tiles other_tiles(unsigned char* memory, long room, int t)\n{\n    const long size = (room * "
            "sizeof(result_type) + 15) / 16 * 16;\n    return tiles_at(memory + (t % 2 == 0 ? size : 0), room);\n}\n";
    text += "inline void put(const tiles& t, int here, const result_type& value) { t." + first + "[here] = value; }\n";
    text += "inline void put_border(const tiles& t, int here, const uniforms& u) { " +
            (what.stencil.border == border_rule::constant ? "t." + first + "[here] = u." + first + "_border;" : "") +
            " }\n";
    text += "inline void mend(const tiles& t, const box& b, int margin, const field& f, const sweep& c) { "
            "generated::mend_border(t." +
            first + ", b, margin, f, c); }\n";
    return text;
}

/// Distances in the tiles: constants, so that what a user function reads lies at constant distances, too. And how many
/// blocks a processor must have registers for: while maps under hoods are made, it waits for memory.
std::string constants(const recipe& what, unsigned steps)
{
    const tile_pitch pitch = pitch_of(what, steps);
    const int together = what.hood_maps.empty() ? 1 : 5;
    return "constexpr int together = " + std::to_string(together) +
           ";\nconstexpr int pitch_y = " + std::to_string(pitch.y) + ", pitch_z = " + std::to_string(pitch.z) + ";\n";
}

} // namespace

std::string stencil_tile_text(const recipe& what, unsigned steps)
{
    return "namespace skelrt::generated\n{\n" + constants(what, steps) + tile_places + tile_helpers +
           tiles_text(what, steps) + tile_kernel;
}

} // namespace skelrt::detail::cuda
