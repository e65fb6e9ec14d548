// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/sort/radix_keys.hpp"
#include "codelets/cuda/source.hpp"
#include "codelets/merge_sort.hpp"

#include <algorithm>

/// A sort of what the segments hold: their mapped values come together in scratch, are sorted there, by CUB's radix
/// sort or by merging, and go where the results are.
namespace skelrt::detail::cuda
{
namespace
{

/// By key the readers are strided ones: there is an output.
constexpr const char* moves_text = R"cuda(
namespace skelrt::generated
{

inline void gather_element(const reduction& to, const element& e, const uniforms& u, size_t row, size_t i)
{
    static_cast<sort_key*>(to.keys)[i] = generated::key_of(evaluate(e, u, row, i));
#if SORT_BY_KEY
    to.order[i] = unsigned(i);
    static_cast<skelrt_t1*>(to.values)[i] = e.s1;
#endif
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) sort_gather_linear(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i < s.count) gather_element(p.r, load(s, i), p.u, s.row, s.col + i);
}
extern "C" __global__ void __launch_bounds__(threads) sort_scatter_linear(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i < s.count) s.out[i] = generated::value_of(static_cast<const sort_key*>(p.r.keys)[s.col + i]);
}
#endif

extern "C" __global__ void __launch_bounds__(threads) sort_gather_strided(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i < s.cols) gather_element(p.r, load(s, 0, i), p.u, s.row, s.col + i);
}
extern "C" __global__ void __launch_bounds__(threads) sort_scatter_strided(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i >= s.cols) return;
    s.out.at(0, i) = generated::value_of(static_cast<const sort_key*>(p.r.keys)[s.col + i]);
#if SORT_BY_KEY
    s.s2.at(0, i) = static_cast<const skelrt_t1*>(p.r.values)[p.r.order[s.col + i]];
#endif
}

} // namespace skelrt::generated
)cuda";

constexpr const char* words = R"cuda(
#define KEY result_type
#define BEFORE(a, b) generated::before(a, b)
#define GLOBAL
#define SHARED
#define GROUP blockIdx.x
#define THREAD threadIdx.x
#define THREADS SORT_LANES
#define BARRIER __syncthreads()
namespace skelrt::generated
{
)cuda";

constexpr const char* merge_text = R"cuda(
struct merge_pass {
    global_items from, to;
    size_t count, width;
};

#define TILES                                                                                         \
    __shared__ values<KEY, SORT_TILE> keys_a, keys_b;                                                 \
    __shared__ unsigned order_a[SORT_BY_KEY ? SORT_TILE : 1], order_b[SORT_BY_KEY ? SORT_TILE : 1];   \
    const shared_items a = {&keys_a[0], order_a}, b = {&keys_b[0], order_b};

extern "C" __global__ void __launch_bounds__(SORT_LANES) sort_tiles(const __grid_constant__ merge_pass p)
{
    TILES
    sort_tile(p.to, p.count, a, b);
}

extern "C" __global__ void __launch_bounds__(SORT_LANES) merge_tiles(const __grid_constant__ merge_pass p)
{
    TILES
    __shared__ size_t split[2];
    merge_tile(p.from, p.to, p.count, p.width, a, b, split);
}

using sort_key = result_type;
inline const result_type& key_of(const result_type& x) { return x; }
inline const result_type& value_of(const result_type& x) { return x; }

} // namespace skelrt::generated
)cuda";

/// As struct merge_pass.
struct merge_pass {
    void *from, *from_order, *to, *to_order;
    std::size_t count, width;
};

std::size_t count_of(const work& w)
{
    std::size_t n = 0;
    for (const segment& s : w.segments) n += s.rows * s.cols;
    return n;
}

/// Bytes of a key in scratch.
std::size_t key_size(const recipe& what, unsigned block)
{
    const std::size_t word = radix_word_size(what, block);
    return word > 0 ? word : what.result_size;
}

class sorter
{
public:
    sorter(const work& w, const program& p, cudaStream_t stream)
        : work_(w), program_(p), stream_(stream), count_(count_of(w)), at_(w.what, count_, key_size(w.what, p.block))
    {
    }

