// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/data_plane.hpp"

#include "src/cluster/mpi/bytes_type.hpp"

#include <skelrt/error.hpp>

#include <starpu_mpi.h>

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Larger messages wait on the sender's side until the receiver is ready: a rank that runs ahead would fill the other's
/// memory.
constexpr std::size_t synchronous_from = std::size_t{1} << 20;

int make_type(starpu_data_handle_t handle, unsigned, MPI_Datatype* type)
{
    *type = make_bytes_type(starpu_data_get_size(handle));
    return 0;
}

void free_type(MPI_Datatype* type) { MPI_Type_free(type); }

} // namespace

data_plane::data_plane(MPI_Comm all, int ranks) : all_(all), pending_(static_cast<std::size_t>(ranks))
{
    if (starpu_mpi_init_comm(nullptr, nullptr, 0, all) != 0) throw error("sk::runtime: StarPU-MPI does not start");
}

void data_plane::shut_down() noexcept
{
    if (std::exchange(is_down_, true)) return;
    for (const int id : known_) starpu_mpi_interface_datatype_unregister(static_cast<starpu_data_interface_id>(id));
    starpu_mpi_shutdown_comm(all_);
}

/// Handles of ours have an interface of their own, which StarPU-MPI would pack into a copy, with a size that is an int.
void data_plane::know_interface(starpu_data_handle_t h)
{
    const int id = starpu_data_get_interface_id(h);
    if (id < STARPU_MAX_INTERFACE_ID || !known_.insert(id).second) return;
    starpu_mpi_interface_datatype_node_register(static_cast<starpu_data_interface_id>(id), &make_type, &free_type);
}

data_plane::message* data_plane::note(int other, void (*done)(void*), void* argument)
{
    pending_[static_cast<std::size_t>(other)].fetch_add(1, std::memory_order_relaxed);
    return new message{this, other, done, argument};
}

void data_plane::end(void* message_) noexcept
{
    const std::unique_ptr<message> m(static_cast<message*>(message_));
    if (m->done) m->done(m->argument);
    m->plane->pending_[static_cast<std::size_t>(m->other)].fetch_sub(1, std::memory_order_relaxed);
    m->plane->done_.fetch_add(1, std::memory_order_relaxed);
}

void data_plane::send(starpu_data_handle_t what, int to, std::int64_t tag)
{
    know_interface(what);
    const std::size_t bytes = starpu_data_get_size(what);
    messages_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    largest_.store(std::max<std::uint64_t>(largest_.load(std::memory_order_relaxed), bytes), std::memory_order_relaxed);
    const auto begin_send = bytes > synchronous_from ? &starpu_mpi_issend_detached : &starpu_mpi_isend_detached;
    begin_send(what, to, tag, all_, &end, note(to, nullptr, nullptr));
}

void data_plane::receive(starpu_data_handle_t into, int from, std::int64_t tag, void (*done)(void*), void* argument)
{
    know_interface(into);
    starpu_mpi_irecv_detached(into, from, tag, all_, &end, note(from, done, argument));
}

data_plane::traffic_counts data_plane::sent() const noexcept
{
    return {messages_.load(std::memory_order_relaxed), bytes_.load(std::memory_order_relaxed),
            largest_.load(std::memory_order_relaxed)};
}

long data_plane::pending(int rank) const noexcept
{
    return pending_[static_cast<std::size_t>(rank)].load(std::memory_order_relaxed);
}

} // namespace skelrt::detail
