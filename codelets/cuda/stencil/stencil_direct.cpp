// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "src/function/tokens.hpp"

#include <algorithm>

/// One step of any stencil, straight from memory. A thread computes a patch of neighbouring positions, unrolled, so
/// that the compiler loads what several of its hoods share once; caches hold what threads share. Only positions whose
/// hoods lie in the grid have patches; those along its edges, few of them, are computed one by one with the border
/// rule.
namespace skelrt::detail::cuda
{
namespace
{

constexpr const char* patches = R"cuda(
/// Positions whose hoods need no border rule: from low to high - 1, which is never less.
struct inner_box {
    long low[3], high[3];
};

inline inner_box inner_of(const field& f, const sweep& c, bool has_before, bool has_after)
{
    inner_box in;
    #pragma unroll
    for (int a = 0; a < 3; ++a) {
        const bool slices = a == axis_s;
        in.low[a] = slices && has_before ? 0 : reach_before[a];
        in.high[a] = slices && has_after ? f.n[a] : f.n[a] - reach_after[a];
#ifdef SKELRT_HOOD_MAPS
        if (border == border_rule::constant) { // lines around it may lie beyond the grid: maps take none of these
            const long low = reach_before[a] - f.first[a], high = c.grid[a] - f.first[a] - reach_after[a];
            if (in.low[a] < low) in.low[a] = low;
            if (in.high[a] > high) in.high[a] = high;
        }
#endif
    }
    constexpr bool has_rows = own_y > 1 || reach_before[1] + reach_after[1] > 0;
    const long pitch = rank == 3 ? f.n[1] * f.n[2] : has_rows ? f.n[2] : 0;
    const bool fits = pitch <= most_pitch; // offsets within a patch have 31 bits
    #pragma unroll
    for (int a = 0; a < 3; ++a) {
        if (in.low[a] > f.n[a]) in.low[a] = f.n[a];
        if (in.high[a] < in.low[a] || !fits) in.high[a] = in.low[a];
    }
    return in;
}

template <class T> inline near_lines<T> near_of(const around<T>& all, const field& f, long z, long y, long x)
{
    const long origin = (z * f.n[1] + y) * f.n[2] + x, pitch = rank == 3 ? f.n[1] * f.n[2] : f.n[2];
    const long n = f.n[axis_s], s = rank == 3 ? z : y;
    return {all.data + origin, all.before + (origin + reach_before[axis_s] * pitch), all.after + (origin - n * pitch),
            int(f.n[1] * f.n[2]), int(f.n[2]), int(-s), int(n - s)};
}

/// The result at a position, counted from the segment's first.
inline result_type result_at(const element& e, const field& f, const fields& p, const uniforms& u, long z, long y, long x)
{
    const place at = place_of(f, z, y, x);
#ifdef SKELRT_KEEPS
    if (keeps(p.c, at, 0)) return center(f, u, z, y, x);
#endif
#ifdef SKELRT_KEEPS_WITHIN
    if (keeps(p.c, at, 0)) return evaluate_edge_at(e, u, p.c, at);
#endif
    return evaluate_at(e, u, p.c, at);
}

/// Number i of the positions that no patch covers: whole planes first, then rows, then what is left of rows.
inline void at_edge(const field& f, const fields& p, const inner_box& in, size_t i)
{
    long first[3] = {0, 0, 0}, n[3] = {f.n[0], f.n[1], f.n[2]};
    #pragma unroll
    for (int a = 0; a < 3; ++a) {
        #pragma unroll
        for (int side = 0; side < 2; ++side) {
            first[a] = side == 0 ? 0 : in.high[a];
            n[a] = side == 0 ? in.low[a] : f.n[a] - in.high[a];
            const size_t count = size_t(n[0]) * n[1] * n[2];
            if (i < count) {
                const position row = position_of(i, n[2]), plane = position_of(row.row, n[1]);
                const long z = first[0] + long(plane.row), y = first[1] + long(plane.col), x = first[2] + long(row.col);
                if (!in_columns(p.c, x)) return;
                const map_sources maps{f, p.u, p.c, nullptr};
                f.out.at(z, y, x) = result_at(checked_at(f, p.u, space_of(f, p.c), maps, z, y, x), f, p, p.u, z, y, x);
                return;
            }
            i -= count;
        }
        first[a] = in.low[a];
        n[a] = in.high[a] - in.low[a];
    }
}

/// Results of several words beside each other: threads would write words that lie far apart. Their warp writes all of
/// them by way of shared memory, line by line.
constexpr bool goes_in_lines = own_x == 1 && sizeof(result_type) > 16 && alignof(result_type) >= 4 &&
                               threads * sizeof(result_type) <= 32'768;

/// Of the warp's first thread, `first`; all threads of the warp come here.
template <class T> inline void put_line(T* first, const T& mine)
{
    constexpr int words = sizeof(T) / 4;
    __shared__ unsigned rooms[threads * words];
    const int lane = threadIdx.x % 32;
    unsigned* const room = rooms + (threadIdx.x - lane) * words;
    memcpy(room + lane * words, &mine, sizeof mine);
    __syncwarp();
    #pragma unroll
    for (int i = 0; i < words; ++i) reinterpret_cast<unsigned*>(first)[i * 32 + lane] = room[i * 32 + lane];
    __syncwarp();
}

extern "C" __global__ void __launch_bounds__(threads) stencil_direct(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.y];
    const inner_box in = inner_of(f, p.c, has_before(f), has_after(f));
    const unsigned blocks = f.blocks[0] * f.blocks[1] * f.blocks[2];
    if (blockIdx.x >= blocks) return at_edge(f, p, in, (blockIdx.x - blocks) * size_t(threads) + threadIdx.x);
    const unsigned column = blockIdx.x % unsigned(f.blocks[2]), rest = blockIdx.x / unsigned(f.blocks[2]);
    const int lanes = p.c.lanes, lane = threadIdx.x & (lanes - 1), row = threadIdx.x / unsigned(lanes);
    const long z = in.low[0] + rest / unsigned(f.blocks[1]) * own_z;
    const long y = in.low[1] + rest % unsigned(f.blocks[1]) * p.c.block[1] + row * own_y;
    const long x = column * p.c.block[2] + lane; // lines begin where memory does
    if (z >= in.high[0] || y >= in.high[1] || x >= in.high[2]) return;
    const near_hoods near = near_at(f, p.u, z, y, x);
    const map_sources maps{f, p.u, p.c, &near};
    const bool whole = z + own_z <= in.high[0] && y + own_y <= in.high[1] && x >= in.low[2] &&
                       x + (own_x - 1) * lanes < in.high[2] && in_columns(p.c, x) &&
                       in_columns(p.c, x + (own_x - 1) * lanes);
    if (whole) {
        values<result_type, own_z * own_y * own_x> results;
        const auto compute = [&](const uniforms& u) {
            #pragma unroll
            for (int s = 0; s < own_z; ++s)
                #pragma unroll
                for (int r = 0; r < own_y; ++r)
                    #pragma unroll
                    for (int k = 0; k < own_x; ++k)
                        results[(s * own_y + r) * own_x + k] = result_at(
                            element_at(near, maps, f, s, r, k * lanes, z, y, x), f, p, u, z + s, y + r, x + k * lanes);
        };
#ifdef SKELRT_KNOWN
        if (has_known_counts(p.u)) compute(with_known_counts(p.u));
        else
#endif
        compute(p.u);
        const bool in_lines = goes_in_lines && lanes >= 32 && f.out.x == 1 && __activemask() == ~0u;
        #pragma unroll
        for (int s = 0; s < own_z; ++s)
            #pragma unroll
            for (int r = 0; r < own_y; ++r)
                #pragma unroll
                for (int k = 0; k < own_x; ++k) {
                    const result_type& result = results[(s * own_y + r) * own_x + k];
                    if constexpr (goes_in_lines) {
                        if (in_lines) put_line(&f.out.at(z + s, y + r, x - lane % 32), result);
                        else f.out.at(z + s, y + r, x) = result;
                    } else {
                        f.out.at(z + s, y + r, x + k * lanes) = result;
                    }
                }
        return;
    }
    #pragma unroll 1
    for (int i = 0; i < own_z * own_y * own_x; ++i) {
        const int s = i / (own_y * own_x), r = i / own_x % own_y, k = i % own_x * lanes;
        if (z + s >= in.high[0] || y + r >= in.high[1] || x + k < in.low[2] || x + k >= in.high[2]) continue;
        if (!in_columns(p.c, x + k)) continue;
        f.out.at(z + s, y + r, x + k) =
            result_at(element_at(near, maps, f, s, r, k, z, y, x), f, p, p.u, z + s, y + r, x + k);
    }
}

)cuda";

