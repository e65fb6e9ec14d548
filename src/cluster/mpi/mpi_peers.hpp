// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/mpi/data_plane.hpp"
#include "src/cluster/mpi/session.hpp"
#include "src/cluster/mpi/value_plane.hpp"
#include "src/cluster/mpi/waits/patient_wait.hpp"
#include "src/cluster/mpi/waits/roll.hpp"
#include "src/cluster/mpi/waits/watch.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/start/plugin.hpp"

#include <atomic>
#include <optional>

namespace skelrt::detail
{

/// The other ranks, by MPI. Each plane has a communicator of its own, so that nothing meets what is not meant for it.
class mpi_peers final : public peers
{
public:
    /// All ranks of the communicator come here. Throws error.
    mpi_peers(MPI_Comm all, const peers_options& wanted);

    std::vector<std::byte> gather_on_node(std::span<const std::byte> mine) override;
    void start() override;
    void send(starpu_data_handle_t what, int to, std::int64_t tag) override;
    void receive(starpu_data_handle_t into, int from, std::int64_t tag, void (*done)(void*), void* argument) override;
    void swap_values(std::span<const outgoing> out, std::span<const incoming> in) override;
    void tell_failure(std::string_view why) noexcept override;
    void leave(const farewell& f) noexcept override;
    void stop() noexcept override;
    [[noreturn]] void give_up(std::string_view why) noexcept override;
    traffic so_far() const noexcept override;

private:
    void await_others(bool under_exception) noexcept;

    const peers_options wanted_;
    const communicator data_, values_, notices_, node_;
    roll others_;
    const wait_ground ground_;
    value_plane value_plane_;
    std::optional<data_plane> data_plane_;
    std::optional<watch> watch_;
    std::atomic<std::uint64_t> swaps_{0};
    data_plane::traffic_counts sent_before_; ///< by a data plane that has ended
};

} // namespace skelrt::detail
