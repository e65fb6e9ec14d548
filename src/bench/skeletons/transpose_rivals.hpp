// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// Element i of the matrix that is transposed, row by row.
constexpr float transpose_value(std::size_t i) { return static_cast<float>(i % 4093); }

/// Somebody who writes the transpose of a square matrix into another.
class transpose_entrant
{
public:
    virtual ~transpose_entrant() = default;
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows element i of the result.
    virtual void look(const std::function<void(const std::function<double(std::size_t)>&)>& see) = 0;
};

/// A loop over squares of 32 by 32 elements, a contiguous part of the result for each thread.
template <class T>
std::unique_ptr<transpose_entrant> make_openmp_transpose(std::size_t rows, rival_team& team);

} // namespace bench
