// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/algorithms/rivals.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench
{

/// Works whose places in memory come from data.
enum class irregular : std::uint8_t {
    product, ///< of a sparse matrix of n rows and a vector, doubles
    scatter, ///< n floats added to n places without an order
    updates, ///< n additions to a table of as many 64-bit numbers: PRK's random, RandomAccess
    sums,    ///< of n floats: a histogram of 1000 bins, their sum and their maximum, in one pass
};

// What they work on. Sums of these are exact, in whatever order.

/// In compressed rows, of 16 entries on average and 31 at most; half of them near the diagonal.
struct sparse_rows {
    std::vector<std::uint32_t> begin, column;
    std::vector<double> value;

    explicit sparse_rows(std::size_t n) : begin{0}
    {
        for (std::size_t row = 0; row < n; ++row) {
            const std::size_t entries = 1 + mixed(row) % 31;
            for (std::size_t k = 0; k < entries; ++k) {
                const std::uint64_t r = mixed(32 * row + k);
                const std::size_t to = k % 2 == 0 ? r % n : (row + r % 256) % n;
                column.push_back(static_cast<std::uint32_t>(to));
                value.push_back(static_cast<double>(r >> 62));
            }
            begin.push_back(static_cast<std::uint32_t>(column.size()));
        }
    }
};
constexpr double vector_value(std::size_t i) { return static_cast<double>(mixed(i) % 8); }
constexpr std::uint32_t place_of(std::size_t i, std::size_t n) { return static_cast<std::uint32_t>(mixed(i) % n); }
constexpr std::size_t bins = 1000;

/// What `sums` gives.
struct collected {
    std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(bins, 0);
    double sum = 0;
    float most = 0;
};

/// Somebody who does one of these, and shows what it has made: elements, or a `collected`.
class irregular_entrant
{
public:
    virtual ~irregular_entrant() = default;
    /// What is added to is nothing from now on.
    virtual void begin_anew() = 0;
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    virtual std::vector<double> result() = 0;
};

/// The numbers of a `collected`, one after the other.
inline std::vector<double> numbers_of(const collected& c)
{
    std::vector<double> all(c.counts.begin(), c.counts.end());
    all.push_back(c.sum);
    all.push_back(c.most);
    return all;
}

/// Loops as one writes them. Construct and use it inside the team.
std::unique_ptr<irregular_entrant> make_openmp_irregular(irregular what, std::size_t n, rival_team& team);

/// cuSPARSE's product; kernels by hand of the others. Null without nvcc or cuSPARSE.
std::unique_ptr<irregular_entrant> make_cuda_irregular(irregular what, std::size_t n);

} // namespace bench
