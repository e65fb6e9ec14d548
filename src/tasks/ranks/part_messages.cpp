// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/ranks/part_messages.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/tags.hpp"
#include "src/data/tile_handle.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/times/simulated_models.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/tasks/after.hpp"
#include "src/tasks/memory_of_parts.hpp"
#include "src/tasks/place_parts.hpp"
#include "src/tasks/task_record.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Elements of a message; one more says how it went.
struct message {
    starpu_data_handle_t handle = nullptr;
    std::size_t elements, element_size;

    message(std::size_t elements_, std::size_t element_size_) : elements(elements_), element_size(element_size_)
    {
        register_handle(handle, nullptr, elements + 1, element_size);
    }
    placed_part placed(std::size_t buffer) const
    {
        return {.buffer = buffer, .rows = 1, .cols = elements, .ld = elements, .element_size = element_size};
    }
};

std::byte* bytes_of(const part_memory& m) { return static_cast<std::byte*>(m.data); }

/// A task's message is the last that it lists.
std::byte& failed(const task_record& t, const part_memory& m)
{
    return bytes_of(m)[m.cols * t.parts.back().element_size];
}

void copy_rows(const part_memory& to, const part_memory& from, std::size_t element_size, std::size_t rows,
               std::size_t cols)
{
    const auto row = [&](const part_memory& m, std::size_t r) {
        return bytes_of(m) + (m.rows == 1 ? r * cols : r * m.ld) * element_size;
    };
    for (std::size_t r = 0; r < rows; ++r) std::memcpy(row(to, r), row(from, r), cols * element_size);
}

bool reads_faults(const task_record& t)
{
    return std::ranges::any_of(t.reads, [](const fault_window& w) { return w.log->find(w.from, w.before) != nullptr; });
}

void fail_as_sent(task_record& t)
{
    t.fail(std::make_exception_ptr(
        told_elsewhere(fmt::format("{}: what should have made it failed there", t.end->title()))));
}

void pack_part(task_record& t, const memory_of_parts& parts)
{
    failed(t, parts[1]) = std::byte{reads_faults(t)};
    copy_rows(parts[1], parts[0], t.parts[0].element_size, parts[0].rows, parts[0].cols);
}

void take_part(task_record& t, const memory_of_parts& parts)
{
    if (failed(t, parts[1]) != std::byte{0}) return fail_as_sent(t);
    copy_rows(parts[0], parts[1], t.parts[0].element_size, parts[0].rows, parts[0].cols);
}

/// Its `needs` is the task whose result it is.
void pack_result(task_record& t, const memory_of_parts& parts)
{
    const bool has_failed = static_cast<const task_end&>(*t.needs[0]).has_fault();
    failed(t, parts[0]) = std::byte{has_failed};
    if (!has_failed && parts[0].cols > 0) std::memcpy(parts[0].data, t.body->result_place(), parts[0].cols);
}

void take_result(task_record& t, const memory_of_parts& parts)
{
    if (failed(t, parts[0]) != std::byte{0}) return fail_as_sent(t);
    if (parts[0].cols > 0) std::memcpy(t.body->result_place(), parts[0].data, parts[0].cols);
}

template <auto Do>
void run_on_cpu(void* buffers[], void* record) noexcept
{
    const in_order order(buffers);
    auto& t = *static_cast<task_record*>(record);
    comes_after(t.end.get());
    try {
        Do(t, memory_of_parts(t, buffers, device::cpu));
    } catch (...) {
        t.fail_here();
    }
    comes_before(t.end.get());
}

template <auto Do>
starpu_codelet& codelet_of()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        starpu_codelet_init(&c);
        c.name = "between ranks";
        c.nbuffers = STARPU_VARIABLE_NBUFFERS;
        c.cpu_funcs[0] = &run_on_cpu<Do>;
        if constexpr (simulated) c.model = &model_of_copies();
        return c;
    }();
    return cl;
}

/// One task between a message and what lies here.
class message_task
{
public:
    message_task(engine& e, std::string name, caller where, starpu_codelet& what)
        : engine_(e), program_(program::current()), what_(what)
    {
        static kernel_record& kernel = record_of_kernel("between ranks", device::cpu);
        program_.wait_if_many_tasks();
        end_ = std::make_shared<task_end>(kernel, std::move(name), where, 1);
        record_ = &task_record::make(kernel, nullptr, program_);
        record_->end = end_;
    }