/// Kernels with a position for each thread. Nearly all hoods lie in the segment, where nothing has to be asked.
constexpr const char* one_each = R"cuda(
inline bool is_inside(const field& f, long z, long y, long x)
{
    return z >= reach_before[0] && z + reach_after[0] < f.n[0] && y >= reach_before[1] && y + reach_after[1] < f.n[1] &&
           x >= reach_before[2] && x + reach_after[2] < f.n[2] && (rank == 3 ? f.n[1] * f.n[2] : f.n[2]) <= most_pitch;
}

template <class T> inline near_lines<T> inside_of(const around<T>& all, const field& f, long z, long y, long x)
{
    constexpr int far = 1 << 30; // there are no other lines
    return {all.data + ((z * f.n[1] + y) * f.n[2] + x), nullptr, nullptr, int(f.n[1] * f.n[2]), int(f.n[2]), -far, far};
}
)cuda";

constexpr const char* single = R"cuda(
/// Of grids with few patches.
extern "C" __global__ void __launch_bounds__(threads) stencil_single(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.y];
    const unsigned column = blockIdx.x % unsigned(f.blocks[2]), rest = blockIdx.x / unsigned(f.blocks[2]);
    if (rest >= f.blocks[0] * f.blocks[1]) return;
    const int lanes = p.c.lanes, lane = threadIdx.x & (lanes - 1), row = threadIdx.x / unsigned(lanes);
    const long z = rest / unsigned(f.blocks[1]), y = rest % unsigned(f.blocks[1]) * p.c.block[1] + row;
    const long x = column * p.c.block[2] + lane;
    if (y >= f.n[1] || x >= f.n[2] || !in_columns(p.c, x)) return;
    if (is_inside(f, z, y, x)) {
        const near_hoods near = inside_at(f, p.u, z, y, x);
        const map_sources maps{f, p.u, p.c, &near};
        f.out.at(z, y, x) = result_at(element_at(near, maps, f, 0, 0, 0, z, y, x), f, p, p.u, z, y, x);
    } else {
        const map_sources maps{f, p.u, p.c, nullptr};
        f.out.at(z, y, x) = result_at(checked_at(f, p.u, space_of(f, p.c), maps, z, y, x), f, p, p.u, z, y, x);
    }
}
)cuda";

