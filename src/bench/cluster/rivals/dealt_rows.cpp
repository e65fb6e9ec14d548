// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/dealt_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace bench
{

dealt_rows::dealt_rows(const world& all, rival_team& team, std::size_t rows, std::size_t cols, std::size_t reach)
    : rows_(rows, all.rank(), all.size()), cols_(cols), reach_(reach),
      data_(make_host_array<double>((rows_.count + 2 * reach) * (cols + 2 * reach)))
{
    if (rows / static_cast<std::size_t>(all.size()) < reach)
        throw std::runtime_error(fmt::format("{} rows are too few for {} ranks", rows, all.size()));
    team.run([&] {
        const std::size_t lines = rows_.count + 2 * reach;
#pragma omp parallel for num_threads(team.threads()) schedule(static)
        for (std::size_t r = 0; r < lines; ++r) std::fill_n(data_.get() + r * line(), line(), 0.0);
    });
}

} // namespace bench
