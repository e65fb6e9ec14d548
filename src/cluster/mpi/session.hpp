// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string_view>

/// MPI in this process, which begins once and ends with the process, while runtimes come and go.
namespace skelrt::detail
{

/// MPI runs, for several threads; begun by us unless the program did, and then ended by us at the process's exit.
/// Throws error where it runs otherwise, or has ended.
void begin_mpi();
/// MPI is not to be ended at the exit: others would be waited for that do not come any more.
void leave_mpi_open() noexcept;

/// Throws error for what MPI answers, with the name of what was asked.
void check_mpi(int answer, const char* what);

/// Tests a request until it is done. Throws error, which says what was waited for, after `patience_s`; 0: never. `look`
/// may throw before.
void wait_bounded(MPI_Request& request, long patience_s, std::string_view what, const std::function<void()>& look = {});

/// A communicator of one runtime's.
class communicator
{
public:
    /// All ranks of `of` come here. Throws error if they do not within the patience.
    communicator(MPI_Comm of, long patience_s);
    /// Takes over what was made for it.
    explicit communicator(MPI_Comm made) noexcept : comm_(made) {}
    ~communicator();
    communicator(const communicator&) = delete;
    communicator& operator=(const communicator&) = delete;

    MPI_Comm get() const noexcept { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Ends the job.
[[noreturn]] void abort_job(std::string_view why) noexcept;

} // namespace skelrt::detail
