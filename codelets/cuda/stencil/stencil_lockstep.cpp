// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"
#include "codelets/cuda/stencil/lockstep_shape.hpp"

#include "src/function/cuda/lockstep.hpp"

/// Stencils whose functions loop over what their hoods see, several positions of a thread at once, from a tile in
/// shared memory: what a thread has read of it serves all of its positions, and so does each weight.
namespace skelrt::detail::cuda
{
namespace
{

constexpr const char* patch_helpers = R"cuda(
template <class T> constexpr int tile_index(int, int y, int x) { return generated::tile_index<T>(y, x); }
constexpr int block_y = threads / across * own_y, block_x = across * own_x;

/// What a thread computes: positions from row y and column x of the segment on, which lie at `row` and `column` of the
/// block.
struct patch_place {
    int row, column;
    long y, x;
};

/// The elements of a patch; beyond the segment there are none, and any will do.
template <class T> inline skelrt::patch<T> elements_of(const operand<const T>& from, const field& f, const patch_place& at)
{
    const long last_y = f.n[1] - 1, last_x = f.n[2] - 1;
    skelrt::patch<T> to;
    #pragma unroll
    for (int r = 0; r < own_y; ++r)
        #pragma unroll
        for (int k = 0; k < own_x; ++k)
            to.v[r * own_x + k] = from.at(0, at.y + r < last_y ? at.y + r : last_y, at.x + k < last_x ? at.x + k : last_x);
    return to;
}
)cuda";

constexpr const char* patch_loads = R"cuda(
/// Every 32nd element of a row, from column X on; `columns`: from the pointers to the end of the row.
template <int X, class T> inline void load_row(T* to, const T* from, int columns)
{
    if constexpr (X < pitch_y) {
        if (X < columns) generated::copy_async<tile_index<T>(0, 0, X), X>(to, from);
        generated::load_row<X + 32>(to, from, columns);
    }
}

/// A row for each warp, so that distances within one are known.
template <class T> inline void load_rows(T* to, const around<T>& from, const space& s, const box& b, int lanes)
{
    if (!lies_in(s.n, b)) return load_at_border(to, from, s, b, lanes);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T* row = from.data + (b.at[1] + warp) * s.n[2] + b.at[2] + lane;
    #pragma unroll 1
    for (int y = warp; y < b.n[1]; y += threads / 32, row += threads / 32 * s.n[2])
        generated::load_row<0>(to + tile_index<T>(0, y, lane), row, b.n[2] - lane);
}
)cuda";

constexpr const char* lockstep_kernel = R"cuda(
inline void store(const tiles& t, const field& f, const fields& p, const patch_place& at,
                  const skelrt::patch<result_type>& results)
{
    #pragma unroll
    for (int r = 0; r < own_y; ++r) {
        #pragma unroll
        for (int k = 0; k < own_x; k += pack_x) {
            const long y = at.y + r, x = at.x + k;
            values<result_type, pack_x> all;
            #pragma unroll
            for (int i = 0; i < pack_x; ++i) {
                all[i] = results.v[r * own_x + k + i];
#ifdef SKELRT_KEEPS
                if ((border == border_rule::none || colored) && keeps(p.c, place_of(f, 0, y, x + i), 0))
                    all[i] = center(t, at, r, k + i);
#endif
            }
            if (y >= f.n[1]) continue;
            if (f.aligned && x + pack_x <= f.n[2] && in_columns(p.c, x) && in_columns(p.c, x + pack_x - 1)) {
                pack<result_type, pack_x> word;
                #pragma unroll
                for (int i = 0; i < pack_x; ++i) word.set(i, all[i]);
                word.store(&f.out.at(0, y, x));
            } else {
                #pragma unroll
                for (int i = 0; i < pack_x; ++i)
                    if (x + i < f.n[2] && in_columns(p.c, x + i)) f.out.at(0, y, x + i) = all[i];
            }
        }
    }
}

/// Arguments that do not agree with the reach: position by position.
inline void compute_each(const tiles& t, const field& f, const fields& p, const patch_place& at)
{
    #pragma unroll 1
    for (int i = 0; i < own_y * own_x; ++i) {
        const int r = i / own_x, k = i % own_x;
        const long y = at.y + r, x = at.x + k;
        if (y >= f.n[1] || x >= f.n[2] || !in_columns(p.c, x)) continue;
        const place where = place_of(f, 0, y, x);
#ifdef SKELRT_KEEPS
        if (keeps(p.c, where, 0)) {
            f.out.at(0, y, x) = center(t, at, r, k);
            continue;
        }
#endif
        f.out.at(0, y, x) = evaluate_at(element_of(t, f, at, r, k), p.u, p.c, where);
    }
}

extern "C" __global__ void __launch_bounds__(threads, resident(2)) stencil_lockstep(const __grid_constant__ fields p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const field& f = p.at[blockIdx.y];
    const unsigned column = blockIdx.x % unsigned(f.blocks[2]), rest = blockIdx.x / unsigned(f.blocks[2]);
    if (rest >= f.blocks[1]) return;
    box out{{0, long(rest) * block_y, long(column) * block_x}, {1, block_y, block_x}};
    #pragma unroll
    for (int a = 1; a < 3; ++a)
        if (f.n[a] - out.at[a] < out.n[a]) out.n[a] = int(f.n[a] - out.at[a]);
    const tiles t = tiles_at(memory);
    load_tiles(t, f, p.u, p.c, space_of(f, p.c), grown(out, 1));
    const bool known = has_known_counts(p.u);
    if (known) bring_weights(memory, p.u);
    wait_for_copies();

    const int row = int(threadIdx.x) / across * own_y, col = int(threadIdx.x) % across * own_x;
    const patch_place at{row, col, out.at[1] + row, out.at[2] + col};
    if (at.y >= f.n[1] || at.x >= f.n[2]) return;
    if (!known) return compute_each(t, f, p, at);
    store(t, f, p, at, evaluate_patch(patch_at(t, f, at), with_near_weights(memory, with_known_counts(p.u))));
}

} // namespace skelrt::generated
)cuda";

