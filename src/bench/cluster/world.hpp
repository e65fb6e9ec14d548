// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include <mpi.h>

namespace bench
{

/// MPI as a program of several ranks begins it. The runtime then uses it; rivals have a communicator of their own.
///
/// Lifetime: made before the runtime, gone after it. Thread safety: one thread at a time.
class world
{
public:
    world();
    ~world();
    world(const world&) = delete;
    world& operator=(const world&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm rivals() const { return rivals_; }

    // All ranks call these.
    double sum(double mine) const;
    double largest(double mine) const;
    /// Seconds of the slowest rank; all begin together.
    double time(const std::function<void()>& work) const;

private:
    double reduced(double mine, MPI_Op how) const;

    int rank_ = 0, size_ = 1;
    MPI_Comm rivals_ = MPI_COMM_NULL;
};

} // namespace bench
