#pragma once

#include "parameters.hpp"
#include "shape.hpp"

#include <string>

/// The CUDA C++ program of a recipe, put together from pieces. Each piece is the text of one file here.
namespace skelrt::detail::cuda
{

extern const char* const elements_text;    ///< elements.cpp: values in registers, packs, positions
extern const char* const ordered_text;     ///< ordered.cpp: reduction of lanes, warps and ranges that keeps the order
extern const char* const map_text;         ///< map.cpp
extern const char* const reduce_text;      ///< reduce.cpp
extern const char* const reduce_rows_text; ///< reduce_rows.cpp
extern const char* const reduce_columns_text; ///< reduce_columns.cpp

/// Loads of the recipe's element operands, and the readers that the skeletons walk them with. SKELRT_LINES tells whether
/// there are packed and linear readers: operands of pairs have strided ones only.
std::string readers_text(const kernel_shape& shape);

/// All of it. `as_written`: user texts with the line breaks of their files, for messages; reads those files.
std::string source_of(const parameter_layout& layout, bool as_written);

} // namespace skelrt::detail::cuda
