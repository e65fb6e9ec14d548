// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/bytes_type.hpp"

namespace skelrt::detail
{

/// Blocks of a MiB, and what is left.
MPI_Datatype make_bytes_type(std::size_t bytes)
{
    constexpr std::size_t block = std::size_t{1} << 20;
    MPI_Datatype parts[2], whole;
    MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &parts[0]);
    MPI_Type_contiguous(static_cast<int>(bytes % block), MPI_BYTE, &parts[1]);
    const int counts[2] = {static_cast<int>(bytes / block), 1};
    const MPI_Aint begins[2] = {0, static_cast<MPI_Aint>(bytes / block * block)};
    MPI_Type_create_struct(2, counts, begins, parts, &whole);
    MPI_Type_commit(&whole);
    for (MPI_Datatype& part : parts) MPI_Type_free(&part);
    return whole;
}

} // namespace skelrt::detail
