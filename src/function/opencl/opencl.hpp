// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>
#include <vector>

/// User functions as OpenCL C: a translation of the part of C++ that small numeric functions are written in.
namespace skelrt::detail::opencl
{

struct translation {
    /// Types, helpers, SKELRT_SHARED declarations and user functions, and on top of them
    ///   T skelrt_mapped<k>(what the map under the hoods of slot k reads, slot by slot): an element that these see
    ///   VALUE skelrt_value(one parameter per input slot but hood sources, skelrt_index1, skelrt_index2, ulong line,
    ///     ulong plane): the fused function; line and plane: index_widths, for the indices of tensors
    ///   VALUE skelrt_value_with_sum(the same, sum_type sum): the same, with the sum of a sparse matrix's row
    ///   RESULT skelrt_combine(RESULT, RESULT): the operator of a reduction
    ///   RESULT skelrt_scale(RESULT, RESULT): recipe::scale
    ///   bool skelrt_before(RESULT, RESULT): the order of a sort
    /// where a vec or mat slot is a struct {p, n} or {p, rows, cols, ld}, and a hood slot what hoods.hpp says.
    std::string text;
    std::vector<std::string>
        slot_types;          ///< OpenCL's name of each slot's T, or of the view of a vec, mat or hood slot; of a
                             ///< hood source, that of a hood over it
    std::string result_type; ///< OpenCL's name of recipe::result
    /// all_pairs: what the sides are made of. Instead of skelrt_value there are skelrt_left and skelrt_right, whose
    /// parameters are the slots in parts_of(side), an skelrt_index1 and an skelrt_index2, and RESULT skelrt_zip(left,
    /// right).
    std::string left_type, right_type;
    std::string sum_type;     ///< of rows of a sparse matrix; empty: the recipe sums none
    std::string before_type;  ///< wavefront: the struct of the results before a position, {left, above, diagonal};
                              ///< the last parameter of skelrt_value in front of the indices
    bool uses_index = false;  ///< whether a user function asks for its position
    bool uses_index2 = false; ///< whether it asks for the row and column, or for a tensor's index
    std::string double_use;   ///< where double precision is used: "app.cpp:3: the type double"; empty: nowhere
    std::string refusal;      ///< why it cannot be done, with the user's file and line; empty: text is good
};

/// Where the line numbers in the text come from.
enum class line_numbers {
    macro,     ///< all lines of a function count as the macro's; reads no file
    users_file ///< the user's source file is read, and the text has its line breaks: for messages
};

/// Costs tens of microseconds; touches no device. What OpenCL C cannot say is refused, never guessed.
translation translate(const recipe& what, line_numbers lines = line_numbers::macro);

/// How elements of a type lie in buffers: OpenCL forbids pointers to bool in kernel parameters.
std::string storage_type(const std::string& opencl_type);

} // namespace skelrt::detail::opencl
