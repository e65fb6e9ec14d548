// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/blas/cublas.hpp"

#include <skelrt/error.hpp>

#include <algorithm>

namespace skelrt::detail::cuda
{

/// A block computes a tile of the result; a thread some of its elements, in registers. Panels of both sides go through
/// shared memory, the next one on its way in registers while the threads work on this one. After Volkov and Demmel,
/// "Benchmarking GPUs to tune dense linear algebra", SC 2008; the shape of a warp's part is CUTLASS's.
///
/// Operators have no identity: rows and columns beyond the edge repeat the last and are not stored, and nothing is
/// added beyond the end of a row.
const char* const all_pairs_text = R"cuda(
namespace skelrt::generated
{

constexpr int row_chunk = thread_rows < 4 ? thread_rows : 4, col_chunk = thread_cols < 4 ? thread_cols : 4;
constexpr int left_stride = tile_rows + 4, right_stride = tile_cols + 4; // in shared memory; spreads over the banks

enum access { general, along, across }; // along: 16 bytes of a row at once; across: of as many neighbouring rows

struct left_side {
    using type = left_type;
    static constexpr int width = tile_rows, stride = left_stride;
    static type value(const grid& s, const uniforms& u, size_t i, size_t k, size_t depth)
    {
        return left_value(s, u, i, s.row + i, k, depth);
    }
    static size_t count(const grid& s) { return s.rows; }
    static size_t step(const grid& s) { return left_step(s); }
#if SKELRT_PLAIN_SIDES
    static const type* data(const grid& s, size_t i, size_t k) { return left_data(s, i, s.row + i, k); }
#endif
};

struct right_side {
    using type = right_type;
    static constexpr int width = tile_cols, stride = right_stride;
    static type value(const grid& s, const uniforms& u, size_t i, size_t k, size_t depth)
    {
        return right_value(s, u, i, i, k, depth);
    }
    static size_t count(const grid& s) { return s.cols; }
    static size_t step(const grid& s) { return right_step(s); }
#if SKELRT_PLAIN_SIDES
    static const type* data(const grid& s, size_t i, size_t k) { return right_data(s, i, i, k); }
#endif
};

/// What a thread brings of a panel: rows first .. first + width of a side, elements k0 .. k0 + panel_depth of each.
template <class Side, access How> struct panel_part;

template <class Side> struct panel_part<Side, general> {
    using T = typename Side::type;
    static constexpr int size = Side::width * panel_depth, count = (size + threads - 1) / threads;
    values<T, count> x;

    static int element(int e) { return e * threads + int(threadIdx.x); }
    static int row(int n, bool k_first) { return k_first ? n / panel_depth : n % Side::width; }
    static int depth_of(int n, bool k_first) { return k_first ? n % panel_depth : n / Side::width; }

    size_t first;

    panel_part(const grid&, size_t row) : first(row) {}
    void load(const grid& s, const uniforms& u, size_t k0, size_t depth)
    {
        const bool k_first = Side::step(s) == 1;
        const size_t last = Side::count(s) - 1;
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            const size_t i = first + row(n, k_first), k = k0 + depth_of(n, k_first);
            if (n < size && k < depth) x[e] = Side::value(s, u, i < last ? i : last, k, depth);
        }
    }
    void store(const grid& s, T* shared) const
    {
        const bool k_first = Side::step(s) == 1;
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            if (n < size) shared[depth_of(n, k_first) * Side::stride + row(n, k_first)] = x[e];
        }
    }
};

#if SKELRT_PLAIN_SIDES
constexpr int divided(int a, int b) { return (a + b - 1) / b; }

