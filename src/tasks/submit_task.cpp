// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/tsan_order.hpp"
#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/parts/dealt_part.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/release.hpp"
#include "src/data/tile_handle.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/times/simulated_models.hpp"
#include "src/program/of_one_rank.hpp"
#include "src/program/program.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/memory/small_array.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/runtime/visit.hpp"
#include "src/tasks/after.hpp"
#include "src/tasks/checks/futures.hpp"
#include "src/tasks/costs/costs.hpp"
#include "src/tasks/place_parts.hpp"
#include "src/tasks/ranks/task_over_ranks.hpp"
#include "src/tasks/run.hpp"
#include "src/tasks/task_record.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/detail/items/recycled.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

task_body::~task_body() = default;

void throw_gaps(std::size_t rows, std::size_t cols, std::size_t ld)
{
    throw error(
        fmt::format("its part has {} rows of {} elements, {} apart, and the function takes it as std::span, which "
                    "has no gaps; take it as sk::block",
                    rows, cols, ld));
}

void throw_no_element()
{
    throw error("its part has no elements, and the function takes the first one by reference; take the part as "
                "std::span or sk::block");
}

namespace
{

/// In items of farms and the like: here are other elements than the task means.
void refuse_dealt_parts(const task_request& r)
{
    for (const task_part& p : r.parts)
        if (p.data && p.data->dealt)
            throw_dealt_in_item(task_title(r.what, r.wishes.name, place_of(r)).c_str(), {}, p.data->shape_rows,
                                p.data->shape_cols);
}

/// One task on its way to StarPU.
class task_submission
{
public:
    task_submission(engine& e, const task_request& r)
        : engine_(e), request_(r), program_(program::current()), parts_(r.parts), where_(place_of(r)),
          room_(e.devices().targets().size())
    {
        check_views();
        check_futures(r, where_);
        if (watches_races()) check_races();
    }

    run_handle run()
    {
        const std::uint64_t begin_ns = tracing() ? trace_now_ns() : 0;
        if (const std::string& for_cuda = engine_.wanted.check_cuda; !for_cuda.empty())
            request_.body->check_for_cuda(for_cuda);
        choose_targets();
        program_.wait_if_many_tasks();
        std::shared_ptr<task_end> end;
        {
            const auto lock = engine_.order.lock_when_unused([&] { return is_worked_on(); });
            leave_to_cores_if_held();
            end = submit();
        }
        if (begin_ns > 0) record_call(begin_ns);
        if (engine_.wanted.sequential) end->wait();
        return run_handle(end);
    }

private:
    /// SKELRT_TRACE: what the thread did to make the task.
    void record_call(std::uint64_t begin_ns) const noexcept
    {
        trace_record r;
        r.begin_ns = begin_ns;
        r.end_ns = trace_now_ns();
        r.name = &request_.what.name();
        r.call = number_;
        r.by = done_by::policy;
        r.parts = 1;
        r.bytes = static_cast<float>(parts_.bytes());
        record(r);
    }

    std::string title() const { return task_title(request_.what, request_.wishes.name, where_); }

    void check_views() const
    {
        if (const storage* const s = parts_.viewed())
            throw error(fmt::format("{}: a host view of one of its containers ({} x {} elements) is open; let it go "
                                    "out of scope before the task",
                                    title(), s->shape_rows, s->shape_cols));
    }

    /// Futures first: what they are of comes before the task.
    void check_races() const
    {
        for (const dependence& d : request_.wishes.after)
            if (d.work) note_awaited(d.work->order);
        for (const run_handle& f : request_.futures) note_awaited(f.work()->order);
        parts_.check_races(title());
    }

    bool is_worked_on() const
    {
        return std::ranges::any_of(request_.parts, [](const task_part& p) {
            const managed_state* const m = p.data ? p.data->managed.load(std::memory_order_acquire) : nullptr;
            return m && m->is_worked_on(writes(p.use));
        });
    }