constexpr const char* in_place = R"cuda(
/// Blocks begin while those of the half step before still run, if the launch allows it; from here on all of that is
/// done. All threads come here: who waits for this kernel relies on it.
inline void wait_for_kernel_before()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// A half step of a red-black iteration, in place: a thread for each position of the color; see red_black.cpp. Grids
/// have less than 2^31 rows and columns.
extern "C" __global__ void __launch_bounds__(threads, resident(8)) stencil_in_place(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.z];
    const int rows = int(f.n[1]), cols = int(f.n[2]);
    const unsigned y = (unsigned(p.c.first) + blockIdx.y) * (threads / side) + threadIdx.x / unsigned(side);
    const unsigned parity = unsigned(f.first[1]) + y + unsigned(f.first[2]) + unsigned(p.c.color);
    const unsigned x = 2 * (blockIdx.x * side + threadIdx.x % unsigned(side)) + (parity & 1);
    wait_for_kernel_before();
    if (int(y) >= rows || int(x) >= cols) return;
    const place at = place_of(f, 0, y, x);
    if (int(y) >= reach_before[1] && int(y) < rows - reach_after[1] && int(x) >= reach_before[2] &&
        int(x) < cols - reach_after[2] && cols <= most_pitch) {
        const near_hoods near = inside_at(f, p.u, 0, y, x);
        const map_sources maps{f, p.u, p.c, &near};
        *own(near) = evaluate_at(element_at(near, maps, f, 0, 0, 0, 0, y, x), p.u, p.c, at);
    } else if (border != border_rule::none || !leaves_grid(p.c, at)) {
        const map_sources maps{f, p.u, p.c, nullptr};
        f.out.data[size_t(y) * cols + x] = // the grid has no gaps
            evaluate_at(checked_at(f, p.u, space_of(f, p.c), maps, 0, y, x), p.u, p.c, at);
    }
}
)cuda";