template <class Side> struct panel_part<Side, along> {
    using T = typename Side::type;
    static constexpr int width = 16 / sizeof(T), in_row = panel_depth / width,
                         size = Side::width * in_row, count = divided(size, threads);
    pack<T, width> x[count];
    const T* from[count]; // the next panel's

    static int element(int e) { return e * threads + int(threadIdx.x); }
    panel_part(const grid& s, size_t first)
    {
        const size_t last = Side::count(s) - 1;
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const size_t i = first + element(e) / in_row;
            from[e] = Side::data(s, i < last ? i : last, element(e) % in_row * width);
        }
    }
    void load(const grid&, const uniforms&, size_t k0, size_t depth)
    {
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            if (n < size && k0 + n % in_row * width < depth) x[e].load(from[e]);
            from[e] += panel_depth;
        }
    }
    void store(const grid&, T* shared) const
    {
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            if (n >= size) break;
            #pragma unroll
            for (int j = 0; j < width; ++j) shared[(n % in_row * width + j) * Side::stride + n / in_row] = x[e].get(j);
        }
    }
};

template <class Side> struct panel_part<Side, across> {
    using T = typename Side::type;
    static constexpr int width = 16 / sizeof(T), in_line = Side::width / width,
                         size = panel_depth * in_line, count = divided(size, threads);
    pack<T, width> x[count];
    const T* from[count]; // the next panel's

    static int element(int e) { return e * threads + int(threadIdx.x); }
    panel_part(const grid& s, size_t first)
    {
        const size_t last = Side::count(s) - width;
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const size_t i = first + element(e) % in_line * width;
            from[e] = Side::data(s, i < last ? i : last, element(e) / in_line);
        }
    }
    void load(const grid& s, const uniforms&, size_t k0, size_t depth)
    {
        const size_t panel = panel_depth * Side::step(s);
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            if (n < size && k0 + n / in_line < depth) x[e].load(from[e]);
            from[e] += panel;
        }
    }
    void store(const grid&, T* shared) const
    {
        #pragma unroll
        for (int e = 0; e < count; ++e) {
            const int n = element(e);
            if (n < size) x[e].store(shared + n / in_line * Side::stride + n % in_line * width);
        }
    }
};
#endif

/// A thread's elements of the tile: chunks of rows and columns, so that a warp reads shared memory without conflicts.
struct place {
    int row, col; // of the first chunk
    static constexpr int row_step = 4 * row_chunk, col_step = 8 * col_chunk;
    place()
    {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        row = warp / warps_across * (4 * thread_rows) + lane / 8 * row_chunk;
        col = warp % warps_across * (8 * thread_cols) + lane % 8 * col_chunk;
    }
    int row_of(int i) const { return row + i / row_chunk * row_step + i % row_chunk; }
    int col_of(int j) const { return col + j / col_chunk * col_step + j % col_chunk; }
};

/// A thread's results, of a part of the depth: in registers.
struct pairs_of_thread {
    static constexpr int many = thread_rows * thread_cols;
    place at;
    values<result_type, many> sum;

