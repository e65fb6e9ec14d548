// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

#include <algorithm>

namespace skelrt::detail::cuda
{

/// What all scans are made of. As in ordered.cpp: the left operand is what came earlier, and who has no value takes no
/// part.
const char* const scan_text = R"cuda(
namespace skelrt::generated
{

template <class T> T from_lane(const T& value, int lane)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    memcpy(word, &value, sizeof(T));
    #pragma unroll
    for (int i = 0; i < words; ++i) word[i] = __shfl_sync(0xffffffff, word[i], lane);
    values<T, 1> result;
    memcpy(&result, word, sizeof(T));
    return result[0];
}

/// A running value that may not have begun.
struct running {
    values<result_type, 1> value;
    bool begun = false;
    void append(const result_type& next)
    {
        value[0] = begun ? generated::combine(value[0], next) : next;
        begun = true;
    }
};

enum : size_t { nothing_in_front, start_in_front, stored_in_front };

/// What comes in front of the first position; `stored`: where it would be.
inline running first_front(const reduction& r, const result_type* stored)
{
    running front;
    if (r.front == start_in_front) front.append(r.start);
    else if (r.front == stored_in_front) front.append(*stored);
    return front;
}

template <class Reader> struct writer;
#if SKELRT_LINES
template <> struct writer<packed_reader> {
    static void put(const line& s, size_t i, const result_type& y) { s.out[i] = generated::stored(y); }
    static void put_all(const line& s, size_t i, const values<result_type, pack_size>& y)
    {
        pack<stored_type, pack_size> words;
        #pragma unroll
        for (int k = 0; k < pack_size; ++k) words.set(k, generated::stored(y[k]));
        words.store(s.out + i);
    }
};
template <> struct writer<linear_reader> {
    static void put(const line& s, size_t i, const result_type& y) { s.out[i] = generated::stored(y); }
    static void put_all(const line& s, size_t i, const values<result_type, 1>& y) { s.out[i] = generated::stored(y[0]); }
};
#endif
template <> struct writer<strided_reader> {
    static void put(const grid& s, size_t i, const result_type& y)
    {
        const position at = position_of(i, s.cols);
        s.out.at(at.row, at.col) = generated::stored(y);
    }
    static void put_all(const grid& s, size_t i, const values<result_type, 1>& y) { put(s, i, y[0]); }
};

/// The elements begin .. end - 1 of a segment, in the registers of `size` neighbouring lanes: Depth rows, in each of
/// which a lane has Reader::width neighbours, so loads and stores are coalesced. Full: every lane has all of its
/// elements. All lanes of the warp must call, with ranges of one length.
template <class Reader, int Depth, bool Full> struct piece {
    static constexpr int width = Reader::width;
    values<result_type, width> own[Depth];  ///< running values within the lane's elements
    values<result_type, 1> before[Depth];   ///< of the lanes in front, in the row; nothing in the first lane
    values<result_type, 1> total[Depth];    ///< of the row

    static size_t place(size_t begin, int j, int lane, int size) { return begin + (size_t(j) * size + lane) * width; }
    static bool has_row(size_t begin, size_t end, int j, int size) { return Full || place(begin, j, 0, size) < end; }

    template <class Segment> void scan(const Segment& s, const uniforms& u, size_t begin, size_t end, int lane, int size)
    {
        load(s, u, begin, end, lane, size);
        values<result_type, 1> sum[Depth];
        int active[Depth]; // lanes that have an element: the first ones
        #pragma unroll
        for (int j = 0; j < Depth; ++j) {
            sum[j][0] = own[j][0];
            #pragma unroll
            for (int k = 1; k < width; ++k)
                if (Full || place(begin, j, lane, size) + k < end)
                    sum[j][0] = own[j][k] = generated::combine(own[j][k - 1], own[j][k]);
            const size_t first = place(begin, j, 0, size), rest = first < end ? divide_up(end - first, width) : 0;
            active[j] = Full || rest > size ? size : int(rest);
        }
        const int self = threadIdx.x % lanes;
        #pragma unroll
        for (int step = 1; step < lanes; step *= 2) {
            if (step >= size) break;
            #pragma unroll
            for (int j = 0; j < Depth; ++j) {
                const result_type left = generated::from_lane(sum[j][0], self - step);
                if (lane >= step && lane < active[j]) sum[j][0] = generated::combine(left, sum[j][0]);
            }
        }
        #pragma unroll
        for (int j = 0; j < Depth; ++j) {
            before[j][0] = generated::from_lane(sum[j][0], self - 1);
            total[j][0] = generated::from_lane(sum[j][0], self - lane + active[j] - 1);
        }
    }

    /// Stores the results behind `front`, which becomes the running value at the end.
    template <class Segment>
    void store(const Segment& s, size_t begin, size_t end, int lane, int size, running& front, bool may_store)
    {
        #pragma unroll
        for (int j = 0; j < Depth; ++j) {
            if (!has_row(begin, end, j, size)) break;
            const bool begun = front.begun || lane > 0;
            values<result_type, 1> prior = before[j];
            if (front.begun) prior[0] = lane > 0 ? generated::combine(front.value[0], before[j][0]) : front.value[0];
            values<result_type, width> y;
            const size_t i = place(begin, j, lane, size);
            #pragma unroll
            for (int k = 0; k < width; ++k) {
                if (!Full && i + k >= end) break;
                if (exclusive) y[k] = k == 0 ? prior[0] : generated::combine(prior[0], own[j][k > 0 ? k - 1 : 0]);
                else y[k] = begun ? generated::combine(prior[0], own[j][k]) : own[j][k];
                if (!Full && may_store) writer<Reader>::put(s, i + k, y[k]);
            }
            if (Full && may_store) writer<Reader>::put_all(s, i, y);
            front.append(total[j][0]);
        }
    }

private:
    template <class Segment> void load(const Segment& s, const uniforms& u, size_t begin, size_t end, int lane, int size)
    {
        if (Full) {
            typename Reader::registers x[Depth];
            #pragma unroll
            for (int j = 0; j < Depth; ++j) Reader::load(x[j], s, place(begin, j, lane, size));
            #pragma unroll
            for (int j = 0; j < Depth; ++j)
                #pragma unroll
                for (int k = 0; k < width; ++k) own[j][k] = Reader::value(x[j], k, s, u, place(begin, j, lane, size));
        } else {
            #pragma unroll
            for (int j = 0; j < Depth; ++j)
                #pragma unroll
                for (int k = 0; k < width; ++k) {
                    const size_t i = place(begin, j, lane, size) + k;
                    if (i < end) own[j][k] = Reader::single(s, u, i);
                }
        }
    }
};

// --- blocks that wait for those before them --------------------------------------------------------------------------
// A block publishes the reduction of its own tile at once, and its running value when it knows what comes in front; to
// know it, it looks back over the tiles before. Status and value travel in the same 64-bit words, so nothing else needs
// to be ordered. Blocks start in the order of their numbers: who is waited for runs.

constexpr int state_words = (sizeof(result_type) + 3) / 4;
enum : unsigned { nothing_yet, of_tile, of_all };

inline void publish(unsigned long long* states, size_t which, unsigned status, const result_type& value)
{
    unsigned word[state_words] = {};
    memcpy(word, &value, sizeof(result_type));
    volatile unsigned long long* const to = states + which * state_words;
    #pragma unroll
    for (int i = 0; i < state_words; ++i) to[i] = (unsigned long long)status << 32 | word[i];
}

/// A value of several words may be in the middle of a change: then it counts as not there yet.
inline unsigned look(const unsigned long long* states, size_t which, values<result_type, 1>& value)
{
    const volatile unsigned long long* const from = states + which * state_words;
    unsigned word[state_words];
    unsigned status = nothing_yet;
    bool whole = true;
    #pragma unroll
    for (int i = 0; i < state_words; ++i) {
        const unsigned long long x = from[i];
        word[i] = unsigned(x);
        whole = whole && (i == 0 || unsigned(x >> 32) == status);
        status = unsigned(x >> 32);
    }
    memcpy(&value, word, sizeof(result_type));
    return whole ? status : nothing_yet;
}

/// Tiles that a block looks back over before it waits for a running value.
constexpr int window = sizeof(result_type) <= 64 ? 128 : sizeof(result_type) <= 256 ? 32 : 2;

/// What comes in front of a tile that is not the first of its chain. One warp of the block calls. Values are always
/// combined from the left to the right, one after the other, however far back the first one was found: the result does
/// not depend on time.
inline values<result_type, 1> look_back(const unsigned long long* states, size_t tile, size_t first)
{
    __shared__ values<result_type, window> seen; // the nearest tile first
    const int lane = threadIdx.x % lanes;
    int have = 0;
    pause between;
    for (bool found = false; !found;) {
        const size_t distance = have + lane + 1;
        values<result_type, 1> value;
        unsigned status = nothing_yet;
        if (have + lane < window && distance <= tile - first) status = generated::look(states, tile - distance, value);
        const unsigned ready = __ballot_sync(0xffffffff, status != nothing_yet);
        const unsigned complete = __ballot_sync(0xffffffff, status == of_all);
        const int run = ready == 0xffffffff ? lanes : __ffs(~ready) - 1, stop = complete ? __ffs(complete) - 1 : lanes;
        found = stop < run;
        int take = found ? stop + 1 : run;
        if (!found && have + take > window - 1) take = window - 1 - have;
        if (lane < take) seen[have + lane] = value[0];
        have += take;
        if (!found && run < lanes) between.take();
    }
    __syncwarp();
    values<result_type, 1> front;
    front[0] = seen[have - 1];
    #pragma unroll 8
    for (int i = have - 2; i >= 0; --i) front[0] = generated::combine(front[0], seen[i]);
    return front;
}

} // namespace skelrt::generated
)cuda";