/// Numbers of the neighbours that a hood has, at most.
std::size_t hood_volume(const stencil_shape& shape)
{
    std::size_t volume = 1;
    for (int a = 0; a < 3; ++a) volume *= shape.before[a] + 1 + shape.after[a];
    return volume;
}

} // namespace

std::size_t tokens_of(const function_source& f) { return tokenize(f.text).size(); }

std::size_t tokens_of(const recipe& what)
{
    std::size_t count = 0;
    for (const function_call& call : what.calls) count += tokens_of(*call.function);
    return count;
}

std::array<unsigned, 3> patch_of(const recipe& what)
{
    // What unrolled code may come to: neighbours read, tokens, and bytes of results in registers.
    constexpr std::size_t most_reads = 1024, most_tokens = 20'000, most_bytes = 64;
    const stencil_shape& shape = what.stencil;
    std::array<unsigned, 3> patch{1, 1, 4};
    if (shape.rank == 3) patch = {4, 2, 1};
    else if (shape.rank == 2 || shape.down) patch = {1, 8, 1};
    const auto too_large = [&] {
        const std::size_t n = patch[0] * patch[1] * patch[2];
        return n * hood_volume(shape) > most_reads || n * tokens_of(what) > most_tokens ||
               n * what.result_size > most_bytes;
    };
    for (unsigned& n : patch)
        while (n > 1 && too_large()) n /= 2;
    return patch;
}

namespace
{

/// The elements of hoods over maps: made when a function asks for them.
std::string mapped_at_text(const recipe& what)
{
    std::string text =
        "template <class A, class B> constexpr bool same_type = false;\n"
        "template <class A> constexpr bool same_type<A, A> = true;\n"
        "template <class T> inline T mapped_at(int slot, const map_sources& from, bool is_near, long z, long y, "
        "long x)\n{\n    const field& f = from.f;\n    const uniforms& u = from.u;\n"
        "    const space s = space_of(f, from.c);\n";
    for (const hood_map& m : what.hood_maps) {
        const std::string k = std::to_string(m.slot);
        const auto mapped = [&](const std::string& element) {
            return "return generated::mapped_s" + k + "(u, " + for_each_source(what, m, element, ", ") + ");\n";
        };
        text += "    if constexpr (same_type<T, skelrt_t" + k + ">)\n        if (slot == " + k + ") {\n";
        text += "            if (is_near) " + mapped("from.near->s#.at(int(z), int(y), int(x))");
        if (what.stencil.border == border_rule::constant)
            text += "            if (!in_grid(from.c, place_of(f, z, y, x))) return u.s" + k + "_border;\n";
        text += "            " + mapped("around_s#(f, u).at(s, z, y, x)") + "        }\n";
    }
    return text + "    __builtin_unreachable();\n}\n";
}

/// Element i of the first hood, as an expression.
std::string center_text(const recipe& what)
{
    const unsigned first = first_hood(what);
    for (const hood_map& m : what.hood_maps)
        if (m.slot == first)
            return "generated::mapped_s" + std::to_string(first) + "(u, " +
                   for_each_source(what, m, "f.s#.data[i]", ", ") + ")";
    return "f.s" + std::to_string(first) + ".data[i]";
}

} // namespace

