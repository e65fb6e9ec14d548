// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/timing.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace bench
{

class rival_team;

/// BabelStream's kernels, saxpy, and a chain of calls.
enum class kernel { copy, mul, add, triad, dot, saxpy, chain };
inline constexpr kernel all_kernels[] = {kernel::copy, kernel::mul,   kernel::add,  kernel::triad,
                                         kernel::dot,  kernel::saxpy, kernel::chain};

inline const char* name_of(kernel k)
{
    constexpr const char* names[] = {"copy", "mul", "add", "triad", "dot", "saxpy", "chain"};
    return names[static_cast<int>(k)];
}

/// Arrays that a kernel reads and writes, each once.
inline int arrays_moved(kernel k)
{
    constexpr int moved[] = {2, 2, 3, 3, 2, 3, 2};
    return moved[static_cast<int>(k)];
}

/// Chosen so that copy, mul, add and triad in turn leave a as it was: 2 s + s * s = 1.
inline constexpr double stream_scalar = 0.41421356237309505;
inline constexpr double saxpy_scalar = 0.5;

/// a[i] at the start. The period is no divisor of a tile's or block's size, so that misplaced elements are seen.
inline constexpr std::size_t pattern_period = 1021;
template <class T>
constexpr T pattern(std::size_t i)
{
    return T(0.5) + T(i % pattern_period) / T(pattern_period);
}

/// One way to compute on three arrays a, b, c of n elements:
/// copy c = a; mul b = s c; add c = a + b; triad a = b + s c; dot a . b; saxpy b = 0.5 a + b; chain: the sum
/// of the squares of s a + b, as one pass.
template <class T>
class stream_arrays
{
public:
    virtual ~stream_arrays() = default;
    virtual bool has(kernel) const { return true; }
    /// a gets the pattern; b and c something that no kernel may leave.
    virtual void reset() = 0;
    /// Starts the kernel; may return before it is done.
    virtual void launch(kernel k) = 0;
    virtual void wait() = 0;
    /// The result of the last dot or chain.
    virtual T dot_value() = 0;
    /// Shows array 'a', 'b' or 'c' in host memory.
    virtual void look(char array, const std::function<void(const T*)>& see) = 0;

    /// Seconds per kernel of a batch that is waited for once; one more in front gets caches and clocks going.
    double seconds(kernel k, int batch)
    {
        launch(k);
        wait();
        const double start = now();
        for (int i = 0; i < batch; ++i) launch(k);
        wait();
        return (now() - start) / batch;
    }
};

template <class T>
std::unique_ptr<stream_arrays<T>> make_skelrt_arrays(std::size_t n, rival_team& helpers);
/// Plain OpenMP loops; construct and use them inside the team.
template <class T>
std::unique_ptr<stream_arrays<T>> make_openmp_arrays(std::size_t n, rival_team& team);

/// memcpy: copy alone, cudaMemcpyAsync on the device. hand: kernels as one writes them. cub: CUB's algorithms.
enum class cuda_way { memcpy, hand, cub };
/// Null if this program was built without nvcc.
template <class T>
std::unique_ptr<stream_arrays<T>> make_cuda_arrays(cuda_way way, std::size_t n);

} // namespace bench
