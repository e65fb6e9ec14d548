// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/call_history.hpp"
#include "src/cluster/mpi/waits/roll.hpp"
#include "src/cluster/mpi/waits/roll_caller.hpp"
#include "src/cluster/peers.hpp"

#include <chrono>
#include <span>
#include <string>

namespace skelrt::detail
{

/// What a wait for other ranks knows.
struct wait_ground {
    roll& others;
    const call_history& calls;
    int rank = 0;
    std::chrono::seconds patience{};
    void (*warn)(const char*) noexcept = {};
};

/// Ranks that found their calls to be others than this one's are told where they parted, and so is everybody. By the
/// program's thread, or while that makes no calls.
void answer_partings(const wait_ground& ground);

/// A wait of the program's thread for values of other ranks. While it lives the others know of it. It ends by error
/// when one of them has left or failed, when the ranks' calls differ, and when nobody can come any more.
class patient_wait
{
public:
    /// For these values, or to get rid of others.
    patient_wait(const wait_ground& ground, std::span<const outgoing> out, std::span<const incoming> in);
    ~patient_wait();
    patient_wait(const patient_wait&) = delete;
    patient_wait& operator=(const patient_wait&) = delete;

    /// Something has come: patience begins anew.
    void note_progress() noexcept;
    /// Nothing has come. Cheap most of the time. Throws error.
    void go_on();
    /// That rank's value was sent after other calls than this rank made.
    [[noreturn]] void refuse(int from, std::uint64_t its_calls);

private:
    void look();
    void refuse_leavers();
    void call_the_roll();
    [[noreturn]] void fail(const std::string& text);

    const wait_ground& ground_;
    const std::span<const incoming> in_;
    unsigned rounds_ = 0;
    roll_caller roll_caller_;
};

} // namespace skelrt::detail