    /// f(number of the element, left value, right value) for all pairs of one k.
    template <class F> void each(const left_type* a, const right_type* b, F f)
    {
        values<left_type, thread_rows> x;
        values<right_type, thread_cols> y;
        #pragma unroll
        for (int i = 0; i < thread_rows; i += row_chunk) {
            pack<left_type, row_chunk> part;
            part.load(a + at.row_of(i));
            #pragma unroll
            for (int c = 0; c < row_chunk; ++c) x[i + c] = part.get(c);
        }
        #pragma unroll
        for (int j = 0; j < thread_cols; j += col_chunk) {
            pack<right_type, col_chunk> part;
            part.load(b + at.col_of(j));
            #pragma unroll
            for (int c = 0; c < col_chunk; ++c) y[j + c] = part.get(c);
        }
        #pragma unroll
        for (int i = 0; i < thread_rows; ++i)
            #pragma unroll
            for (int j = 0; j < thread_cols; ++j) f(i * thread_cols + j, x[i], y[j]);
    }
    void begin(const left_type* a, const right_type* b)
    {
        each(a, b, [&](int n, const left_type& x, const right_type& y) { sum[n] = generated::zipped(x, y); });
    }
    void add(const left_type* a, const right_type* b)
    {
        each(a, b, [&](int n, const left_type& x, const right_type& y) {
            sum[n] = generated::combine(sum[n], generated::zipped(x, y));
        });
    }
    void put_in_front(const values<result_type, many>& front)
    {
        #pragma unroll
        for (int n = 0; n < many; ++n) sum[n] = generated::combine(front[n], sum[n]);
    }
    void put_in_front(const result_type& start)
    {
        #pragma unroll
        for (int n = 0; n < many; ++n) sum[n] = generated::combine(start, sum[n]);
    }
    void scale(const uniforms& u)
    {
        #pragma unroll
        for (int n = 0; n < many; ++n) sum[n] = generated::scaled_sum(u, sum[n]);
    }
    /// What the result holds.
    void put_stored_in_front(const grid& s, const uniforms& u, size_t row0, size_t col0)
    {
        #pragma unroll
        for (int i = 0; i < thread_rows; ++i)
            #pragma unroll
            for (int j = 0; j < thread_cols; ++j) {
                const size_t row = row0 + at.row_of(i), col = col0 + at.col_of(j);
                if (row >= s.rows || col >= s.cols) continue;
                result_type& mine = sum[i * thread_cols + j];
                mine = generated::combine(generated::scaled_front(u, s.out.data[row * s.out.ld + col]), mine);
            }
    }
    void store(const grid& s, size_t row0, size_t col0) const
    {
        #pragma unroll
        for (int i = 0; i < thread_rows; ++i) {
            const size_t row = row0 + at.row_of(i);
            if (row >= s.rows) continue;
            #pragma unroll
            for (int j = 0; j < thread_cols; j += col_chunk) {
                const size_t col = col0 + at.col_of(j);
                result_type* const out = s.out.data + row * s.out.ld + col;
                pack<result_type, col_chunk> part;
                #pragma unroll
                for (int c = 0; c < col_chunk; ++c) part.set(c, sum[i * thread_cols + j + c]);
                constexpr int word = pack<result_type, col_chunk>::word_bytes;
                if (col + col_chunk <= s.cols && reinterpret_cast<size_t>(out) % word == 0) {
                    part.store(out);
                    continue;
                }
                #pragma unroll
                for (int c = 0; c < col_chunk; ++c)
                    if (col + c < s.cols) out[c] = part.get(c);
            }
        }
    }
};

/// Sums of parts, added up as scan_state does it: level k holds what less than `fan` times fan^k parts give. In the
/// thread's memory, not in registers: it is touched once a part.
struct sums_of_parts {
    static constexpr int levels = 4, fan = 32;
    values<result_type, pairs_of_thread::many> level[levels];

    /// Part number `units`.
    void add(pairs_of_thread& part, size_t units)
    {
        int k = 0;
        for (; k + 1 < levels && units % fan == fan - 1; ++k, units /= fan) part.put_in_front(level[k]);
        if (k + 1 < levels ? units % fan > 0 : units > 0) part.put_in_front(level[k]);
        #pragma unroll
        for (int n = 0; n < pairs_of_thread::many; ++n) level[k][n] = part.sum[n];
    }
    /// The last part becomes the sum of all; so many came before.
    void put_in_front_of(pairs_of_thread& last, size_t units) const
    {
        for (int k = 0; units > 0; units = k + 1 < levels ? units / fan : 0, ++k)
            if (k + 1 == levels || units % fan > 0) last.put_in_front(level[k]);
    }
};
constexpr int part_depth = (128 + panel_depth - 1) / panel_depth * panel_depth;

/// Blocks that run at the same time share rows and columns: eight tiles down, then across.
inline position tile_position(unsigned block, unsigned down, unsigned across)
{
    const unsigned group = 8 * across, first = block / group * 8, size = down - first < 8 ? down - first : 8;
    const unsigned in_group = block % group;
    return {(first + in_group % size) * size_t(tile_rows), in_group / size * size_t(tile_cols)};
}

