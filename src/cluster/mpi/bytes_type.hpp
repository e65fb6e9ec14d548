// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

namespace skelrt::detail
{

/// So many bytes as one element: counts of MPI are ints, which end at 2 GiB. Free with MPI_Type_free.
MPI_Datatype make_bytes_type(std::size_t bytes);

} // namespace skelrt::detail
