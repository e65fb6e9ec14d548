// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/accumulated.hpp"
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"
#include "codelets/index_fault.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>

namespace skelrt::detail::cuda
{

/// The function changes elements atomically: nothing is in order. Small accumulators: a block adds to copies in its
/// shared memory, each for some of a warp's lanes, and these to the result at the end. Larger ones: a thread per
/// position adds to it. All accumulators of a call go one way; in shared memory the copies of one follow another's.
const char* const accumulate_text = R"cuda(
namespace skelrt::generated
{

#if SKELRT_COPIES
template <class Added> inline void clear_values(void* to, size_t count)
{
    for (size_t i = blockIdx.x * size_t(threads) + threadIdx.x; i < count; i += size_t(threads) * gridDim.x)
        static_cast<typename Added::value_type*>(to)[i] = Added::nothing();
}

extern "C" __global__ void __launch_bounds__(threads) clear_added(unsigned slot, void* to, size_t count)
{
    clear_slot(slot, to, count);
}

/// Positions begin .. end - 1, a thread's loads ahead of what it does with them.
template <class Reader, class Segment>
inline void each_of(const Segment& s, const uniforms& u, size_t begin, size_t end)
{
    constexpr int width = Reader::width;
    constexpr size_t step = size_t(threads) * width;
    size_t i = begin + threadIdx.x * width;
    for (; i + (in_flight - 1) * step + width <= end; i += in_flight * step) {
        typename Reader::registers x[in_flight];
        #pragma unroll
        for (int j = 0; j < in_flight; ++j) Reader::load(x[j], s, i + j * step);
        #pragma unroll
        for (int j = 0; j < in_flight; ++j)
            #pragma unroll
            for (int k = 0; k < width; ++k) Reader::value(x[j], k, s, u, i + j * step);
    }
    #pragma unroll 1
    for (; i < end; i += step)
        #pragma unroll 1
        for (size_t k = i; k < i + width && k < end; ++k) Reader::single(s, u, k);
}

template <class T> struct decayed { using type = T; };
template <class T> struct decayed<T&> { using type = T; };
template <class T> struct decayed<const T&> { using type = T; };
template <class T> using decay = typename decayed<T>::type;

inline unsigned words_of(size_t bytes) { return unsigned((bytes + 7) / 8); }

/// Of accumulators of one element, in registers.
struct own_values
{
    unsigned long long room[added_count];
    void begin(uniforms& u)
    {
        unsigned which = 0;
        each_added(u, [&](auto& added) { added.begin_own(room + which++); });
    }
    /// By all threads of a warp.
    static void end(const uniforms& u)
    {
        each_added(u, [](const auto& added) { added.end_own(); });
    }
};

/// p.r.group copies, whose lengths are odd so that one element's places are in different banks.
template <class Reader, class Parameters> inline void each_shared(const Parameters& p)
{
    extern __shared__ unsigned long long room[];
    const auto& s = p.at[blockIdx.y];
    const size_t count = Reader::count(s), begin = blockIdx.x * p.r.chunk;
    if (begin >= count) return;
    const size_t end = count - begin < p.r.chunk ? count : begin + p.r.chunk;

    const unsigned n = unsigned(p.r.group);
    uniforms u = p.u;
    unsigned long long* at = room;
    own_values own;
    each_added(u, [&](auto& added) {
        using view = decay<decltype(added)>;
        const unsigned size = unsigned(added.size()), length = size | 1;
        auto* const copies = reinterpret_cast<typename view::value_type*>(at);
        for (unsigned i = threadIdx.x; i < n * length; i += threads) copies[i] = view::nothing();
        added = view(copies + threadIdx.x % n * length, size);
        at += words_of(n * length * sizeof *copies);
    });
    own.begin(u);
    __syncthreads();
    each_of<Reader>(s, u, begin, end);
    own.end(u);
    __syncthreads();
    at = room;
    each_added(p.u, [&](const auto& added) {
        using view = decay<decltype(added)>;
        const unsigned size = unsigned(added.size()), length = size | 1;
        const auto* const copies = reinterpret_cast<const typename view::value_type*>(at);
        for (unsigned i = threadIdx.x; i < size; i += threads) {
            auto all = copies[i];
            for (unsigned k = 1; k < n; ++k) all = view::joined(all, copies[k * length + i]);
            if (all != view::nothing()) added.join(i, all);
        }
        at += words_of(n * length * sizeof *copies);
    });
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) each_shared_packed(const __grid_constant__ lines p) { each_shared<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(threads) each_shared_linear(const __grid_constant__ lines p) { each_shared<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(threads) each_shared_strided(const __grid_constant__ grids p) { each_shared<strided_reader>(p); }
#endif // SKELRT_COPIES

/// Of accumulators that are joined: of one element, each warp joins what its threads have.
template <class Evaluate> inline void with_own_values(const uniforms& all, Evaluate evaluate)
{
#if SKELRT_COPIES
    uniforms u = all;
    own_values own;
    own.begin(u);
    evaluate(u);
    own.end(u);
#else
    evaluate(all);
#endif
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) each_linear(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    with_own_values(p.u, [&](const uniforms& u) {
        if (i < s.count) evaluate(load(s, i), u, s.row, s.col + i);
    });
}
#endif

extern "C" __global__ void __launch_bounds__(threads) each_strided(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    with_own_values(p.u, [&](const uniforms& u) {
        if (i >= s.rows * s.cols) return;
        const position at = position_of(i, s.cols);
        evaluate(load(s, at.row, at.col), u, s.row + at.row, s.col + at.col);
    });
}

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t shared_room = std::size_t{48} << 10; ///< what every device gives a block
constexpr std::size_t copies_room = std::size_t{16} << 10; ///< more would keep too many blocks away
constexpr std::size_t values_each =
    16; ///< positions per value of a copy, at least: the copies have to be cleared and added

/// How a call's blocks use their shared memory.
struct shared_copies {
    std::size_t count = 0; ///< per block; 0: the accumulator is too large
    std::size_t bytes = 0; ///< of all copies of a block
    std::size_t chunk = 0; ///< positions per block
};

shared_copies copies_of(const work& what, const kernel_shape& shape, unsigned threads)
{
    if (has_one_copy(what.what.rule)) return {};
    const auto count_of = [&](std::size_t slot) { return what.slot(0, slot).cols; };
    const std::size_t copy = bytes_of_near_copies(what.what, count_of, 1);
    if (copy > shared_room) return {};
    std::size_t elements = 0;
    for (const segment& s : what.segments) elements += s.rows * s.cols;
    const std::size_t values = what.result.cols;
    shared_copies c;
    c.count = std::bit_floor(std::clamp<std::size_t>(copies_room / copy, 1, warp_lanes));
    c.bytes = bytes_of_near_copies(what.what, count_of, c.count);
    const std::size_t round = threads * shape.pack * shape.in_flight;
    c.chunk = rounded_up(std::max({divided_up(elements, many_blocks), values_each * values, 4 * round}), round);
    return c;
}

class accumulation
{
public:
    accumulation(const work& w, const program& p, cudaStream_t stream)
        : work_(w), program_(p), stream_(stream), copies_(copies_of(w, p.shape, p.threads))
    {
    }

    void run_all()
    {
        for (std::size_t s = 0; s < work_.segments.size();) s = run_part(s);
    }

private:
    access kind_of(std::size_t s) const
    {
        const access how = access_of(work_, s, program_.shape);
        return how == access::packed && copies_.count == 0 ? access::linear : how;
    }

    /// Successive segments of one kind of access from `first` on, as many as fit in a launch. Returns the next one.
    std::size_t run_part(std::size_t first)
    {
        const access how = kind_of(first);
        const std::size_t most = how == access::strided ? program_.layout.grids : program_.layout.lines;
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        block.set_reduction(copies_.chunk, copies_.count, front::nothing, nullptr);
        std::size_t largest = 0, s = first;
        for (; s < work_.segments.size() && s - first < most && kind_of(s) == how; ++s) {
            if (how == access::strided) block.add_grid(work_, s, nullptr, 0, 0);
            else block.add_line(work_, s, nullptr);
            largest = std::max(largest, work_.segments[s].rows * work_.segments[s].cols);
        }
        if (largest == 0) return s;
        const bool shared = copies_.count > 0;
        const void* const kernel = (shared ? program_.tiles : program_.walk)[static_cast<std::size_t>(how)];
        const std::size_t positions = shared ? copies_.chunk : program_.threads;
        run(kernel, {divided_up(largest, positions), block.segments()}, program_.threads, block.data(), stream_,
            copies_.bytes);
        return s;
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    shared_copies copies_;
};

void begin_as_elements(const work& w, cudaStream_t stream)
{
    const void* const from = w.slot(0, w.what.slots.size() - 1).data;
    const std::size_t bytes = w.result.cols * w.what.result_size, behind = writer_bytes_of(w.what, w.result.cols);
    cudaError_t result = cudaMemcpyAsync(w.result.data, from, bytes, cudaMemcpyDeviceToDevice, stream);
    if (result == cudaSuccess && behind > 0)
        result = cudaMemsetAsync(static_cast<std::byte*>(w.result.data) + bytes, 0, behind, stream);
    if (result != cudaSuccess) throw error(w.what.name + ": CUDA: " + cudaGetErrorString(result));
}

void clear_part(const work& w, const program& kernels, const accumulated_part& part, cudaStream_t stream)
{
    if (part.count == 0) return;
    auto slot = static_cast<unsigned>(part.slot);
    void* to = static_cast<std::byte*>(w.result.data) + part.offset;
    unsigned long count = part.count;
    void* parameters[] = {&slot, &to, &count};
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(divided_up(count, kernels.threads), many_blocks));
    const cudaError_t cleared = cudaLaunchKernel(kernels.clear, blocks, kernels.threads, parameters, 0, stream);
    if (cleared != cudaSuccess) throw error(w.what.name + ": CUDA: " + cudaGetErrorString(cleared));
}

/// The copy begins as nothing, or, if it is the only one, as the elements are.
void clear(const work& w, const program& kernels, cudaStream_t stream)
{
    if (w.result.cols == 0 || changes_elements(w)) return;
    if (has_one_copy(w.what.rule)) return begin_as_elements(w, stream);
    const auto zeros = [](const slot_type& s) { return s.kind != slot_kind::accumulator || begins_as_zeros(s.rule); };
    if (std::ranges::all_of(w.what.slots, zeros)) {
        const cudaError_t zeroed = cudaMemsetAsync(w.result.data, 0, w.result.cols * w.what.result_size, stream);
        if (zeroed != cudaSuccess) throw error(w.what.name + ": CUDA: " + cudaGetErrorString(zeroed));
        return;
    }
    for_each_accumulated(
        w.what, [&](std::size_t slot) { return w.slot(0, slot).cols; },
        [&](const accumulated_part& part) { clear_part(w, kernels, part, stream); });
}

} // namespace

void launch_accumulate(const work& what, const program& kernels, cudaStream_t stream)
{
    clear(what, kernels, stream);
    accumulation{what, kernels, stream}.run_all();
}

std::string accumulate_constants(const recipe& what)
{
    if (has_one_copy(what.rule)) return "#define SKELRT_COPIES 0\n";
    const auto each = [&](const std::string& form) { return for_each_slot(what, slot_kind::accumulator, form, ""); };
    const std::string calls = each("    f(u.s#);\n");
    return "#define SKELRT_COPIES 1\nnamespace skelrt::generated\n{\nconstexpr unsigned added_count = " +
           std::to_string(accumulator_count(what)) +
           ";\n"
           "template <class F> inline void each_added(uniforms& u, const F& f)\n{\n" +
           calls + "}\ntemplate <class F> inline void each_added(const uniforms& u, const F& f)\n{\n" + calls +
           "}\ntemplate <class Added> inline void clear_values(void* to, size_t count);\n"
           "inline void clear_slot(unsigned slot, void* to, size_t count)\n{\n" +
           each("    if (slot == #) clear_values<decltype(uniforms::s#)>(to, count);\n") +
           "}\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