    void run_all()
    {
        if (count_ == 0) return;
        move(program_.walk, 0);
        const std::size_t half = radix_word_size(work_.what, program_.block) > 0 ? radix() : merge();
        move(program_.tiles, half);
    }

private:
    std::byte* scratch(std::size_t offset) const { return static_cast<std::byte*>(work_.scratch.data) + offset; }
    void* keys(std::size_t half) const { return scratch(at_.keys[half]); }
    unsigned* order(std::size_t half) const
    {
        return sorts_by_key(work_.what) ? reinterpret_cast<unsigned*>(scratch(at_.order[half])) : nullptr;
    }
    access kind_of(std::size_t s) const
    {
        return access_of(work_, s, program_.shape) == access::strided ? access::strided : access::linear;
    }

    /// Between all segments and a half of scratch.
    void move(const void* const (&kernels)[3], std::size_t half)
    {
        for (std::size_t s = 0; s < work_.segments.size();) s = move_some(s, kernels, half);
    }
    /// Successive segments of one kind of access from `first` on, as many as fit in a launch. Returns the next one.
    std::size_t move_some(std::size_t first, const void* const (&kernels)[3], std::size_t half)
    {
        const access how = kind_of(first);
        const std::size_t most = how == access::strided ? program_.layout.grids : program_.layout.lines;
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        block.set_sort(keys(half), scratch(at_.values), order(half));
        std::size_t largest = 0, s = first;
        for (; s < work_.segments.size() && s - first < most && kind_of(s) == how; ++s) {
            const slot_view& out = work_.slot(s, work_.what.slots.size() - 1);
            if (how == access::strided) block.add_grid(work_, s, out.data, out.ld, out.stride);
            else block.add_line(work_, s, out.data);
            largest = std::max(largest, work_.segments[s].cols);
        }
        if (largest > 0)
            run(kernels[static_cast<std::size_t>(how)], {divided_up(largest, program_.threads), block.segments()},
                program_.threads, block.data(), stream_);
        return s;
    }

    /// Both return which half has the result.
    std::size_t merge()
    {
        const sort_tile tile = sort_tile_of(work_.what, program_.block);
        const auto start = [&](const void* kernel, std::size_t from, std::size_t to, std::size_t width) {
            merge_pass p{keys(from), order(from), keys(to), order(to), count_, width};
            run(kernel, {divided_up(count_, tile.size())}, tile.lanes, &p, stream_);
        };
        start(program_.sort_tiles, 0, 0, 0);
        std::size_t half = 0;
        for (std::size_t width = tile.size(); width < count_; width *= 2, half = 1 - half)
            start(program_.merge_tiles, half, 1 - half, width);
        return half;
    }
    std::size_t radix()
    {
        const std::size_t bytes = sort_scratch_bytes(work_.what, count_, program_.block) - at_.end;
        return sort_by_radix(work_.what, {{keys(0), keys(1)}, {order(0), order(1)}, count_, 0, scratch(at_.end), bytes},
                             stream_);
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    std::size_t count_;
    sort_scratch at_;
};

} // namespace

std::string sort_text(const recipe& what, unsigned block)
{
    if (radix_word_size(what, block) == 0)
        return words + sort_tile_of(what, block).text() + merge_sort_text(what) + merge_text + moves_text;
    return std::string("#define SORT_BY_KEY ") + (sorts_by_key(what) ? "1" : "0") +
           "\nnamespace skelrt::generated\n{\n" + radix_text(what) + "} // namespace skelrt::generated\n" + moves_text;
}

std::size_t sort_scratch_bytes(const recipe& what, std::size_t elements, unsigned block)
{
    const std::size_t arrays = sort_scratch(what, elements, key_size(what, block)).end;
    return arrays + (radix_word_size(what, block) > 0 ? radix_scratch(what, elements) : 0);
}

void launch_sort(const work& what, const program& kernels, cudaStream_t stream)
{
    sorter{what, kernels, stream}.run_all();
}

} // namespace skelrt::detail::cuda
