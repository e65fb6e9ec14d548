// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

namespace skelrt::detail::cuda
{

/// Operators are associative, not commutative: everywhere the left operand is what came earlier. There is no identity
/// either, so who has no value takes no part.
const char* const ordered_text = R"cuda(
namespace skelrt::generated
{

template <class T> T shuffle_down(const T& value, int by)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    memcpy(word, &value, sizeof(T));
    #pragma unroll
    for (int i = 0; i < words; ++i) word[i] = __shfl_down_sync(0xffffffff, word[i], by);
    values<T, 1> result;
    memcpy(&result, word, sizeof(T));
    return result[0];
}

/// Reduces, N times over, the values of the first `count` of `size` neighbouring lanes; the first lane gets the
/// results. All lanes of the warp must call. Before each step a value stands for `step` lanes, its own the first.
template <int N> void reduce_lanes(values<result_type, N>& value, int lane, int size, int count)
{
    #pragma unroll 1
    for (int step = 1; step < size; step *= 2) {
        #pragma unroll
        for (int j = 0; j < N; ++j) {
            const result_type right = generated::shuffle_down(value[j], step);
            if (lane + step < count) value[j] = generated::combine(value[j], right);
        }
    }
}

/// A running reduction that may not have begun.
struct running {
    values<result_type, 1> value;
    bool begun = false;
    void append(const result_type& next)
    {
        value[0] = begun ? generated::combine(value[0], next) : next;
        begun = true;
    }
};

/// Reduces elements begin .. end - 1 of a segment with `size` neighbouring lanes; the first lane gets the result. All
/// groups of a warp must have ranges of one length. The lanes take their packs side by side, so loads are coalesced.
template <class Reader, class Segment>
running reduce_range(const Segment& s, const uniforms& u, size_t begin, size_t end, int lane, int size)
{
    constexpr int width = Reader::width;
    const size_t row = size_t(size) * width;
    running total;
    size_t i = begin;
    for (; i + in_flight * row <= end; i += in_flight * row) {
        typename Reader::registers x[in_flight];
        #pragma unroll
        for (int j = 0; j < in_flight; ++j) Reader::load(x[j], s, i + j * row + lane * width);
        values<result_type, in_flight> sum;
        #pragma unroll
        for (int j = 0; j < in_flight; ++j) {
            const size_t mine = i + j * row + lane * width;
            sum[j] = Reader::value(x[j], 0, s, u, mine);
            #pragma unroll
            for (int k = 1; k < width; ++k) sum[j] = generated::combine(sum[j], Reader::value(x[j], k, s, u, mine));
        }
        generated::reduce_lanes(sum, lane, size, size);
        #pragma unroll
        for (int j = 0; j < in_flight; ++j) total.append(sum[j]);
    }
    // The rest, a row at a time; in the last one some lanes have fewer elements, or none.
    for (; i < end; i += row) {
        const size_t mine = i + lane * width;
        running sum;
        if (mine + width <= end) {
            typename Reader::registers x;
            Reader::load(x, s, mine);
            #pragma unroll
            for (int k = 0; k < width; ++k) sum.append(Reader::value(x, k, s, u, mine));
        } else {
            #pragma unroll 1
            for (size_t k = mine; k < end; ++k) sum.append(Reader::single(s, u, k));
        }
        const size_t rest = divide_up(end - i, width);
        generated::reduce_lanes(sum.value, lane, size, rest < size ? int(rest) : size);
        total.append(sum.value[0]);
    }
    return total;
}

/// Reduces the values of the first lanes of the first `count` warps of a block; thread 0 gets the result.
inline result_type reduce_warps(const result_type& value, int count)
{
    __shared__ values<result_type, warps> of_warp;
    if (threadIdx.x % lanes == 0) of_warp[threadIdx.x / lanes] = value;
    __syncthreads();
    values<result_type, 1> total;
    total[0] = of_warp[0];
    if (threadIdx.x == 0)
        for (int w = 1; w < count; ++w) total[0] = generated::combine(total[0], of_warp[w]);
    return total[0];
}

enum : size_t { nothing_in_front, start_in_front, stored_in_front };

/// Writes a final value, with what belongs in front of it.
inline void finish(result_type* out, const result_type& value, size_t front, const result_type& start)
{
    if (front == start_in_front) *out = generated::combine(start, value);
    else if (front == stored_in_front) *out = generated::combine(*out, value);
    else *out = value;
}

/// Combines `count` values that lie `step` apart, in their order, with all threads of a block; thread 0 gets the
/// result.
inline result_type combine_range(const result_type* from, size_t count, size_t step)
{
    const size_t each = divide_up(count, blockDim.x), begin = threadIdx.x * each;
    running mine;
    #pragma unroll 1
    for (size_t i = begin; i < begin + each && i < count; ++i) mine.append(from[i * step]);

    const int busy = int(divide_up(count, each)); // the threads that have a value: the first ones
    const int lane = threadIdx.x % lanes, of_this_warp = busy - int(threadIdx.x - lane);
    generated::reduce_lanes(mine.value, lane, lanes, of_this_warp);
    return generated::reduce_warps(mine.value[0], int(divide_up(busy, lanes)));
}

} // namespace skelrt::generated
)cuda";

const char* const combine_text = R"cuda(
namespace skelrt::generated
{

/// `results` results, each out of `count` partial results that lie `step` apart, combined in their order.
struct combination {
    const result_type* partials;
    size_t count, step, next; ///< `next`: from one result's first partial to the next one's
    size_t results;
    result_type* out;
    size_t front;
    result_type start;
};

/// One block per result.
extern "C" __global__ void __launch_bounds__(threads) combine_partials(const __grid_constant__ combination p)
{
    const result_type total = generated::combine_range(p.partials + blockIdx.x * p.next, p.count, p.step);
    if (threadIdx.x == 0) generated::finish(p.out + blockIdx.x, total, p.front, p.start);
}

/// One thread per result: for few partials each.
extern "C" __global__ void __launch_bounds__(threads) combine_each(const __grid_constant__ combination p)
{
    const size_t item = blockIdx.x * size_t(threads) + threadIdx.x;
    if (item >= p.results) return;
    running total;
    for (size_t i = 0; i < p.count; ++i) total.append(p.partials[item * p.next + i * p.step]);
    generated::finish(p.out + item, total.value[0], p.front, p.start);
}

} // namespace skelrt::generated
)cuda";

} // namespace skelrt::detail::cuda
