// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace bench
{

class report;
class rival_team;

/// What happens to the results of a star: they are a grid, or are added to one.
enum class star_use { assigned, added };

/// The star of a radius from 1 to 4, as the Parallel Research Kernels weigh it, on n x n elements, shared out to the
/// threads. Where it leaves the grid the element itself takes its place, as with sk::border::none.
void openmp_star(rival_team& team, std::size_t n, int radius, star_use use, const double* from, double* to);

/// Stars of all radii whose border is none, against these loops.
void stars_without_border(report& out, rival_team& team, int repeat, int batch);

} // namespace bench
