#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>

/// User functions as CUDA C++ for NVRTC, without any header: what follows compiles in some 10 ms.
namespace skelrt::detail
{

/// What user functions may name: fixed-size integers, std:: math, skelrt::vec, skelrt::mat, skelrt::index1 to index4.
std::string cuda_preamble();

/// The user's own texts, each under a #line with its file and line: what SKELRT_SHARED gave, then the functions, at global
/// scope, so that nothing of ours hides what the user named; then, in namespace skelrt::generated:
///   skelrt_t<k>           type of slot k (global), result_type: type of what is stored
///   struct element        the element inputs at one position: e.s<k>
///   struct uniforms       what is the same for the whole call: width, and u.s<k> of the other slots
///   evaluate(element, uniforms, row, col)   the mapped value, as result_type
///   combine(a, b)         the operator of a reduction
/// `as_written` gives the texts the line breaks of their files, so that messages name the true lines; it reads the files.
std::string cuda_functions(const recipe& what, bool as_written);

/// Whether a user function may take long for one element: it loops, or reads whole containers. Such a call is not
/// bound by memory, and one thread should not evaluate several elements.
bool loops(const recipe& what);

} // namespace skelrt::detail
