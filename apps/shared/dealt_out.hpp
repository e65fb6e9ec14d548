// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/distribution.hpp>

#include <cstddef>
#include <utility>

namespace apps
{

/// A matrix whose blocks lie with one rank each, in turn, where several ranks run: for tasks on these blocks.
template <class T>
skelrt::matrix<T> dealt_out(skelrt::matrix<T> m, std::size_t block_rows, std::size_t block_cols)
{
    skelrt::distribute(m, skelrt::distribution::grid().cyclic(block_rows, block_cols));
    return m;
}

} // namespace apps