template <access Left, access Right> inline void multiply(const grids& p)
{
    __shared__ __align__(16) unsigned char left_bytes[2 * panel_depth * left_stride * sizeof(left_type)];
    __shared__ __align__(16) unsigned char right_bytes[2 * panel_depth * right_stride * sizeof(right_type)];
    const grid& s = p.at[blockIdx.y];
    const unsigned down = unsigned(divide_up(s.rows, tile_rows)), cols = unsigned(divide_up(s.cols, tile_cols));
    if (blockIdx.x >= down * cols) return;
    const position at = tile_position(blockIdx.x, down, cols);
    const size_t depth = p.r.chunk;
    left_type* a = reinterpret_cast<left_type*>(left_bytes);
    right_type* b = reinterpret_cast<right_type*>(right_bytes);

    panel_part<left_side, Left> left(s, at.row);
    panel_part<right_side, Right> right(s, at.col);
    left.load(s, p.u, 0, depth);
    right.load(s, p.u, 0, depth);
    left.store(s, a);
    right.store(s, b);
    __syncthreads();

    pairs_of_thread mine;
    sums_of_parts before;
    int now = 0; // which of the two panels
    for (size_t k = 0;; k += panel_depth) {
        const bool more = k + panel_depth < depth;
        if (more) {
            left.load(s, p.u, k + panel_depth, depth);
            right.load(s, p.u, k + panel_depth, depth);
        }
        const left_type* x = a + now * panel_depth * left_stride;
        const right_type* y = b + now * panel_depth * right_stride;
        if (k % part_depth == 0) mine.begin(x, y);
        else mine.add(x, y);
        if (k + panel_depth <= depth) {
            #pragma unroll
            for (int i = 1; i < panel_depth; ++i) mine.add(x + i * left_stride, y + i * right_stride);
        } else {
            #pragma unroll 1
            for (int i = 1; k + i < depth; ++i) mine.add(x + i * left_stride, y + i * right_stride);
        }
        if (!more) break;
        if ((k + panel_depth) % part_depth == 0) before.add(mine, k / part_depth);
        now ^= 1;
        left.store(s, a + now * panel_depth * left_stride);
        right.store(s, b + now * panel_depth * right_stride);
        __syncthreads();
    }
    before.put_in_front_of(mine, (depth - 1) / part_depth);
    mine.scale(p.u);
    if (p.r.front == 1) mine.put_in_front(p.r.start);
    if (p.r.front == 2) mine.put_stored_in_front(s, p.u, at.row, at.col);
    mine.store(s, at.row, at.col);
}

extern "C" __global__ void __launch_bounds__(threads, blocks_at_once) all_pairs_general(const __grid_constant__ grids p) { multiply<general, general>(p); }
#if SKELRT_PLAIN_SIDES
extern "C" __global__ void __launch_bounds__(threads, blocks_at_once) all_pairs_along(const __grid_constant__ grids p) { multiply<along, along>(p); }
extern "C" __global__ void __launch_bounds__(threads, blocks_at_once) all_pairs_across(const __grid_constant__ grids p) { multiply<along, across>(p); }
#endif

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t word = 16;                ///< bytes that a thread loads at once
constexpr std::size_t shared_memory = 40 << 10; ///< of a block; every GPU has 48 KiB

std::size_t size_of(const recipe& what, const argument& a)
{
    return a.kind == argument_kind::slot ? what.slots[a.which].size : what.calls[a.which].result_size;
}

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % word == 0; }

/// Whether 16 bytes of a row (of each line of rows) can be loaded at once, in all segments.
bool fits_words(const work& w, unsigned slot, bool along)
{
    const std::size_t size = w.what.slots[slot].size, many = word / size;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const slot_view& v = w.slot(s, slot);
        const bool rows = w.what.slots[slot].kind == slot_kind::row_vec;
        const std::size_t of_row = rows ? v.ld : v.stride, of_k = rows ? v.stride : v.ld;
        const std::size_t near = along ? of_k : of_row, far = along ? of_row : of_k;
        const std::size_t length = along ? w.depth : w.segments[s].cols;
        if (near != 1 || far * size % word != 0 || length % many != 0 || !is_aligned(v.data)) return false;
    }
    return true;
}

const void* kernel_for(const work& w, const program& kernels)
{
    const pair_shape shape = pair_shape_of(w.what, kernels.threads);
    if (!shape.plain) return kernels.walk[0];
    const auto& sides = w.what.calls.back().arguments;
    if (w.what.slots[sides[0].which].kind != slot_kind::row_vec || !fits_words(w, sides[0].which, true))
        return kernels.walk[0];
    if (fits_words(w, sides[1].which, true)) return kernels.walk[1];
    if (fits_words(w, sides[1].which, false)) return kernels.walk[2];
    return kernels.walk[0];
}

} // namespace