    task_record& record() noexcept { return *record_; }
    /// With the order's lock. `part`: null, or what it reads or writes here.
    void submit(const message& m, starpu_data_access_mode mode, const task_part* part)
    {
        begin();
        const task_parts parts(part ? std::span(part, 1) : std::span<const task_part>());
        if (part) parts.place(*record_, pieces::several, {node_mask{1} << STARPU_MAIN_RAM, true});
        std::vector<listed_handle>& data = record_->listed;
        data.push_back({m.handle, mode});
        record_->parts.push_back(m.placed(data.size() - 1));
        starpu_task* const t = starpu_task_create();
        t->cl = &what_;
        t->cl_arg = record_;
        t->cl_arg_size = sizeof *record_;
        t->callback_func = [](void* r) { static_cast<task_record*>(r)->drop(); };
        t->callback_arg = record_;
        list_handles(*t, data);
        leave_to_leader(*t, engine_.devices());
        awaited_work others;
        for (const auto& w : record_->needs) others.add(w);
        starpu_task* const gate = others.make_gate(*t);
        comes_before(record_);
        if (submit_task(t) != 0) {
            discard(t);
            record_->fail(std::make_exception_ptr(error("StarPU accepts no task for a message between ranks")));
            record_->drop();
        }
        if (gate) others.release_when_done(gate);
        parts.forget_gates();
    }
    const std::shared_ptr<task_end>& end() const noexcept { return end_; }

private:
    void begin()
    {
        record_->number = ++engine_.order.calls_made;
        program_.note_call();
        engine_.order.calls_in_flight.begin();
        program_.task_begins();
    }

    engine& engine_;
    program& program_;
    starpu_codelet& what_;
    std::shared_ptr<task_end> end_;
    task_record* record_;
};

/// The lock, when no thread of the program is in the way, and what was to be sent of the data before is with StarPU.
std::unique_lock<submission_order> lock_for(engine& e, const task_part* part)
{
    const auto state = [&] { return part ? part->data->managed.load(std::memory_order_acquire) : nullptr; };
    auto lock = e.order.lock_when_unused([&] { return state() && state()->is_worked_on(writes(part->use)); });
    if (const managed_state* const m = state()) e.order.flush_locked(m->batch);
    return lock;
}

void send(engine& e, const message& m, std::span<const unsigned> to, unsigned number)
{
    peers& others = *e.cluster;
    for (const unsigned rank : to)
        others.send(m.handle, static_cast<int>(rank),
                    message_tag(others.calls, number, others.rank(), static_cast<int>(rank)));
    starpu_data_unregister_submit(m.handle);
}

void receive(engine& e, const message& m, unsigned from, unsigned number)
{
    peers& others = *e.cluster;
    others.receive(
        m.handle, static_cast<int>(from), message_tag(others.calls, number, static_cast<int>(from), others.rank()),
        [](void*) { rouse_worker(); }, nullptr); // who rests would find late what is ready now
}

std::string from_rank(const char* what, unsigned from) { return fmt::format("{} of rank {}", what, from); }

std::size_t elements_of(const task_part& p) { return p.place.rows * p.place.cols; }

} // namespace

void send_part(engine& e, const task_part& from, std::span<const unsigned> to, unsigned number)
{
    message_task pack(e, "part for other ranks", from.where, codelet_of<pack_part>());
    const auto lock = lock_for(e, &from);
    const message m(elements_of(from), from.element_size);
    pack.submit(m, STARPU_W, &from);
    send(e, m, to, number);
}

void receive_part(engine& e, const task_part& into, unsigned from, unsigned number)
{
    message_task take(e, from_rank("part", from), into.where, codelet_of<take_part>());
    const auto lock = lock_for(e, &into);
    const message m(elements_of(into), into.element_size);
    receive(e, m, from, number);
    take.submit(m, STARPU_R, &into);
    starpu_data_unregister_submit(m.handle);
}

void send_result(engine& e, const std::shared_ptr<task_body>& of, const std::shared_ptr<task_end>& end,
                 std::span<const unsigned> to, unsigned number)
{
    message_task pack(e, "result for other ranks", {}, codelet_of<pack_result>());
    pack.record().body = of;
    pack.record().needs = {end};
    const auto lock = lock_for(e, nullptr);
    const message m(of->result_size().value_or(0), 1);
    pack.submit(m, STARPU_W, nullptr);
    send(e, m, to, number);
}

std::shared_ptr<task_end> receive_result(engine& e, const std::shared_ptr<task_body>& of, unsigned from,
                                         unsigned number)
{
    message_task take(e, from_rank("result", from), {}, codelet_of<take_result>());
    take.record().body = of;
    const auto lock = lock_for(e, nullptr);
    const message m(of->result_size().value_or(0), 1);
    receive(e, m, from, number);
    take.submit(m, STARPU_R, nullptr);
    starpu_data_unregister_submit(m.handle);
    return take.end();
}

} // namespace skelrt::detail
