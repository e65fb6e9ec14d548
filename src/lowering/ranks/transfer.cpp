#include "src/lowering/ranks/transfer.hpp"

#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/tile_handle.hpp"
#include "src/data/use_here.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/element_copy.hpp"
#include "src/lowering/ranks/needs/tags.hpp"
#include "src/runtime/cores/team.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

namespace skelrt::detail
{

namespace
{

/// Longer messages are several: they pipeline, and no count comes near what MPI takes.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

/// visit(position_run) for each message that these elements make.
template <class Visit>
void for_each_message(const position_run& elements, std::size_t unit, std::size_t element_size, Visit visit)
{
    const std::size_t most = std::max<std::size_t>(most_bytes / (unit * element_size), 1) * unit;
    for (std::size_t first = elements.first; first < elements.end(); first += most)
        visit(position_run{first, std::min(most, elements.end() - first)});
}

/// The lock, when no thread of the program writes a container, whose last calls are with StarPU.
std::unique_lock<submission_order> lock_for_reading(engine& e, storage& s)
{
    auto lock = e.order.lock_when_unused([&] {
        const managed_state* const m = s.managed.load(std::memory_order_acquire);
        return m && m->is_worked_on(false);
    });
    if (const managed_state* const m = s.managed.load(std::memory_order_acquire)) e.order.flush_locked(m->batch);
    return lock;
}

} // namespace

transfer::transfer(engine& e) : engine_(e), sent_(static_cast<std::size_t>(e.cluster->size())), received_(sent_.size())
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
    return message_tag(all.calls.calls(), all.calls.hash(), number, outgoing == to_higher);
}

void transfer::send(storage& from, const exchange& x)
{
    if (x.out.empty()) return;
    const auto lock = lock_for_reading(engine_, from);
    managed_state& own = manage(from);
    for (const rank_piece& p : x.out)
        for_each_message(p.elements, x.unit, from.element_size, [&](const position_run& elements) {
            starpu_data_handle_t message = nullptr;
            register_handle(message, nullptr, elements.count, from.element_size);
            auto copy = std::make_unique<element_copy>(message, from.element_size);
            copy->add(own, elements.first - from.first, elements.count);
            element_copy::submit(engine_, std::move(copy));
            engine_.cluster->send(message, static_cast<int>(p.rank), tag(p.rank, true));
            starpu_data_unregister_submit(message);
        });
}

/// With the order's lock.
std::vector<transfer::arrival> transfer::receive(storage& from, const exchange& x)
{
    std::vector<arrival> all;
    for (const rank_piece& p : x.in)
        for_each_message(p.elements, x.unit, from.element_size, [&](const position_run& elements) {
            starpu_data_handle_t message = nullptr;
            register_handle(message, nullptr, elements.count, from.element_size);
            arrived_.push_back(message);
            // Who rests would find late what is ready now.
            engine_.cluster->receive(
                message, static_cast<int>(p.rank), tag(p.rank, false), [](void*) { rouse_worker(); }, nullptr);
            all.push_back({elements, message});
        });
    return all;
}

storage_ref transfer::make_stand_in(storage& from, const position_run& wanted, const exchange& x)
{
    storage_ref made = create_held(all_held(1, wanted.count), from.element_size, false);
    fill(*made, from, wanted, x);
    return made;
}

void transfer::fill(storage& made, storage& from, const position_run& wanted, const exchange& x)
{
    const auto lock = lock_for_reading(engine_, from);
    const std::vector<arrival> foreign = receive(from, x);
    managed_state* const own = from.count() > 0 ? &manage(from) : nullptr;
    managed_state& to = manage(made);
    if (own) inherit_faults(to.inherited, *own, engine_.order.calls_made + 1);
    const position_run held{from.first, from.count()};
    auto next = foreign.begin();
    for (std::size_t t = 0; t < to.tile_count(); ++t) {
        auto copy = std::make_unique<element_copy>(to.tiles[t], from.element_size);
        copy->use(to);
        std::size_t at = wanted.first + to.tile_begin(t);
        for (const std::size_t end = at + to.tile_size(t); at < end;) {
            if (own && at >= held.first && at < held.end()) {
                const std::size_t n = std::min(end, held.end()) - at;
                copy->add(*own, at - held.first, n);
                at += n;
                continue;
            }
            while (next->elements.end() <= at) ++next;
            const std::size_t n = std::min(end, next->elements.end()) - at;
            copy->add(next->data, at - next->elements.first, n);
            at += n;
        }
        to.valid[t] = element_copy::submit(engine_, std::move(copy));
    }
    ++to.version;
    to.copied_into = true;
}

void transfer::take_lines(storage& from, const exchange& x, std::size_t slot, std::size_t first, std::size_t width,
                          foreign_lines& to)
{
    const std::lock_guard lock(engine_.order);
    for (const arrival& a : receive(from, x))
        to.add({slot, {(a.elements.first - first) / width, a.elements.count / width}, a.data});
}

} // namespace skelrt::detail
