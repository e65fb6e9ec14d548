// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/transpose_mpi.hpp"

#include <algorithm>

namespace bench
{

transpose_mpi::transpose_mpi(const world& all, rival_team& team, std::size_t n)
    : all_(all), team_(team), n_(n), a_(all, team, n, n, 0), b_(all, team, n, n, 0)
{
    for (int r = 0; r < all.size(); ++r) {
        out_.push_back(make_host_array<double>(a_.rows() * rows_of(r).count));
        in_.push_back(make_host_array<double>(a_.rows() * rows_of(r).count));
    }
    for (std::size_t r = 0; r < a_.rows(); ++r)
        for (std::size_t c = 0; c < n; ++c)
            a_.row(static_cast<std::ptrdiff_t>(r))[c] = static_cast<double>((a_.first() + r) * n + c);
}

void transpose_mpi::pack(int to)
{
    constexpr std::size_t tile = 32;
    const block_of theirs = rows_of(to);
    const std::size_t rows = a_.rows();
    double* const block = out_[static_cast<std::size_t>(to)].get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
    for (std::size_t c0 = 0; c0 < theirs.count; c0 += tile)
        for (std::size_t r0 = 0; r0 < rows; r0 += tile)
            for (std::size_t c = c0; c < std::min(c0 + tile, theirs.count); ++c)
                for (std::size_t r = r0; r < std::min(r0 + tile, rows); ++r)
                    block[c * rows + r] = a_.row(static_cast<std::ptrdiff_t>(r))[theirs.first + c];
}

void transpose_mpi::add(int from, const double* block)
{
    const block_of theirs = rows_of(from);
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
    for (std::size_t r = 0; r < b_.rows(); ++r) {
        double* const to = b_.row(static_cast<std::ptrdiff_t>(r)) + theirs.first;
        const double* const line = block + r * theirs.count;
#pragma omp simd
        for (std::size_t c = 0; c < theirs.count; ++c) to[c] += line[c];
    }
}

void transpose_mpi::step()
{
    const int me = all_.rank(), ranks = all_.size();
    std::vector<MPI_Request> coming(static_cast<std::size_t>(ranks), MPI_REQUEST_NULL), going = coming;
    const auto swap = [&](int other, auto how, const std::vector<host_array<double>>& blocks, auto& requests) {
        const auto k = static_cast<std::size_t>(other);
        const int count = static_cast<int>(a_.rows() * rows_of(other).count);
        how(blocks[k].get(), count, MPI_DOUBLE, other, 0, all_.rivals(), &requests[k]);
    };
    for (int k = 1; k < ranks; ++k) swap((me + k) % ranks, MPI_Irecv, in_, coming);
    for (int k = 1; k < ranks; ++k) {
        const int to = (me + ranks - k) % ranks;
        pack(to);
        swap(to, MPI_Isend, out_, going);
    }
    pack(me);
    add(me, out_[static_cast<std::size_t>(me)].get());
    for (int k = 1; k < ranks; ++k) {
        int from = 0;
        MPI_Waitany(ranks, coming.data(), &from, MPI_STATUS_IGNORE);
        add(from, in_[static_cast<std::size_t>(from)].get());
    }
    MPI_Waitall(ranks, going.data(), MPI_STATUSES_IGNORE);
}

void transpose_mpi::run(int steps)
{
    for (int k = 0; k < steps; ++k) {
        step();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t r = 0; r < a_.rows(); ++r) {
            double* const a = a_.row(static_cast<std::ptrdiff_t>(r));
#pragma omp simd
            for (std::size_t c = 0; c < n_; ++c) a[c] += 1;
        }
    }
}

} // namespace bench
