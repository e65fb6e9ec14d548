// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

#include "codelets/cuda/launch/launchers.hpp"

#include <skelrt/algorithms/detail/merge_step.hpp>

#include <string_view>

/// Calls of sk::merge and nothing else: blocks know from the call's third operand where the merge path crosses the ends
/// of their tiles, so each merges two known parts of the operands in shared memory, which it reads and writes once.
namespace skelrt::detail::cuda
{

const char* const merge_call_text = R"cuda(
namespace skelrt::generated
{

constexpr int merge_items = merge_tile / merge_threads; ///< results of a thread

/// Elements of a tile in shared memory. A gap after every 32 puts the first results of neighbouring threads into banks
/// of their own.
struct merge_room {
    values<result_type, merge_tile + merge_tile / 32 + 1> elements;
    result_type& operator[](unsigned i) { return elements[i + i / 32]; }
};

/// How many of the first k elements of a merge come from the first `n` of the room, the rest being the `m` behind them.
inline unsigned merge_crossing(merge_room& room, unsigned k, unsigned n, unsigned m)
{
    unsigned low = k > m ? k - m : 0, high = k < n ? k : n;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (generated::in_front(room[n + k - 1 - middle], room[middle])) high = middle;
        else low = middle + 1;
    }
    return low;
}

/// Both parts of a tile of `count` results, neighbours by neighbours. Of a full tile all loads are under way at once.
/// Unsorted operands have crossings that do not fit together; nothing outside of them is read even so.
inline void merge_load(merge_room& room, const uniforms& u, size_t first, size_t other, unsigned n, unsigned count)
{
    const size_t own = u.s0.size(), others = u.s1.size();
    const result_type *const a = u.s0.data() + first, *const b = u.s1.data() + other - n;
    if (count == merge_tile && first + n <= own && other + (count - n) <= others) {
        values<result_type, merge_items> x;
        #pragma unroll
        for (unsigned k = 0; k < merge_items; ++k) {
            const unsigned i = threadIdx.x + k * merge_threads;
            x[k] = (i < n ? a : b)[i];
        }
        #pragma unroll
        for (unsigned k = 0; k < merge_items; ++k) room[threadIdx.x + k * merge_threads] = x[k];
        return;
    }
    for (unsigned i = threadIdx.x; i < count; i += merge_threads) {
        if (i < n) room[i] = u.s0.data()[first + i < own ? first + i : own - 1];
        else if (others > 0) room[i] = u.s1.data()[other + (i - n) < others ? other + (i - n) : others - 1];
    }
}

/// The positions of the call from `begin` on that are in a tile; begin is a multiple of merge_step.
extern "C" __global__ void __launch_bounds__(merge_threads) merge_tiles(const __grid_constant__ lines p)
{
    __shared__ merge_room room;
    const line& s = p.at[blockIdx.y];
    const size_t from = s.row * p.u.width + s.col, to = from + s.count, all = p.u.s0.size() + p.u.s1.size();
    const size_t begin = from / merge_step * merge_step + size_t(blockIdx.x) * merge_tile;
    if (begin >= to) return;
    const unsigned count = all - begin < merge_tile ? all - begin : merge_tile;
    const size_t* const path = p.u.s2.data();
    const size_t first = path[begin / merge_step], last = path[(begin + count + merge_step - 1) / merge_step];
    const size_t between = first < last ? last - first : 0;
    const unsigned n = between < count ? between : count, m = count - n;
    merge_load(room, p.u, first, begin - first, n, count);
    __syncthreads();

    const unsigned own = threadIdx.x * merge_items;
    values<result_type, merge_items> y;
    if (own < count) {
        unsigned i = generated::merge_crossing(room, own, n, m), j = n + own - i;
        result_type a = room[i], b = room[j]; // what lies behind a part is not taken
        #pragma unroll
        for (int k = 0; k < merge_items; ++k) {
            const bool of_first = j >= count || (i < n && !generated::in_front(b, a));
            y[k] = of_first ? a : b;
            if (of_first) a = room[++i < count ? i : count];
            else b = room[++j < count ? j : count];
        }
    }
    __syncthreads();
    if (own < count)
        #pragma unroll
        for (int k = 0; k < merge_items; ++k)
            if (own + k < count) room[own + k] = y[k];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += merge_threads)
        if (begin + i >= from && begin + i < to) s.out[begin + i - from] = room[i];
}

} // namespace skelrt::generated
)cuda";

namespace
{

bool is_merge(const recipe& what)
{
    if (what.kind != skeleton::map || what.calls.size() != 1 || what.root.kind != argument_kind::call) return false;
    const function_source& function = *what.calls[0].function;
    const auto whole = [&](std::size_t k) { return what.slots[k].kind == slot_kind::vec; };
    return function.facts == nullptr && std::string_view{function.file} == "sk::merge" && what.members.empty() &&
           what.slots.size() == 4 && whole(0) && whole(1) && whole(2) && what.result_size <= 8 &&
           what.slots[0].type == what.result;
}

} // namespace

unsigned merge_tile_of(const recipe& what, unsigned threads)
{
    constexpr unsigned most = 4096, most_of_thread = 32; // shared memory, registers
    static_assert(most % merge_step == 0);
    if (!is_merge(what)) return 0;
    const unsigned tile = threads < block_threads ? merge_step : most;
    return tile % threads == 0 && tile / threads <= most_of_thread ? tile : 0;
}

std::string merge_call_constants(unsigned tile, unsigned threads)
{
    return "namespace skelrt::generated\n{\nconstexpr unsigned merge_step = " + std::to_string(merge_step) +
           ", merge_tile = " + std::to_string(tile) + ", merge_threads = " + std::to_string(threads) +
           ";\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