/// Tiles of one block each, in chains.
const char* const scan_tile_text = R"cuda(
namespace skelrt::generated
{

template <class Reader> constexpr size_t tile_size = size_t(tile_warps) * depth * lanes * Reader::width;

/// The elements begin .. end - 1 of a segment, tile number `tile` of the launch, in a chain that starts with tile
/// `first`.
template <class Reader, bool Full, class Segment, class Parameters>
inline void scan_tile(const Segment& s, const Parameters& p, size_t begin, size_t end, size_t tile, size_t first)
{
    __shared__ values<result_type, tile_warps> of_warp;
    __shared__ values<result_type, 1> of_front;
    constexpr size_t row = size_t(lanes) * Reader::width, share = depth * row;
    const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
    const size_t from = begin + warp * share, to = Full || from + share < end ? from + share : end;
    const bool busy = Full || from < end;
    piece<Reader, depth, Full> mine;
    if (busy) {
        mine.scan(s, p.u, from, to, lane, lanes);
        running sum;
        #pragma unroll
        for (int j = 0; j < depth; ++j)
            if (mine.has_row(from, to, j, lanes)) sum.append(mine.total[j][0]);
        if (lane == 0) of_warp[warp] = sum.value[0];
    }
    __syncthreads();
    if (warp == 0) {
        const int count = Full ? tile_warps : int(divide_up(end - begin, share));
        values<result_type, 1> sum;
        sum[0] = of_warp[0];
        for (int w = 1; w < count; ++w) sum[0] = generated::combine(sum[0], of_warp[w]);
        running front;
        if (tile == first) {
            front = generated::first_front(p.r, p.r.carry);
        } else {
            if (lane == 0) generated::publish(p.r.states, tile, of_tile, sum[0]);
            front.append(look_back(p.r.states, tile, first)[0]);
        }
        if (lane == 0) {
            if (front.begun) {
                of_front[0] = front.value[0];
                sum[0] = generated::combine(front.value[0], sum[0]);
            }
            generated::publish(p.r.states, tile, of_all, sum[0]);
            if (tile + 1 == p.r.tiles && p.r.carry) *p.r.carry = sum[0];
        }
    }
    __syncthreads();
    if (!busy) return;
    running front;
    if (tile != first || p.r.front != nothing_in_front) front.append(of_front[0]);
    for (int w = 0; w < warp; ++w) front.append(of_warp[w]);
    mine.store(s, from, to, lane, lanes, front, true);
}

template <class Reader, class Segment, class Parameters>
inline void scan_any_tile(const Segment& s, const Parameters& p, size_t begin, size_t count, size_t tile, size_t first)
{
    constexpr size_t size = tile_size<Reader>;
    if (count - begin >= size) scan_tile<Reader, true>(s, p, begin, begin + size, tile, first);
    else scan_tile<Reader, false>(s, p, begin, count, tile, first);
}

} // namespace skelrt::generated
)cuda";

std::string scan_constants(const recipe& what, unsigned tile_threads)
{
    return "namespace skelrt::generated\n{\nconstexpr bool exclusive = " +
           std::string(what.exclusive ? "true" : "false") +
           ";\nconstexpr int depth = " + std::to_string(scan_depth(what)) +
           ", tile_threads = " + std::to_string(tile_threads) + ", tile_warps = tile_threads / lanes, tile_blocks = " +
           std::to_string(what.result_size <= 4 ? std::max(scans.resident / tile_threads, 1u) : 1) +
           ";\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
