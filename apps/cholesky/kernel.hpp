// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/blocks.hpp>
#include <skelrt/scalar.hpp>

#include <cstddef>
#include <vector>

namespace cholesky
{

/// The matrix that is factored, the same each time: random numbers from -1 to 1, symmetric, on a diagonal that makes it
/// positive definite, and not more than it must: so all that the factors are made of counts.
template <class T>
skelrt::matrix<T> positive_definite(std::size_t n);

/// The Cholesky factor L of a positive definite matrix A = L L^T by tasks on blocks, lower and row-major; T: float or
/// double. What lies above the diagonal stays as it was. Tasks on the longest way to the end go first.
template <class T>
class factorisation
{
public:
    /// n x n, in blocks of block x block; `on`: kinds of device that may run the tasks.
    factorisation(std::size_t n, std::size_t block, skelrt::device_set on);

    /// The matrix anew, on the devices that this thread may use. Waits.
    void load();
    /// Makes all tasks.
    void start();
    /// Until they have ended.
    void wait() const;
    /// Throws error if the last matrix was not.
    void require_positive_definite() const;

    const skelrt::matrix<T>& original() const { return original_; }
    const skelrt::matrix<T>& factor() const { return factor_; }

private:
    skelrt::matrix<T> original_, factor_;
    skelrt::blocks<T> from_, to_;
    std::vector<skelrt::scalar<int>> info_; ///< of each potrf
    std::size_t workspace_;
    skelrt::device_set on_;
};

} // namespace cholesky
