// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/messages/transfer.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/data/tile_handle.hpp"
#include "src/data/use_here.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/messages/element_copy.hpp"
#include "src/lowering/ranks/needs/tags.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/starpu_task.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace skelrt::detail
{

namespace
{

/// Longer messages are several: they pipeline, and no count comes near what MPI takes.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

/// Elements in a message at most, of which `unit` stay together.
std::size_t most_elements(std::size_t unit, std::size_t element_size)
{
    return std::max<std::size_t>(most_bytes / (unit * element_size), 1) * unit;
}

/// visit(position_run) for each message that these elements make.
template <class Visit>
void for_each_message(const position_run& elements, std::size_t unit, std::size_t element_size, Visit visit)
{
    const std::size_t most = most_elements(unit, element_size);
    for (std::size_t first = elements.first; first < elements.end(); first += most)
        visit(position_run{first, std::min(most, elements.end() - first)});
}

} // namespace

std::unique_lock<submission_order> lock_when_unused(engine& e, storage& read, storage* written)
{
    const auto state = [](const storage& s) { return s.managed.load(std::memory_order_acquire); };
    const auto is_used = [&](const storage& s, bool by_writer) {
        return state(s) && state(s)->is_worked_on(by_writer);
    };
    auto lock = e.order.lock_when_unused([&] { return is_used(read, false) || (written && is_used(*written, true)); });
    if (state(read)) e.order.flush_locked(state(read)->batch);
    if (written && state(*written)) e.order.flush_locked(state(*written)->batch);
    return lock;
}

transfer::transfer(engine& e)
    : engine_(e), call_(e.cluster->calls.calls()), hash_(e.cluster->calls.hash()),
      sent_(static_cast<std::size_t>(e.cluster->size())), received_(sent_.size())
{
}

transfer::~transfer()
{
    if (arrived_.empty()) return;
    const std::lock_guard lock(engine_.order);
    for (starpu_data_handle_t h : arrived_) starpu_data_unregister_submit(h);
}

std::int64_t transfer::tag(unsigned other, bool outgoing)
{
    const peers& all = *engine_.cluster;
    const std::uint32_t number = (outgoing ? sent_ : received_)[other]++;
    if (number == most_messages)
        throw error(fmt::format("a call exchanges more than {} messages of {} bytes between two ranks; use more ranks",
                                most_messages, most_bytes));
    const bool to_higher = static_cast<int>(other) > all.rank();
    return message_tag(call_, hash_, number, outgoing == to_higher);
}

void transfer::post(starpu_data_handle_t message, unsigned rank)
{
    engine_.cluster->send(message, static_cast<int>(rank), tag(rank, true));
}

void transfer::await(starpu_data_handle_t message, unsigned rank, void (*done)(void*), void* argument)
{
    engine_.cluster->receive(message, static_cast<int>(rank), tag(rank, false), done, argument);
}

/// With the order's lock, as what follows.
void transfer::send(starpu_data_handle_t message, unsigned rank)
{
    post(message, rank);
    starpu_data_unregister_submit(message);
}

starpu_data_handle_t transfer::receive(unsigned rank, std::size_t count, std::size_t element_size)
{
    starpu_data_handle_t message = nullptr;
    register_handle(message, nullptr, count, element_size);
    arrived_.push_back(message);
    // Who rests would find late what is ready now.
    await(
        message, rank, [](void*) { rouse_worker(); }, nullptr);
    return message;
}

void transfer::send(storage& from, const exchange& x)
{
    if (x.out.empty()) return;
    const auto lock = lock_when_unused(engine_, from);
    managed_state& own = manage_pinned(from);
    for (const rank_piece& p : x.out)
        for_each_message(p.elements, x.unit, from.element_size, [&](const position_run& elements) {
            starpu_data_handle_t message = nullptr;
            register_handle(message, nullptr, elements.count, from.element_size);
            auto copy = std::make_unique<element_copy>(message, from.element_size);
            copy->add(own, elements.first - from.first, elements.count);
            element_copy::submit(engine_, std::move(copy), others_wait);
            send(message, p.rank);
        });
}

void transfer::send(storage& from, const passage& x)
{
    if (x.out.empty()) return;
    const auto lock = lock_when_unused(engine_, from);
    managed_state& own = manage_pinned(from);
    for (const outgoing_elements& p : x.out) {
        position_run rest{};
        auto next = p.held.begin();
        for_each_message({0, count_of(p.held)}, 1, from.element_size, [&](const position_run& elements) {
            starpu_data_handle_t message = nullptr;
            register_handle(message, nullptr, elements.count, from.element_size);
            auto copy = std::make_unique<element_copy>(message, from.element_size);
            for (std::size_t left = elements.count; left > 0;) {
                if (rest.count == 0) rest = *next++;
                const std::size_t n = std::min(left, rest.count);
                copy->add(own, rest.first, n);
                rest = {rest.first + n, rest.count - n};
                left -= n;
            }
            element_copy::submit(engine_, std::move(copy), others_wait);
            send(message, p.rank);
        });
    }
}

void transfer::fill(storage& to, storage& from, const passage& x)
{
    const std::size_t size = from.element_size, most = most_elements(1, size);
    const auto lock = lock_when_unused(engine_, from, &to);
    std::vector<std::vector<starpu_data_handle_t>> messages;
    for (const incoming_elements& m : x.in) {
        auto& parts = messages.emplace_back();
        for_each_message({0, m.count}, 1, size,
                         [&](const position_run& part) { parts.push_back(receive(m.rank, part.count, size)); });
    }
    if (to.count() == 0) return;
    managed_state* const own = from.count() > 0 ? &manage_pinned(from) : nullptr;
    managed_state& made = manage_pinned(to);
    heal(made, engine_.order.calls_made + 1);
    if (own) inherit_faults(made.inherited, *own, engine_.order.calls_made + 1);
    auto next = x.pieces.begin();
    std::size_t done = 0; // of that piece
    for (std::size_t t = 0; t < made.tile_count(); ++t) {
        auto copy = std::make_unique<element_copy>(made.tiles[t], size);
        copy->hold(made);
        for (std::size_t left = made.tile_size(t); left > 0 && next != x.pieces.end();) {
            const std::size_t first = next->first + done;
            std::size_t n = std::min(left, next->count - done);
            if (next->message == passage::own) {
                copy->add(*own, first, n);
            } else {
                n = std::min(n, most - first % most);
                copy->add(messages[next->message][first / most], first % most, n);
            }
            left -= n;
            done += n;
            if (done == next->count) ++next, done = 0;
        }
        made.valid[t] = element_copy::submit(engine_, std::move(copy));
    }
    ++made.version;
    made.writers.clear();
    made.copied_into = true;
}

void transfer::redistribute(storage& from, storage& to)
{
    const auto rank = static_cast<unsigned>(engine_.cluster->rank()), ranks = static_cast<unsigned>(sent_.size());
    if (!from.dealt) {
        hand_on_faults(from, to);
        return fill(to, from, passage_here(grid_of(from), grid_of(to)));
    }
    const passage x = passage_of(
        ranks, [&](unsigned who) { return held_grid(*from.dealt, who); },
        [&](unsigned who) { return to.dealt ? held_grid(*to.dealt, who) : grid_of(to); }, rank);
    if (!to.dealt) tell_faults(from);
    else hand_on_faults(from, to);
    or_tell([&] {
        send(from, x);
        fill(to, from, x);
    });
}

void transfer::hand_on_faults(storage& from, storage& to)
{
    gathered_faults all;
    all.add_foreign(from);
    if (to.count() == 0) all.add_own(from);
    note_foreign_faults(to, all, true);
}

void transfer::tell_faults(storage& from)
{
    engine_.order.flush();
    together(*engine_.cluster, [&] {
        check_foreign_faults(from);
        const opened_on_host waited(from, access::read);
    });
}

held_part transfer::blocks_of(const storage& s) const
{
    const auto ranks = static_cast<unsigned>(sent_.size());
    return held_by(*intern(balanced(s.shape_rows, s.shape_cols, s.whole_rows, ranks)),
                   static_cast<unsigned>(engine_.cluster->rank()));
}

void transfer::take_lines(storage& from, const exchange& x, std::size_t slot, std::size_t first, std::size_t width,
                          foreign_lines& to)
{
    const std::lock_guard lock(engine_.order);
    for (const rank_piece& p : x.in)
        for_each_message(p.elements, x.unit, from.element_size, [&](const position_run& elements) {
            to.add({slot,
                    {(elements.first - first) / width, elements.count / width},
                    receive(p.rank, elements.count, from.element_size)});
        });
}

} // namespace skelrt::detail
