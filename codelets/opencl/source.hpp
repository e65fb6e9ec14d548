// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/opencl/opencl.hpp"

#include <skelrt/detail/recipe.hpp>

#include <string>
#include <string_view>
#include <vector>

/// The text of a program: the user's functions, then macros that hide how a call's operands arrive, then the skeleton.
///
/// A kernel of a skeleton is written with these words:
///   CALL_PARAMETERS  parameters: all slots, and the place of the segment (rows, cols, row0, col0, width, line, plane)
///   CALL_VARIABLES   declares a pointer or a value for each slot
///   VALUE(r, c)      the fused function at row r and column c of the segment
///   FLAT_VALUE(i)    the same where every operand is dense and the segment is one row
///   In filters both tell whether the element is kept, and leave it in `kept`.
///   STORE_AT(r, c), STORE_FLAT(i)  where the result at these places is stored, if the call has any
///   RESULT           the type of what is stored
///   FOR_MY_PART(i, n, d)  a loop over this work-item's share of 0 .. n in dimension d
///   part_begin(n, part, parts)  where a part begins when n things are shared in order
namespace skelrt::detail::opencl
{

std::string program_source(const recipe& what, const translation& functions);

/// The kernels of each skeleton as OpenCL C, in the files of the skeletons.
std::string map_kernels();
/// Maps with a product of a sparse matrix in them, sparse/row_sums.cpp; nothing of other maps, and where indices are
/// checked. VALUE_WITH_SUM(r, c, sum): VALUE with the sum of the matrix's row.
std::string row_sum_kernels(const recipe& what, const translation& functions);
std::string accumulate_kernels();
/// Each group changes copies of its own in local memory. NEAR_PARAMETERS, ALL_NEAR_BEGIN and ALL_NEAR_END name each
/// accumulator once.
std::string near_kernels();
std::string join_kernel_name(unsigned which); ///< of accumulator number `which`
/// `added`: the type of what is added to.
std::string join_kernel(unsigned which, const std::string& added);
std::string filter_kernels(const recipe& what);
std::string pair_kernels();
std::string reduce_kernels();
std::string row_kernels();
std::string column_kernels();
std::string scan_kernels(); ///< behind reduce_kernels()
std::string scan_row_kernels();
std::string scan_column_kernels();
std::string sort_kernels(const recipe& what, const translation& functions);
std::string stencil_kernels(const recipe& what, const translation& functions);
std::string wavefront_kernels(const recipe& what, const translation& functions);

/// Names of the kernels in the program.
std::vector<std::string> kernel_names(const recipe& what);

/// Both variants of a kernel text: NAME ending in _flat with ELEMENT(r, c), PUT(r, c), and NEXT(r, c), a step to
/// the next element of the segment, for dense segments, and the general one.
std::string flat_and_general(std::string_view name, std::string_view text);

} // namespace skelrt::detail::opencl
