// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <functional>
#include <string>

/// SKELRT_CHECK=bounds in CUDA C++. Views know neither their operand nor where the function stands: the first thread
/// that asks for what is not there writes down the index and where its view begins, and the text that calls the
/// function adds the rest.
namespace skelrt::detail
{

/// The variable of a checked program with the words of index_fault, which kernels write and the host reads.
inline constexpr const char* cuda_fault_variable = "skelrt_fault";

/// What the preamble's views look at their indices with; stands in front of it. Nothing is looked at if the call is not
/// checked.
std::string cuda_checks(const recipe& what);

/// Where functions were called, as expressions.
struct cuda_position {
    std::string row, col, width;
};

/// Statements behind calls of users' functions; `view` names the view of slot k there. Empty if the call is not
/// checked.
std::string cuda_tell(const recipe& what, const cuda_position& at, const std::function<std::string(std::size_t)>& view);

} // namespace skelrt::detail
