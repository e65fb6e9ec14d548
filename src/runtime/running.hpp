// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/devices.hpp"
#include "src/runtime/environment/settings.hpp"
#include "src/runtime/life.hpp"
#include "src/runtime/order/submission_order.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skelrt::detail
{

class knowledge;
class lookout;
class peers;

/// StarPU's, by number: "core 0", "CUDA 0". While it runs.
std::vector<std::string> names_of_workers();

/// The running library, as every floor knows it: what was asked of it, its devices, and the order in which calls go to
/// them. src/lowering/engine.hpp has the rest.
///
/// Lifetime: at most one, made and ended by sk::runtime. Everything that may outlive it asks current() and takes null
/// for an answer. Threads of the program that use it are visitors (visit.hpp): it waits for them before it ends.
class running
{
public:
    static running* current() noexcept { return life::current.load(std::memory_order_acquire); }

    running(const running&) = delete;
    running& operator=(const running&) = delete;

    const starpu_devices& devices() const noexcept { return *devices_; }

    const settings wanted;
    const std::uint64_t number; ///< 1, 2, ... of the process's runtimes
    submission_order order;
    knowledge& learnt;    ///< src/model/knowledge.hpp
    peers* const cluster; ///< the other ranks (src/cluster/peers.hpp); null: this process runs alone

protected:
    /// Starts the devices. Throws error.
    running(settings wanted_, submitted_calls& calls, knowledge& learnt_, peers* cluster_);
    ~running();

    std::vector<target>& targets_to_rate() noexcept { return devices_->targets_to_rate(); }
    /// Visitors may come.
    void open() noexcept;
    /// No more visitors come, and all that came have gone.
    void close_to_visitors() noexcept;
    /// Nobody finds it any more.
    static void hide() noexcept;
    /// Once all that uses them is gone.
    void stop_devices() noexcept;

private:
    static std::unique_ptr<starpu_devices> start_devices(const settings& s);

    std::unique_ptr<lookout> lookout_; ///< null: nobody asked; sees devices start and end
    std::unique_ptr<starpu_devices> devices_;
};

} // namespace skelrt::detail
