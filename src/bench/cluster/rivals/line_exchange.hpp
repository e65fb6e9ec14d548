// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/rivals/dealt_rows.hpp"

#include <array>

namespace bench
{

/// A rank's outer rows for its neighbours, and theirs for it: receives are posted before the sends.
class line_exchange
{
public:
    explicit line_exchange(const world& all) : all_(all) {}

    void begin(dealt_rows& grid);
    void end();

private:
    const world& all_;
    std::array<MPI_Request, 4> under_way_{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace bench
