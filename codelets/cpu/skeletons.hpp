// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cpu/cpu.hpp"

#include <cstring>

/// One share of each skeleton; positions count through all segments: elements, or rows where the name says so.
namespace skelrt::detail::cpu
{

void map(const work& w, std::size_t first, std::size_t last);
void reduce(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share);
/// `by_blas`: by OpenBLAS, which can do it; see goes_to_blas().
void reduce_rows(const work& w, std::size_t first_row, std::size_t last_row, bool by_blas);
void reduce_columns(const work& w, std::size_t first_row, std::size_t last_row, partials& p, std::size_t share,
                    bool by_blas);
void scan(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share);
void filter(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share);
/// The same where others are kept: the first shares only count, the others then know where their elements belong.
void partition(const work& w, partials& p, std::size_t share, std::size_t shares);
/// How many of the shares count; a single one does both.
constexpr std::size_t counting_shares(std::size_t shares) { return shares == 1 ? 1 : shares / 2; }
/// Tells how many results each segment has, from what the last share that counts left behind.
void finish_filter(const work& w, const std::byte* last);
void scan_rows(const work& w, std::size_t first_row, std::size_t last_row);
void scan_columns(const work& w, std::size_t first_column, std::size_t last_column);
/// All by itself: cuts its shares between rows where it can.
void stencil(const work& w, std::size_t share, std::size_t shares);
/// The same where work::steps is more than one.
void stencil_steps(const work& w, std::size_t share, std::size_t shares);

/// The same where there are colors as well: red_black.cpp.
void red_black(const work& w, std::size_t share, std::size_t shares, row_exchange& rows);
/// How many shares of at least so many rows as neighbours need.
std::size_t red_black_shares(const work& w, std::size_t wanted) noexcept;

/// Every share is a band of rows, and waits for the one before it.
void wavefront(const work& w, std::size_t share, std::size_t shares, share_progress& progress);
/// How many bands keep so many threads busy.
std::size_t wavefront_shares(const work& w, std::size_t wanted) noexcept;

/// Every share is a rectangle of the result; by OpenBLAS, which can do it, or by our kernel.
void all_pairs(const work& w, std::size_t share, std::size_t shares, bool by_blas);

} // namespace skelrt::detail::cpu
