// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/index_fault.hpp"
#include "codelets/sparse/row_blocks.hpp"

#include <algorithm>
#include <string>

/// Maps in which a sparse matrix is multiplied: blocks sum rows, as many as have their share of items (row_blocks.hpp),
/// and hand each sum to what is left of the fused function.
namespace skelrt::detail::cuda
{

/// Neighbouring threads bring neighbouring entries, whichever rows they are of, all loads of a thread being under way
/// at once; rows are summed from shared memory, each by as many threads as there are for it. After Greathouse and Daga,
/// "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format", SC 2014.
const char* const row_sums_text = R"cuda(
namespace skelrt::generated
{

/// What no other thread needs, and so should take no cache from those operands that are read again.
template <class T> inline T read_once(const T* from)
{
    using word = typename word_of<sizeof(T)>::type;
    const word read = __ldcs(reinterpret_cast<const word*>(from));
    T value;
    memcpy(&value, &read, sizeof(T));
    return value;
}
template <class T> inline T read_entry(const T* from) { return sum_matrix ? *from : read_once(from); }

/// How many of `rows` rows end within the first `item` items: by a warp, whose lanes look at 32 places at a time.
inline size_t row_at(const unsigned long* begin, size_t rows, size_t item)
{
    const unsigned lane = threadIdx.x % lanes;
    size_t low = 0, high = rows;
    while (low < high) {
        const size_t step = divide_up(high - low, lanes), probe = low + (lane + 1) * step - 1;
        const bool within = probe < high && begin[probe + 1] - begin[0] + probe + 1 <= item;
        low += __popc(__ballot_sync(~0u, within)) * step;
        if (low + step - 1 < high) high = low + step - 1;
    }
    return low;
}

/// Of a power of two, or of the largest one that is at most n.
inline unsigned bits_of(unsigned n) { return 31 - __clz(n); }

/// One of so many that together are enough. A division of 64 bits is long code, and this is as good.
inline size_t share_of(size_t items, unsigned shares)
{
    return size_t(__fdividef(float(items), float(shares)) * 1.000001f) + 1;
}

/// What a block has of the operands: a thread's column is `col`, the same in all of its entries.
struct sum_columns {
    unsigned bits;     ///< of their number
    unsigned own;      ///< of the thread, among them
    size_t col, first; ///< in the segment; `first` instead, where the thread has none
};

/// Some entries times what they meet in x, at least one. Threads without an entry take the last one, so that nobody
/// branches; without the barriers the compiler has fewer loads under way, to save registers.
inline void bring(sum_type* products, const uniforms& u, size_t entry, unsigned count, const sum_columns& c)
{
    const unsigned* const column = sum_column(u) + entry;
    const sum_type* const value = sum_value(u) + entry;
    unsigned at[sum_each];
    sum_type values[sum_each], x[sum_each];
    #pragma unroll
    for (int j = 0; j < sum_each; ++j) {
        const unsigned i = (threadIdx.x + j * sum_threads) >> c.bits, k = i < count ? i : count - 1;
        at[j] = read_entry(column + k), values[j] = read_entry(value + k);
    }
    __syncwarp();
    #pragma unroll
    for (int j = 0; j < sum_each; ++j) x[j] = sum_x(u, at[j], c.col);
    __syncwarp();
    #pragma unroll
    for (int j = 0; j < sum_each; ++j) products[threadIdx.x + j * sum_threads] = values[j] * x[j];
}

/// Products from .. to - 1 of those that begin with the entry, `step` apart.
inline sum_type sum_of(const sum_type* products, unsigned from, unsigned to, unsigned step, const sum_columns& c)
{
    sum_type sum = 0;
    #pragma unroll 4
    for (; from < to; from += step) sum += products[(from << c.bits) + c.own];
    return sum;
}

/// Many rows whose entries are one tile: a thread has several. store(row, sum).
template <class Store>
inline void sum_short_rows(sum_type* products, const uniforms& u, const unsigned long* begin, unsigned rows,
                           const sum_columns& c, const Store& store)
{
    const size_t entry = begin[0], count = begin[rows] - entry;
    if (count > 0) bring(products, u, entry, count, c);
    __syncthreads();
    for (unsigned row = threadIdx.x >> c.bits; row < rows; row += sum_threads >> c.bits)
        store(row, sum_of(products, begin[row] - entry, begin[row + 1] - entry, 1, c));
    __syncthreads();
}

/// Rows of any length, at most as many as threads: each is summed by a power of two of these.
template <class Store>
inline void sum_rows(sum_type* products, const uniforms& u, const unsigned long* begin, unsigned rows,
                     const sum_columns& c, const Store& store)
{
    const unsigned summer_bits = bits_of((sum_threads >> c.bits) / rows), summers = 1u << summer_bits;
    const unsigned thread = threadIdx.x >> c.bits, row = thread >> summer_bits, mine = thread & (summers - 1);
    const size_t last = begin[rows];
    size_t from = 0, to = 0;
    if (row < rows) from = begin[row] + mine, to = begin[row + 1];
    sum_type sum = 0;
    for (size_t entry = begin[0]; entry < last; entry += sum_tile >> c.bits) {
        const size_t end = last - entry < sum_tile >> c.bits ? last : entry + (sum_tile >> c.bits);
        bring(products, u, entry, end - entry, c);
        __syncthreads();
        const size_t until = to < end ? to : end;
        if (from < until) {
            sum += sum_of(products, from - entry, until - entry, summers, c);
            from += (until - from + summers - 1) / summers * summers;
        }
        __syncthreads();
    }
    products[threadIdx.x] = sum;
    for (unsigned half = summers / 2; half > 0; half /= 2) {
        __syncthreads();
        if (mine < half) products[threadIdx.x] = sum = sum + products[threadIdx.x + (half << c.bits)];
    }
    if (row < rows && mine == 0) store(row, sum);
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(sum_threads) map_row_sums(const __grid_constant__ grids p)
{
    __shared__ sum_type products[sum_tile];
    __shared__ size_t ends[2];
    const grid& s = p.at[blockIdx.y];
    const unsigned bits = sum_matrix ? bits_of(p.r.width) : 0;
    const unsigned across = sum_matrix ? (s.cols + p.r.width - 1) >> bits : 1;
    const unsigned down = gridDim.x / across, block = blockIdx.x / across;
    const size_t rows = sum_matrix ? s.rows : s.cols;
    const unsigned long* const begin = sum_row_begin(p.u) + (sum_matrix ? s.row : s.row * p.u.width + s.col);
    const size_t items = begin[rows] - begin[0] + rows, share = share_of(items, down);
    const size_t own = share < p.r.items ? p.r.items : share, item = block * own;
    if (block >= down || item >= items) return;
    for (unsigned which = threadIdx.x / lanes; which < 2; which += warps) {
        const size_t end = item + which * own, row = row_at(begin, rows, end < items ? end : items);
        if (threadIdx.x % lanes == 0) ends[which] = row;
    }
    __syncthreads();

    sum_columns c{};
    if (sum_matrix) {
        c.bits = bits, c.own = threadIdx.x & ((1u << bits) - 1);
        c.first = size_t(blockIdx.x % across) << c.bits;
        c.col = c.first + c.own < s.cols ? c.first + c.own : c.first;
    }
    size_t row0 = ends[0];
    const auto store = [&](unsigned row, const sum_type& sum) {
        if (sum_matrix && c.first + c.own >= s.cols) return;
        const size_t i = row0 + row, at_row = sum_matrix ? i : 0, at_col = sum_matrix ? c.col : i;
        const auto element = load(s, at_row, at_col);
        generated::put(&s.out.at(at_row, at_col),
                       evaluate_with_sum(element, p.u, s.row + at_row, s.col + at_col, sum));
    };
    const size_t end = ends[1], most = sum_threads >> c.bits;
    if (end - row0 > most && begin[end] - begin[row0] <= sum_tile >> c.bits)
        return sum_short_rows(products, p.u, begin + row0, end - row0, c, store);
    for (; row0 < end; row0 += most)
        sum_rows(products, p.u, begin + row0, end - row0 < most ? end - row0 : most, c, store);
}

} // namespace skelrt::generated
)cuda";

namespace
{

/// Products that each of so many threads brings of a tile.
unsigned sum_each(unsigned threads)
{
    constexpr unsigned usual = 8, most = 4096; // of a tile: shared memory
    return std::min(usual, most / threads);
}

std::string accessor(const std::string& head, const std::string& value)
{
    return "inline " + head + " { return " + value + "; }\n";
}

} // namespace

std::string row_sums_constants(const row_sum& sum, unsigned threads)
{
    const auto slot = [](std::size_t k) { return "u.s" + std::to_string(k); };
    std::string text =
        "namespace skelrt::generated\n{\nconstexpr unsigned sum_threads = " + std::to_string(threads) +
        ", sum_each = " + std::to_string(sum_each(threads)) +
        ", sum_tile = sum_threads * sum_each;\nconstexpr bool sum_matrix = " + (sum.matrix ? "true" : "false") + ";\n";
    text += accessor("const unsigned long* sum_row_begin(const uniforms& u)", slot(sum.row_begin) + ".data()");
    text += accessor("const unsigned* sum_column(const uniforms& u)", slot(sum.column) + ".data()");
    text += accessor("const sum_type* sum_value(const uniforms& u)", slot(sum.value) + ".data()");
    // The column of an entry lies within x: sk::csr has looked at it.
    text += accessor("sum_type sum_x(const uniforms& u, unsigned row, size_t col)",
                     sum.matrix ? slot(sum.x) + "(row, col)" : slot(sum.x) + ".data()[row]");
    return text + "} // namespace skelrt::generated\n";
}

bool launch_row_sums(const work& what, const program& kernels, cudaStream_t stream)
{
    if (!kernels.row_sums) return false;
    const row_sum sum = *row_sum_of(what.what);
    if (!sparse::fits_in_blocks(what, sum)) return false;
    if (what.segments.empty()) return true;
    const sparse::row_blocks blocks = sparse::row_blocks_for(what, sum, kernels.threads * sum_each(kernels.threads));
    parameter_block block{kernels.layout};
    block.set_uniforms(what);
    block.set_row_blocks(blocks.items, blocks.width);
    const auto flush = [&] {
        if (block.segments() == 0) return;
        run(kernels.row_sums, {blocks.down * blocks.across, block.segments()}, kernels.threads, block, stream);
        block.clear();
    };
    for (std::size_t s = 0; s < what.segments.size(); ++s) {
        if (count_of(what.segments[s]) == 0) continue;
        const slot_view& result = what.slot(s, what.what.slots.size() - 1);
        block.add_grid(what, s, result.data, result.ld, result.stride);
        if (block.segments() == kernels.layout.grids) flush();
    }
    flush();
    return true;
}

} // namespace skelrt::detail::cuda
