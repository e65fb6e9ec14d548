// SPDX-License-Identifier: BSD-3-Clause
/// Runtimes on communicators of a program that uses MPI itself: communicator, under mpirun. Exit code 0.

#include <skelrt/mpi.hpp>
#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <string_view>

namespace sk = skelrt;

namespace
{

const auto plus_position = sk::map(SKELRT_FN((sk::index1 i, long x) { return x + static_cast<long>(i.i); }));
const auto sum = sk::reduce(sk::plus, 0L);

bool holds(bool condition, const char* what, int rank)
{
    if (!condition) std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    return condition;
}

/// What these ranks compute together, beside messages of the program's own.
bool computes_on(MPI_Comm comm, long offset)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    constexpr long n = 1001;
    const sk::runtime rt(sk::on(comm));
    const sk::vector<long> x(n, offset);
    int from_others = 1;
    MPI_Allreduce(MPI_IN_PLACE, &from_others, 1, MPI_INT, MPI_SUM, comm);
    const long got = sum(plus_position(x));
    const std::size_t held = sk::local(x).size();
    return holds(sk::rank() == rank && sk::ranks() == ranks, "rank in the communicator", rank) &&
           holds(from_others == ranks, "the program's own message", rank) &&
           holds(got == n * (n - 1) / 2 + n * offset, "a sum", rank) &&
           holds(held <= n / static_cast<std::size_t>(ranks) + 1, "a rank's part", rank);
}

bool refuses(MPI_Comm comm, std::string_view text, int rank)
{
    try {
        const sk::runtime rt(sk::on(comm));
        return holds(false, "a runtime where there can be none", rank);
    } catch (const sk::error& e) {
        return holds(std::string_view(e.what()).find(text) != std::string_view::npos, e.what(), rank);
    }
}

} // namespace

int main(int argc, char** argv)
{
    int level = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half = MPI_COMM_NULL, first = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); // from the last to the first
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &first);
    bool right = computes_on(half, rank % 2);
    right = computes_on(MPI_COMM_WORLD, 3) && right;
    right = computes_on(MPI_COMM_SELF, rank) && right;
    right = (rank == 0 ? computes_on(first, 5) : refuses(first, "MPI_COMM_NULL", rank)) && right;
    MPI_Comm_free(&half);
    if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
    MPI_Finalize();
    return right ? 0 : 1;
}