std::string stencil_direct_text(const recipe& what, const stencil_plan& plan)
{
    const auto [z, y, x] = plan.direct;
    const auto number = [](unsigned n) { return std::to_string(n); };
    const auto operands = [&](const std::string& form, const std::string& between) {
        return for_each_surrounded(what, form, between);
    };
    unsigned any = 0;
    while (!has_surroundings(what.slots[any].kind)) ++any;
    const std::string first = number(any);
    std::string text = "namespace skelrt::generated\n{\nconstexpr int own_z = " + number(z) + ", own_y = " + number(y) +
                       ", own_x = " + number(x) + ";\n";
    text += "inline bool has_before(const field& f) { return f.s" + first + ".before != nullptr; }\n";
    text += "inline bool has_after(const field& f) { return f.s" + first + ".after != nullptr; }\n";
    text += "template <class T> near_lines<T> near_of(const around<T>& all, const field& f, long z, long y, long x);\n";
    text += "struct near_hoods {\n" + operands("    near_lines<skelrt_t#> s#;\n", "") + "};\n";
    text += "inline near_hoods near_at(const field& f, const uniforms& u, long z, long y, long x)\n{\n    return {" +
            operands("generated::near_of(around_s#(f, u), f, z, y, x)", ", ") + "};\n}\n";
    text +=
        "template <class T> near_lines<T> inside_of(const around<T>& all, const field& f, long z, long y, long x);\n";
    text += "inline near_hoods inside_at(const field& f, const uniforms& u, long z, long y, long x)\n{\n    return {" +
            operands("generated::inside_of(around_s#(f, u), f, z, y, x)", ", ") + "};\n}\n";
    text +=
        "/// What maps under hoods read: around a patch, or, where near is null, anywhere.\n"
        "struct map_sources {\n    const field& f;\n    const uniforms& u;\n    const sweep& c;\n    const near_hoods* "
        "near;\n};\n";
    if (!what.hood_maps.empty()) text += mapped_at_text(what);
    text += "inline element element_at(const near_hoods& near, const map_sources& maps, const field& f, int s, int r, "
            "int k, "
            "long z, long y, long x)\n{\n    return {" +
            element_list(what, "@(near.s#, s, r, k)", "@(maps, #, true, s, r, k)", "f.s#.at(z + s, y + r, x + k)") +
            "};\n}\n";
    text +=
        "inline element checked_at(const field& f, const uniforms& u, const space& s, const map_sources& maps, long z, "
        "long y, long x)\n{\n    return {" +
        element_list(what, "@(around_s#(f, u), s, z, y, x)", "@(maps, #, false, z, y, x)", "f.s#.at(z, y, x)") +
        "};\n}\n";
    if (keeps_elements(what))
        text += "#define SKELRT_KEEPS\n"
                "inline result_type center(const field& f, const uniforms& u, long z, long y, long x)\n{\n    const "
                "long i = "
                "(z * f.n[1] + y) * f.n[2] + x;\n    return " +
                center_text(what) + ";\n}\n";
    text += stencil_known_text(what) + patches + one_each;
    if (!plan.alternates) text += single;
    else
        text +=
            "/// Where the result of such a position goes.\ninline result_type* own(const near_hoods& near) { return "
            "const_cast<result_type*>(near.s" +
            number(first_hood(what)) + ".data); }\nconstexpr int side = " + number(alternating_lanes) +
            "; // threads side by side, on every other column\n" + in_place;
    return text + "} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