    /// Why a device cannot have the task; empty: it can.
    std::string refusal(const target& t) const
    {
        if (!request_.what.implementations().has(t.kind)) return "there is no implementation for it";
        if (request_.on_cores_only && t.kind != device::cpu) return "sk::opaque pointers are the host's";
        if (!request_.wishes.on.has(t.kind)) return "sk::how::on leaves it out";
        if (!program_.wishes.kinds.has(t.kind)) return "sk::only leaves it out";
        if (parts_.share_reads() && t.kind != device::cpu) return "its parts overlap, and a device has each by itself";
        if (engine_.wanted.sequential && t.kind != device::cpu) return "SKELRT_SEQUENTIAL=1";
        if (t.memory > 0 && parts_.bytes() > 0.9 * static_cast<double>(t.memory))
            return fmt::format("its parts are {:.0f} MiB, the device has {} MiB", parts_.bytes() / (1 << 20),
                               t.memory >> 20);
        return refusal_of_body(t);
    }

    /// Kernels that are text are built now: no worker waits for a compiler.
    std::string refusal_of_body(const target& t) const
    {
        try {
            request_.body->prepare(t.kind, t.number);
            return {};
        } catch (const error& e) {
            if (engine_.devices().targets().size() > 1) warn_once(t, e.what());
            return e.what();
        }
    }

    /// Others go on without it.
    void warn_once(const target& t, const char* why) const
    {
        if (request_.what.note_warning(t.kind)) log_warning("{}: not on {}: {}", title(), kind_name(t.kind), why);
    }

    void choose_targets()
    {
        std::string reasons;
        for (const target& t : engine_.devices().targets()) {
            const std::string why = refusal(t);
            if (why.empty()) add_target(t);
            else reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", kind_name(t.kind), why);
        }
        if (targets_.empty()) throw error(fmt::format("{}: no device can run it: {}", title(), reasons));
        if (const run_way* const run = program_.wishes.run.get()) prefer(engine_.ground().way_of(run->way()).may_use);
    }

    void add_target(const target& t)
    {
        room_[targets_.size()] = &t;
        targets_ = {room_.data(), targets_.size() + 1};
    }
    template <class Is>
    void drop_targets(Is is)
    {
        targets_ = {targets_.begin(), std::ranges::remove_if(targets_, is).begin()};
    }

    /// The devices that all calls of a run go to, where one of these can do it.
    void prefer(const device_choice& choice)
    {
        const auto other = [&](const target* t) { return !choice.has(*t); };
        if (!std::ranges::all_of(targets_, other)) drop_targets(other);
    }

    bool is_for_cores_only() const
    {
        return std::ranges::all_of(targets_, [](const target* t) { return t->kind == device::cpu; });
    }

    /// While a host view is open nothing is cut, and only the cores see several pieces as one.
    void leave_to_cores_if_held()
    {
        if (is_for_cores_only() || !parts_.are_held()) return;
        drop_targets([](const target* t) { return t->kind != device::cpu; });
        if (targets_.empty())
            throw error(
                fmt::format("{}: a host view of a container of which it uses a part is open, and the part cannot "
                            "be cut out for a device meanwhile; let the view go out of scope before the task",
                            title()));
    }

    /// With the order's lock.
    std::shared_ptr<task_end> submit()
    {
        const auto reductions = std::ranges::count(request_.parts, part_use::reduction, &task_part::use);
        const unsigned tasks = 1 + static_cast<unsigned>(reductions);
        end_ =
            std::allocate_shared<task_end>(recycling<task_end>(), request_.what, request_.wishes.name, where_, tasks);
        begin(tasks);
        try {
            send(static_cast<std::size_t>(reductions));
        } catch (...) {
            if (unsent_ > 0) record_->fail(std::current_exception());
            for (; unsent_ > 0; --unsent_) record_->drop();
            throw;
        }
        return end_;
    }

    void begin(unsigned tasks)
    {
        record_ = &task_record::make(request_.what, request_.body, program_);
        record_->end = end_;
        record_->number = number_ = ++engine_.order.calls_made;
        program_.note_call();
        record_->size = {request_.wishes.work, parts_.bytes(), parts_.element_size()};
        record_->work = std::max(record_->size.operations > 0 ? record_->size.operations : record_->size.bytes, 1.0);
        engine_.order.calls_in_flight.begin();
        program_.task_begins();
        for (unsent_ = 1; unsent_ < tasks; ++unsent_) record_->hold();
    }