/// Copies of the weights, in front of the tiles.
std::string weights_text(const recipe& what, const std::string& known)
{
    if (known.empty())
        return "inline bool has_known_counts(const uniforms&) { return true; }\n"
               "inline const uniforms& with_known_counts(const uniforms& u) { return u; }\n"
               "inline void bring_weights(unsigned char*, const uniforms&) {}\n"
               "inline const uniforms& with_near_weights(unsigned char*, const uniforms& u) { return u; }\n";
    const std::string width = std::to_string(hood_width(what));
    std::string bring, near;
    std::size_t at = 0;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        if (what.slots[k].kind != slot_kind::mat) continue;
        const std::string n = std::to_string(k), line = std::to_string(weights_line(what, what.slots[k].size));
        const std::string here = "reinterpret_cast<skelrt_t" + n + "*>(memory + " + std::to_string(at) + ")";
        bring += "    for (int i = threadIdx.x; i < " + width + " * " + width + "; i += threads)\n        " + here +
                 "[i / " + width + " * " + line + " + i % " + width + "] = u.s" + n + ".data()[i];\n";
        near += "    u.s" + n + " = skelrt::mat<skelrt_t" + n + ">(" + here + ", " + width + ", " + width + ", " +
                line + ");\n";
        at += weights_bytes(what, what.slots[k].size);
    }
    return known + "inline void bring_weights(unsigned char* memory, const uniforms& u)\n{\n" + bring +
           "}\ninline uniforms with_near_weights(unsigned char* memory, uniforms u)\n{\n" + near + "    return u;\n}\n";
}

/// Where the tiles lie, behind the weights, and how they are loaded.
std::string patch_tiles_text(const recipe& what, const stencil_plan& plan)
{
    std::size_t at = 0;
    for (const slot_type& s : what.slots)
        if (s.kind == slot_kind::mat) at += weights_bytes(what, s.size);
    std::string places;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        if (what.slots[k].kind != slot_kind::hood) continue;
        if (!places.empty()) places += ", ";
        places += "reinterpret_cast<skelrt_t" + std::to_string(k) + "*>(memory + " + std::to_string(at) + ")";
        at += patch_tile_bytes(what, plan, what.slots[k].size);
    }
    return "struct tiles {\n" + for_each_slot(what, slot_kind::hood, "    skelrt_t#* s#;\n", "") +
           "};\ninline tiles tiles_at(unsigned char* memory) { return {" + places +
           "}; }\ninline void load_tiles(const tiles& t, const field& f, const uniforms& u, const sweep& c, "
           "const space& s, const box& b)\n{\n" +
           for_each_slot(what, slot_kind::hood, "    generated::load_rows(t.s#, around_s#(f, u), s, b, c.lanes);\n",
                         "") +
           "}\n";
}

/// What the function is given: of one position of a patch, and of all.
std::string patch_arguments_text(const recipe& what)
{
    const std::string here = "t.s# + generated::tile_index<skelrt_t#>(at.row, at.column)";
    std::string text =
        "inline element element_of(const tiles& t, const field& f, const patch_place& at, int r, int k)\n{\n"
        "    return {" +
        element_list(what, "@(" + here + ", r, k)", "", "f.s#.at(0, at.y + r, at.x + k)") +
        "};\n}\ninline patch_element patch_at(const tiles& t, const field& f, const patch_place& at)\n{\n"
        "    return {" +
        element_list(what, "skelrt::patch_hood2<skelrt_t#>(" + here + ")", "", "generated::elements_of(f.s#, f, at)") +
        "};\n}\n";
    if (!keeps_elements(what)) return text;
    const std::string first = std::to_string(first_hood(what));
    return text +
           "#define SKELRT_KEEPS\n"
           "inline const auto& center(const tiles& t, const patch_place& at, int r, int k)\n{\n    return t.s" +
           first + "[generated::tile_index<skelrt_t" + first +
           ">(at.row + r + reach_before[1], at.column + k + reach_before[2])];\n}\n";
}

} // namespace

std::string stencil_lockstep_text(const recipe& what, const stencil_plan& plan)
{
    const lockstep_shape& shape = plan.lockstep;
    const std::size_t loaded = lockstep_block(plan)[2] + hood_width(what) - 1; // columns
    return cuda_lockstep(what, shape.unrolled ? unrolled::all : unrolled::innermost, hood_width(what)) +
           "namespace skelrt::generated\n{\nconstexpr int pitch_y = " + std::to_string(loaded) +
           ", pitch_z = 0, pack_x = " + std::to_string(plan.pack) +
           ";\nconstexpr bool colored = " + (plan.colored ? "true" : "false") + ";\n" + patch_helpers + tile_helpers +
           patch_loads + patch_tiles_text(what, plan) + patch_arguments_text(what) +
           weights_text(what, stencil_known_text(what)) + lockstep_kernel;
}

} // namespace skelrt::detail::cuda
