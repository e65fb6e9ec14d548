// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// SKELRT_CHECK=bounds in OpenCL C: every view knows its operand and where its kernel stands.
namespace skelrt::detail::opencl
{

/// skelrt_place, where a work-item stands and where it writes down what is not there, and skelrt_outside(), which does
/// it. The words are those of codelets/index_fault.hpp.
std::string place_text();

/// The last members of a view's struct; nothing if indices are not checked.
std::string checked_members();

/// name_at(view, i) or name_at(view, row, col): a pointer to the element, or to the first if that is not there.
std::string checked_access(const std::string& name, const std::string& stored, bool is_vec);

/// name_put_checked(accumulator, i, value): nothing is changed where there is no element.
std::string checked_change(const std::string& name, const std::string& type);
/// The same for an sk::out_vec, which sets each element once.
std::string checked_set(const std::string& name, const std::string& type);

/// In the access of a hood: a distance that is out of reach becomes 0. Nothing if indices are not checked.
std::string checked_distances(int rank);

} // namespace skelrt::detail::opencl
