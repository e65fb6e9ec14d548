// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/run_in_panels.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/lowering/ranks/needs/messages.hpp"
#include "src/lowering/ranks/products/panel_lane.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"

#include <deque>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// What a rank does of a call, panel by panel.
class panel_calls
{
public:
    panel_calls(const call& c, const panel_cut& cut, const std::deque<panel_lane>& lanes)
        : cut_(cut), lanes_(lanes), operands_(c.operands, c.operands + c.site->what.slots.size()), mine_(c)
    {
        const storage& to = result();
        operand& o = operands_.back();
        o.rows = to.rows;
        o.cols = o.ld = to.cols;
        mine_.set_space({2, to.rows, to.cols});
    }
    storage& result() const { return *operands_.back().data; }

    /// The operands are on their way.
    const call& of(std::size_t panel)
    {
        mine_.depth = cut_.run(panel).count;
        for (const panel_lane& lane : lanes_) {
            operand& o = operands_[lane.what().slot()];
            lane.put_in(o, panel);
            o.rows = lane.what().is_left() ? mine_.rows : mine_.cols;
            o.cols = mine_.depth;
        }
        if (panel > 0) mine_.start = nullptr;
        mine_.begun = panel > 0;
        mine_.operands = operands_.data();
        return mine_;
    }

private:
    const panel_cut& cut_;
    const std::deque<panel_lane>& lanes_;
    std::vector<operand> operands_;
    call mine_;
};

void log_messages(const engine& e, const call& c, const panel_cut& cut, const std::deque<panel_lane>& lanes)
{
    if (!log_enabled(log_level::debug)) return;
    const network_peaks network = e.learnt.models.machine()->network;
    for (const panel_lane& lane : lanes)
        log_debug("{} call {}, operand {}, {} panels of {}: {}", c.site->what.name, e.cluster->calls.calls(),
                  lane.what().slot() + 1, cut.count(), cut.width,
                  describe_messages(static_cast<unsigned>(e.cluster->size()), lane.sent(), lane.received(), network));
}

} // namespace

void run_in_panels(engine& e, const call& c, const product& p, transfer& messages, const run_local& run)
{
    const auto rank = static_cast<unsigned>(e.cluster->rank());
    const panel_cut& cut = p.cut();
    std::deque<panel_lane> lanes;
    for (const product_operand& o : p.operands()) lanes.emplace_back(e, messages, o, cut, rank);
    const auto bring = [&](std::size_t panel) {
        if (panel >= cut.count()) return;
        or_tell([&] {
            for (panel_lane& lane : lanes) lane.bring(panel);
        });
    };
    panel_calls calls(c, cut, lanes);
    const call_faults faults(c, calls.result().count() > 0);
    content_changes(calls.result());
    constexpr std::size_t ahead = panel_lane::places - 1;
    for (std::size_t panel = 0; panel < ahead; ++panel) bring(panel);
    for (std::size_t panel = 0; panel < cut.count(); ++panel) {
        bring(panel + ahead);
        if (calls.result().count() > 0) run_for_results(e, calls.of(panel), run);
    }
    faults.hand_on();
    log_messages(e, c, cut, lanes);
}

} // namespace skelrt::detail