pair_shape pair_shape_of(const recipe& what, unsigned threads)
{
    const auto& sides = what.calls.back().arguments;
    const std::size_t left = size_of(what, sides[0]), right = size_of(what, sides[1]);
    const std::size_t largest = std::max<std::size_t>({left, right, what.result_size});
    pair_shape s;
    s.threads = threads;
    s.across = 1;
    while (4 * s.across * s.across <= threads / warp_lanes) s.across *= 2;
    s.down = threads / warp_lanes / s.across;
    // Registers: a thread keeps rows * cols results and rows + cols values; of more threads each has fewer.
    s.rows = largest <= 8 ? 8 : largest <= 16 ? 4 : largest <= 64 ? 2 : 1;
    s.cols = largest <= 4 ? 8 : largest <= 16 ? 4 : largest <= 64 ? 2 : 1;
    if (threads > block_threads) s.cols = std::max(s.cols / 2, 1u);
    if (threads > 2 * block_threads) s.rows = std::max(s.rows / 2, 1u);
    s.blocks = std::max((largest <= 4 ? 2 : 1) * block_threads / threads, 1u);
    const std::size_t one = 2 * ((s.tile_rows() + 4) * left + (s.tile_cols() + 4) * right);
    s.depth = static_cast<unsigned>(std::min<std::size_t>(shared_memory / one, 8));
    if (s.depth == 0)
        throw function_error(what.name + ": its values take " + std::to_string(largest) +
                             " bytes each, too many for the shared memory of a CUDA block of " +
                             std::to_string(threads) + " threads; pass smaller ones");
    const auto plain = [&](const argument& a) {
        const std::size_t size = size_of(what, a);
        return a.kind == argument_kind::slot && (size == 4 || size == 8);
    };
    s.plain = plain(sides[0]) && plain(sides[1]) && s.depth == 8;
    return s;
}

std::string pair_shape_text(const recipe& what, unsigned threads)
{
    const pair_shape s = pair_shape_of(what, threads);
    const auto constant = [](const char* name, unsigned value) {
        return "constexpr int " + std::string(name) + " = " + std::to_string(value) + ";\n";
    };
    return "#define SKELRT_PLAIN_SIDES " + std::to_string(s.plain) + "\nnamespace skelrt::generated\n{\n" +
           constant("threads", s.threads) + constant("warps_across", s.across) + constant("tile_rows", s.tile_rows()) +
           constant("tile_cols", s.tile_cols()) + constant("thread_rows", s.rows) + constant("thread_cols", s.cols) +
           constant("panel_depth", s.depth) + constant("blocks_at_once", s.blocks) + "}\n";
}

void launch_all_pairs(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.block == 0 && blas::cuda::multiply(what, stream)) return; // whose blocks are its own
    const pair_shape shape = pair_shape_of(what.what, kernels.threads);
    const void* kernel = kernel_for(what, kernels);
    parameter_block block{kernels.layout};
    std::size_t most = 0;
    const auto flush = [&] {
        if (block.segments() > 0) run(kernel, {most, block.segments()}, shape.threads, block.data(), stream);
        block.clear();
        most = 0;
    };
    const front in_front = what.begun ? front::stored : what.start != nullptr ? front::start : front::nothing;
    block.set_reduction(what.depth, 0, in_front, what.start);
    for (std::size_t s = 0; s < what.segments.size(); ++s) {
        const segment& where = what.segments[s];
        if (where.rows == 0 || where.cols == 0) continue;
        if (block.segments() == 0) block.set_uniforms(what);
        const slot_view& out = what.slot(s, what.what.slots.size() - 1);
        block.add_grid(what, s, out.data, out.ld, out.stride);
        most = std::max(most, divided_up(where.rows, shape.tile_rows()) * divided_up(where.cols, shape.tile_cols()));
        if (block.segments() == kernels.layout.grids) flush();
    }
    flush();
}

} // namespace skelrt::detail::cuda
