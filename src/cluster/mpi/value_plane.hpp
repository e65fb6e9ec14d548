// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/mpi/waits/patient_wait.hpp"
#include "src/cluster/peers.hpp"

#include <mpi.h>

#include <array>
#include <span>
#include <vector>

namespace skelrt::detail
{

/// Values between ranks, by the program's thread, which waits. Each begins with a header that says after which calls it
/// was sent: ranks whose calls differ find out here.
class value_plane
{
public:
    /// A communicator for values alone.
    value_plane(MPI_Comm all, const wait_ground& ground) : all_(all), ground_(ground) {}
    value_plane(const value_plane&) = delete;
    value_plane& operator=(const value_plane&) = delete;

    /// See peers.
    void swap(std::span<const outgoing> out, std::span<const incoming> in);

private:
    struct header {
        std::uint64_t calls, hash, bytes;
    };
    /// Small values travel with their header; before larger ones it goes ahead, and they from memory to memory.
    struct envelope {
        static constexpr std::size_t room = 3072; ///< below what MPI sends at once
        header head;
        std::array<std::byte, room> value;
    };

    void post(std::span<const outgoing> out, std::span<const incoming> in);
    void take(std::span<const incoming> in, patient_wait& waiting);
    void open(const envelope& come, const incoming& to, patient_wait& waiting);
    void let_go() noexcept;

    const MPI_Comm all_;
    const wait_ground& ground_;
    // Of the swap under way. Those of large values come after those of envelopes.
    std::vector<envelope> coming_, going_;
    std::vector<MPI_Request> to_come_, to_go_;
    std::vector<int> done_;
};

} // namespace skelrt::detail
