// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstdint>
#include <string>

/// User functions as CUDA C++ for NVRTC, without any header: what follows compiles in some 10 ms.
namespace skelrt::detail
{

/// What user functions may name: fixed-size integers, std:: math, skelrt::vec, skelrt::mat, skelrt::index1 to index4.
std::string cuda_preamble(const recipe& what);

/// How a hood reaches the elements around its position.
enum class hood_memory : std::uint8_t {
    tile,   ///< in memory that holds them all, border included: hood(at, distances between neighbours)
    direct, ///< where they lie; each access applies the border rule: hood(around, space, z, y, x)
    patch   ///< in a tile, of several positions at once: lockstep.hpp
};

/// hood1 to hood3 for user functions, and in namespace skelrt::generated what a stencil's kernels load hoods with:
///   rank, down, border, steps, reach_before[3], reach_after[3]   of the stencil, for z, y, x: planes, rows, columns
///   struct space, struct around<T>                                a segment and the elements in and around it
/// To be put between the preamble and the functions.
/// `maps`: some hoods are over maps; direct ones then are hood(map_sources, slot, whether they lie in the grid, z, y,
/// x) and ask mapped_at<T>(slot, map_sources, ...), which the kernel's text defines.
std::string cuda_hoods(const stencil_shape& shape, unsigned steps, hood_memory memory, bool maps);

/// The user's own texts, each under a #line with its file and line, in their namespaces and their order: what
/// SKELRT_SHARED gave and the functions. All in namespace skelrt_user, which has of <cmath> what the global namespace
/// has on the host; so nothing of CUDA's or ours has or hides the user's names. Then, in namespace skelrt::generated:
///   skelrt_t<k>           type of slot k (global), result_type: type of what is stored
///   struct element        the element inputs at one position, and the hoods around it: e.s<k>
///   struct uniforms       what is the same for the whole call: width, and u.s<k> of the other slots; of hoods under
///                         border_rule::constant the border's value, u.s<k>_border
///   evaluate(element, uniforms, row, col)   the mapped value, as result_type
///   evaluate_with_sum(element, uniforms, row, col, sum)   the same, with the sum of a sparse matrix's row, a sum_type
///   mapped_s<k>(uniforms, elements of its sources)   of a map under the hoods of slot k
///   all_pairs has, instead: left_type, right_type; left_value(segment, uniforms, row of the segment, row of the side,
///     k, length of a row) and right_value; zipped(left, right); left_step, left_data and so on: how the operands lie
///   combine(a, b)         the operator of a reduction
///   scaled_sum(uniforms, value), scaled_front(uniforms, value)   of all_pairs: what is combined, by recipe::scale
///   before(a, b)          the order of a sort
/// `as_written` gives the texts the line breaks of their files, which it reads, so that messages name the true lines.
std::string cuda_functions(const recipe& what, bool as_written);

/// Whether a user function may take long for one element: it loops, or reads whole containers. Such a call is not
/// bound by memory, and one thread should not evaluate several elements.
bool loops(const recipe& what);

} // namespace skelrt::detail
