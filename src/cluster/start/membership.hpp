// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/start/launch.hpp"
#include "src/runtime/environment/settings.hpp"

#include <memory>

namespace skelrt::detail
{

class peers;

/// This process as a rank of a program, or alone: what its runtime does together with the other ranks when it starts
/// and ends. A base of the engine that comes before StarPU, and goes after it.
class membership
{
protected:
    /// Throws error where the others cannot be reached.
    explicit membership(const launch& started);
    ~membership();

    /// Null: alone.
    peers* others() const noexcept { return others_.get(); }
    /// What StarPU is to know of the ranks. Divides this node among its ranks, and waits for its turn: where StarPU
    /// would measure the machine, one rank of a node starts before the others.
    settings with_ranks(settings wanted);
    /// Of this node's ranks; whoever is alone is.
    bool is_first_on_node() const noexcept;
    /// StarPU runs. Throws error where ranks were started with settings that must be the same on all.
    void join_others();
    /// This rank's calls are done; the handshake of the end. Never throws.
    void leave_others() noexcept;
    /// No handle is left.
    void stop_messages() noexcept;

private:
    std::unique_ptr<peers> others_;
    bool goes_first_ = false, has_left_ = false;
};

} // namespace skelrt::detail
