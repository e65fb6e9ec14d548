// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/session.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

std::atomic<bool> stays_open{false};

void end_mpi()
{
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended && !stays_open) MPI_Finalize();
}

/// All ranks find out at about the same time; it is enough if one says so and ends the others.
void wait_for_turn() noexcept
{
    constexpr std::chrono::milliseconds each{250}, longest{2000};
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::this_thread::sleep_for(std::min(rank * each, longest));
}

/// mpirun of Open MPI ends a job whose first rank exits with an error. It does so safely; the text that MPI_Abort has
/// it print reaches it from two threads (4.1), and once in some fifty times it crashes or never ends.
bool ends_with_one_rank() noexcept { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

} // namespace

void begin_mpi()
{
    int ended = 0, begun = 0, level = 0;
    MPI_Finalized(&ended);
    if (ended)
        throw error("sk::runtime: the program has ended MPI, which cannot begin again in the same process; end the "
                    "runtime first, and start none after MPI_Finalize");
    MPI_Initialized(&begun);
    if (begun) {
        MPI_Query_thread(&level);
    } else {
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0); // waiting threads leave the core to those that compute
        check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
        std::atexit(&end_mpi);
    }
    if (level < MPI_THREAD_MULTIPLE)
        throw error(begun ? "sk::runtime: the program has begun MPI for one thread; begin it with MPI_Init_thread and "
                            "MPI_THREAD_MULTIPLE, or let skelrt begin it"
                          : "sk::runtime: this MPI does not serve several threads (MPI_THREAD_MULTIPLE), which skelrt "
                            "needs");
}

void leave_mpi_open() noexcept { stays_open = true; }

void check_mpi(int answer, const char* what)
{
    if (answer == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(answer, text, &length);
    throw error(fmt::format("sk::runtime: {} says {}", what, text));
}

void wait_bounded(MPI_Request& request, long patience_s, std::string_view what, const std::function<void()>& look)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int done = 0;;) {
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done) return;
        if (patience_s > 0 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(patience_s))
            throw error(fmt::format("sk::runtime: {} within {} s (SKELRT_CLUSTER_PATIENCE)", what, patience_s));
        if (look) look();
        sched_yield();
    }
}

communicator::communicator(MPI_Comm of, long patience_s)
{
    MPI_Request made;
    check_mpi(MPI_Comm_idup(of, &comm_, &made), "MPI_Comm_idup");
    wait_bounded(made, patience_s, "not all ranks have come to start a runtime");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

communicator::~communicator()
{
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended && !stays_open && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_); // all ranks come here
}

void abort_job(std::string_view why) noexcept
{
    wait_for_turn();
    std::fprintf(stderr, "skelrt: error: %.*s\n", static_cast<int>(why.size()), why.data());
    std::fflush(stderr);
    if (!ends_with_one_rank()) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::_Exit(EXIT_FAILURE);
}

} // namespace skelrt::detail