    void send(std::size_t reductions)
    {
        for (const task_part& p : request_.parts)
            if (managed_state* const m = p.data ? p.data->managed.load(std::memory_order_acquire) : nullptr)
                engine_.order.flush_locked(m->batch);
        const bool one_node =
            std::ranges::all_of(targets_, [&](const target* t) { return t->node == targets_[0]->node; });
        const node_mask node = node_mask{1} << (one_node ? targets_[0]->node : unsigned{STARPU_MAIN_RAM});
        parts_.place(*record_, is_for_cores_only() ? pieces::several : pieces::one, {node, one_node});
        std::vector<listed_handle>& data = record_->listed;
        add_scratch(data);
        add_private_values(data, reductions);
        starpu_task* const t = make(data);
        note_load(engine_, *record_);
        starpu_task* const gate = wait_for_others(*t);
        submit(t);
        for (std::size_t k = 0; k < reductions; ++k) submit(make_combine(record_->privates[k]));
        if (gate) release_gate(gate);
        for (starpu_data_handle_t h : own_) starpu_data_unregister_submit(h);
        parts_.forget_gates();
    }

    /// Memory that only this task knows.
    void add_scratch(std::vector<listed_handle>& data)
    {
        for (std::size_t k = 0; k < request_.parts.size(); ++k) {
            const task_part& p = request_.parts[k];
            if (p.use != part_use::scratch || p.place.cols == 0) continue;
            data.push_back({own_handle(p.place.cols * p.element_size), STARPU_SCRATCH});
            record_->parts[k].buffer = data.size() - 1;
            record_->parts[k].element_size = p.element_size;
        }
    }

    void add_private_values(std::vector<listed_handle>& data, std::size_t reductions)
    {
        record_->privates.reserve(reductions); // StarPU's tasks point to them
        for (std::size_t k = 0; k < request_.parts.size(); ++k) {
            const task_part& p = request_.parts[k];
            if (p.use != part_use::reduction) continue;
            data.push_back({own_handle(p.element_size), STARPU_W});
            record_->parts[k] = {
                .buffer = data.size() - 1, .rows = 1, .cols = 1, .ld = 1, .element_size = p.element_size};
            private_value& v = record_->privates.emplace_back();
            v = {record_, data.back().handle, {}, p.combine, p.neutral, p.element_size, k};
            totals_.push_back(task_parts::place_total(*record_, p, v.total));
        }
    }

    starpu_data_handle_t own_handle(std::size_t bytes)
    {
        register_handle(own_.emplace_back(), nullptr, bytes, 1);
        return own_.back();
    }

    starpu_task* make(std::span<const listed_handle> data)
    {
        starpu_task* const t = starpu_task_create();
        t->cl = &request_.what.codelet();
        t->cl_arg = record_;
        t->cl_arg_size = sizeof *record_;
        t->name = request_.what.name().c_str();
        list_handles(*t, data);
        t->callback_func = &after_task_ran;
        t->callback_arg = record_;
        if (engine_.devices().policy_places()) {
            leave_to_policy(*t, targets_);
            return t;
        }
        t->where = workers_of(targets_);
        for (const target* where : targets_) record_->costs.push_back({where->worker, 1, 0});
        record_->hint.elements = 1;
        record_->hint.others = record_->costs;
        t->sched_data = &record_->hint;
        t->prologue_callback_func = &rate_targets;
        t->prologue_callback_arg = record_;
        return t;
    }

    starpu_task* make_combine(private_value& v)
    {
        static starpu_codelet& cl = []() -> starpu_codelet& {
            auto& c = *new starpu_codelet;
            starpu_codelet_init(&c);
            c.name = "combine";
            c.nbuffers = STARPU_VARIABLE_NBUFFERS;
            c.cpu_funcs[0] = &run_private_value;
            if constexpr (simulated) c.model = &model_of_copies();
            return c;
        }();
        starpu_task* const t = starpu_task_create();
        t->cl = &cl;
        t->cl_arg = &v;
        t->cl_arg_size = sizeof v;
        const listed_handle data[] = {{v.value, STARPU_R},
                                      totals_[static_cast<std::size_t>(&v - record_->privates.data())]};
        list_handles(*t, data);
        leave_to_leader(*t, engine_.devices());
        t->callback_func = &after_private_value;
        t->callback_arg = &v;
        return t;
    }

