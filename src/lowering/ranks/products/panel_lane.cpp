// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/panel_lane.hpp"

#include "src/data/faults/unwritten.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/tile_handle.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/messages/element_copy.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

namespace skelrt::detail
{

namespace
{

bool comes(const relayed_message& m) { return m.from != relayed_message::nobody; }

/// Its number, if one message is all that a rank gets of a panel; else as many as there are.
std::size_t only_message(const relay& x, std::size_t wanted)
{
    const auto is_all = [&](const relayed_message& m) { return comes(m) && m.count == wanted; };
    return static_cast<std::size_t>(std::ranges::find_if(x.messages, is_all) - x.messages.begin());
}

void note_written(managed_state& m, node_mask where)
{
    m.valid[0] = where;
    ++m.version;
    m.writers.clear();
    m.copied_into = true;
}

/// Until a message has come.
void hold_until_taken(data_hold* hold, void (*&done)(void*), void*& argument)
{
    argument = hold;
    done = [](void* held) {
        delete static_cast<data_hold*>(held);
        rouse_worker();
    };
}

} // namespace

panel_lane::panel_lane(engine& e, transfer& messages, const product_operand& o, const panel_cut& cut, unsigned rank)
    : engine_(e), messages_(messages), operand_(o), cut_(cut), rank_(rank)
{
}

/// Messages may be on their way from memory of panels that no call uses any more.
panel_lane::~panel_lane()
{
    const std::lock_guard lock(engine_.order);
    for (const storage_ref* s : {&memory_[0], &memory_[1], &memory_[2], &last_})
        if (*s)
            if (managed_state* const m = (*s)->managed.load(std::memory_order_acquire)) hold_until_idle(*m);
}

void panel_lane::bring(std::size_t panel)
{
    const position_run k = cut_.run(panel);
    const relay x = operand_.relay_for(k, rank_);
    const element_grid wanted = operand_.wanted(k, rank_);
    storage* to = nullptr;
    if (wanted.count() > 0) {
        const element_grid held = grid_of(operand_.data());
        if (const auto here = place_in(held, wanted)) {
            places_[panel % places] = {&operand_.data(), *here, held.width()};
        } else {
            to = &memory_for(panel, wanted.count());
            places_[panel % places] = {to, 0, wanted.width()};
        }
    }
    if (log_enabled(log_level::debug)) note(x);
    if (to || !x.messages.empty()) exchange(x, to, panel);
}

void panel_lane::note(const relay& x)
{
    for (const relayed_message& m : x.messages) {
        const auto bytes = static_cast<double>(m.count * operand_.data().element_size);
        if (m.next != relayed_message::nobody) sent_.push_back({rank_, m.next, bytes});
        if (comes(m)) received_.push_back({m.from, rank_, bytes});
    }
}

void panel_lane::put_in(operand& o, std::size_t panel) const
{
    const place& p = places_[panel % places];
    o.data = p.data;
    o.offset = p.offset;
    operand_.set_steps(o, p.columns);
}

/// One tile: it is what messages come to.
storage& panel_lane::memory_for(std::size_t panel, std::size_t elements)
{
    storage_ref& known = memory_[panel % places];
    storage_ref& s = !known || known->count() == elements ? known : last_;
    if (!s) {
        s = create_held(all_held(1, elements), operand_.data().element_size, false);
        set_tiles(*s, 1);
        mark_written(*s); // before any call reads it
    }
    return *s;
}

void panel_lane::exchange(const relay& x, storage* to, std::size_t panel)
{
    storage& from = operand_.data();
    const auto lock = lock_when_unused(engine_, from, to);
    managed_state* const own = from.count() > 0 ? &manage_pinned(from) : nullptr;
    managed_state* const made = to ? &manage_pinned(*to) : nullptr;
    if (made) {
        heal(*made, engine_.order.calls_made + 1);
        if (own) inherit_faults(made->inherited, *own, engine_.order.calls_made + 1);
    }
    const std::size_t only = made ? only_message(x, to->count()) : x.messages.size();
    std::vector<starpu_data_handle_t> messages, in_turn;
    for (std::size_t n = 0; n < x.messages.size(); ++n) {
        messages.push_back(n == only ? made->tiles[0] : nullptr);
        if (n == only) continue;
        register_handle(messages[n], nullptr, x.messages[n].count, from.element_size);
        in_turn.push_back(messages[n]);
    }
    turn& mine = turns_[panel % places];
    mine.begin(std::move(in_turn));
    for (std::size_t n = 0; n < x.messages.size(); ++n) {
        if (comes(x.messages[n])) take(x.messages[n], messages[n], n == only ? made : nullptr);
        else send_own(x.messages[n], *own, messages[n]);
    }
    if (made)
        note_written(*made, only < x.messages.size() ? node_mask{1} << STARPU_MAIN_RAM
                                                     : put_together(*made, own, x, messages));
    mine.end();
}

void panel_lane::send_own(const relayed_message& m, managed_state& own, starpu_data_handle_t message)
{
    auto copy = std::make_unique<element_copy>(message, operand_.data().element_size);
    for (const position_run& r : m.held) copy->add(own, r.first, r.count);
    element_copy::submit(engine_, std::move(copy));
    messages_.post(message, m.next);
}

void panel_lane::take(const relayed_message& m, starpu_data_handle_t message, managed_state* into)
{
    void (*done)(void*) = [](void*) { rouse_worker(); };
    void* argument = nullptr;
    if (into) {
        auto hold = std::make_unique<data_hold>();
        hold->add(*into);
        hold_until_taken(hold.release(), done, argument);
    }
    messages_.await(message, m.from, done, argument);
    if (m.next != relayed_message::nobody) messages_.post(message, m.next);
}

/// Returns where it is then.
node_mask panel_lane::put_together(managed_state& made, managed_state* own, const relay& x,
                                   const std::vector<starpu_data_handle_t>& messages)
{
    auto copy = std::make_unique<element_copy>(made.tiles[0], operand_.data().element_size);
    copy->hold(made);
    for (const passage::piece& p : x.pieces)
        if (p.message == passage::own) copy->add(*own, p.first, p.count);
        else copy->add(messages[p.message], p.first, p.count);
    return element_copy::submit(engine_, std::move(copy));
}

} // namespace skelrt::detail
