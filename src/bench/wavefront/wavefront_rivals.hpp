// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// Letter i of a text, of four.
constexpr char wavefront_letter(std::size_t i, unsigned seed)
{
    return static_cast<char>('a' + (i * 7919 + seed * 104729) % 4093 % 4);
}

/// The synchronization kernel of the Parallel Research Kernels: one chain of additions after the other.
struct synchronization {
    using value = double;
    static constexpr const char* name = "synchronization, doubles";
    constexpr double operator()(double left, double above, double diagonal, char, char) const
    {
        return above + left - diagonal;
    }
};

/// Levenshtein's distance of two texts.
struct levenshtein {
    using value = int;
    static constexpr const char* name = "Levenshtein, ints";
    constexpr int operator()(int left, int above, int diagonal, char a, char b) const
    {
        const int changed = diagonal + (a == b ? 0 : 1), other = (left < above ? left : above) + 1;
        return changed < other ? changed : other;
    }
};

/// What lies above column i, and to the left of row i; the corner is 0.
template <class Problem>
constexpr typename Problem::value wavefront_edge(std::size_t i)
{
    return static_cast<typename Problem::value>(i + 1);
}

/// Somebody who fills a square table.
template <class Problem>
class wavefront_entrant
{
public:
    using value = typename Problem::value;
    virtual ~wavefront_entrant() = default;
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the rows of the table in host memory.
    virtual void look(const std::function<void(const std::function<const value*(std::size_t)>&)>& see) = 0;
};

/// antidiagonals: tiles, the threads meet after each antidiagonal of them. doacross: a thread goes along a row of tiles
/// as soon as those above are done (`ordered` with `depend`).
enum class openmp_wavefront { antidiagonals, doacross };
template <class Problem>
std::unique_ptr<wavefront_entrant<Problem>> make_openmp_wavefront(openmp_wavefront how, std::size_t n,
                                                                  rival_team& team);

/// A kernel for each antidiagonal of tiles; in a tile, which lies in shared memory, a thread has a row. Null without
/// nvcc.
template <class Problem>
std::unique_ptr<wavefront_entrant<Problem>> make_cuda_wavefront(std::size_t n);

} // namespace bench