    /// A task that this one waits for, and that is submitted when the others have ended; null: they have.
    starpu_task* wait_for_others(starpu_task& t)
    {
        for (const dependence& d : request_.wishes.after) others_.add(d.work);
        for (const run_handle& f : request_.futures) {
            others_.add(f.work());
            record_->needs.push_back(f.work());
        }
        return others_.make_gate(t);
    }
    void release_gate(starpu_task* gate) { others_.release_when_done(gate); }

    /// With the last one the record may end, and become another task's. A task that StarPU refuses counts as done and
    /// failed: whoever waits hears of it.
    void submit(starpu_task* t)
    {
        --unsent_;
        comes_before(record_);
        const int refused = submit_task(t, program_.wishes.priority_of(request_.wishes.priority));
        if (refused == 0) return;
        discard(t);
        record_->fail(std::make_exception_ptr(error(fmt::format(
            "{}: StarPU accepts no task for it ({}): no worker can run it", title(), std::strerror(-refused)))));
        record_->drop();
    }

    engine& engine_;
    const task_request& request_;
    program& program_;
    task_parts parts_;
    const caller where_;
    small_array<const target*, few_slots> room_;
    std::span<const target*> targets_; ///< that may run it, in the room
    std::shared_ptr<task_end> end_;
    task_record* record_ = nullptr;
    awaited_work others_;
    std::vector<starpu_data_handle_t> own_;
    std::vector<listed_handle> totals_;
    unsigned unsent_ = 0;      ///< of StarPU's tasks
    std::uint64_t number_ = 0; ///< the record's, which may be gone when the last task is sent
};

/// Those that lie here; none if some reach into what other ranks hold.
std::vector<rectangle> blocks_of(const storage& s, const rectangle& block, const peers* others)
{
    const rectangle all = whole_of(s);
    std::vector<rectangle> here;
    std::size_t elements = 0;
    for (std::size_t i = 0; i < all.rows; i += block.rows)
        for (std::size_t j = 0; j < all.cols; j += block.cols) {
            rectangle one{i, j, std::min(block.rows, all.rows - i), std::min(block.cols, all.cols - j)};
            if (s.dealt && others) {
                const dealt_part there = find_part(*s.dealt, one);
                if (!there.lies_with_one_rank()) return {};
                if (static_cast<int>(there.owner()) != others->rank()) continue;
                one = there.local;
            }
            here.push_back(one);
            elements += one.size();
        }
    return elements == s.count() ? here : std::vector<rectangle>();
}

} // namespace

run_handle submit_task(const task_request& r)
{
    const call_visit visit("sk::task");
    reap();
    engine& e = engine::of(visit.runtime());
    const auto run = [&e](const task_request& here) { return task_submission(e, here).run(); };
    if (!e.cluster) return run(r);
    if (!is_of_one_rank()) return submit_over_ranks(e, r, run);
    refuse_dealt_parts(r);
    return run(r);
}

void cut_into_blocks(storage& s, std::size_t rows, std::size_t cols)
{
    const visit here;
    running* const e = here.runtime();
    if (!e || here.is_of_task() || s.count() == 0) return; // tasks cut it then
    const std::vector<rectangle> blocks = blocks_of(s, {0, 0, rows, cols}, e->cluster);
    constexpr std::size_t most = 65536;
    if (blocks.empty() || blocks.size() > most) return;
    const auto lock = e->order.lock_when_unused([&] {
        const managed_state* const m = s.managed.load(std::memory_order_acquire);
        return m && m->is_worked_on(true);
    });
    managed_state& m = manage_as_it_is(s);
    e->order.flush_locked(m.batch);
    if (m.acquired == 0 && m.watched == 0 && !are_parts_held(s)) parts_of(m).recut(blocks);
}

} // namespace skelrt::detail
