// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/network.hpp"
#include "src/data/managed_state.hpp"
#include "src/lowering/ranks/messages/turn.hpp"
#include "src/lowering/ranks/products/product.hpp"

#include <array>
#include <vector>

namespace skelrt::detail
{

class engine;
class transfer;

/// An operand of a product on its way to this rank, panel by panel. A panel that lies here is read there; others come
/// to one of three places in turn, so that two travel while one is used. Nothing waits.
///
/// Lifetime: the engine, transfer, operand and cut outlive it. Thread safety: the program's thread.
class panel_lane
{
public:
    static constexpr std::size_t places = 3;

    panel_lane(engine& e, transfer& messages, const product_operand& o, const panel_cut& cut, unsigned rank);
    ~panel_lane();
    panel_lane(const panel_lane&) = delete;
    panel_lane& operator=(const panel_lane&) = delete;

    /// Sends what others want of a panel, hands on what they get by way of this rank, and gets what it wants itself.
    /// All panels in their order.
    void bring(std::size_t panel);
    /// Has the call of a panel, the last three of those that were brought, use what came.
    void put_in(operand& o, std::size_t panel) const;
    const product_operand& what() const noexcept { return operand_; }
    /// What this rank sends and gets, where that is logged.
    const std::vector<message>& sent() const noexcept { return sent_; }
    const std::vector<message>& received() const noexcept { return received_; }

private:
    struct place {
        storage* data = nullptr;
        std::size_t offset = 0, columns = 0;
    };
    void note(const relay& x);
    storage& memory_for(std::size_t panel, std::size_t elements);
    void exchange(const relay& x, storage* to, std::size_t panel);
    void send_own(const relayed_message& m, managed_state& own, starpu_data_handle_t message);
    void take(const relayed_message& m, starpu_data_handle_t message, managed_state* into);
    node_mask put_together(managed_state& made, managed_state* own, const relay& x,
                           const std::vector<starpu_data_handle_t>& messages);

    engine& engine_;
    transfer& messages_;
    const product_operand& operand_;
    const panel_cut& cut_;
    const unsigned rank_;
    std::array<place, places> places_{};
    std::array<turn, places> turns_;
    std::array<storage_ref, places> memory_;
    storage_ref last_; ///< of the last panel, which has less
    std::vector<message> sent_, received_;
};

} // namespace skelrt::detail
