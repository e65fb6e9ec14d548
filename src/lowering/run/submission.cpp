// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/submission.hpp"

#include "src/data/tile_handle.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/decide/decision_log.hpp"
#include "src/lowering/place/foreign_lines.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/place/moves.hpp"
#include "src/lowering/place/scratch.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/pending.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/summary/traced_call.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/element_memory.hpp"
#include "codelets/index_fault.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// The submitting thread's hold on a call, until it is handed on.
class own_hold
{
public:
    explicit own_hold(submitted_call& state) noexcept : state_(&state) {}
    ~own_hold()
    {
        if (state_) state_->drop();
    }
    own_hold(const own_hold&) = delete;
    own_hold& operator=(const own_hold&) = delete;
    submitted_call& state() const noexcept { return *state_; }
    submitted_call& hand_on() noexcept { return *std::exchange(state_, nullptr); }

private:
    submitted_call* state_;
};

/// Turns one call into tasks. Used once, under the order's lock. What throws meanwhile ends the call: it counts as
/// failed, and nobody waits for the tasks that it did not come to.
class submission
{
public:
    submission(engine& e, const call& c, const request& r, std::vector<const target*> targets)
        : engine_(e), program_(program::current()), call_(c), request_(r), follows_(program_.row.add() > 0),
          run_(likely_run(e, c, r)), recipe_(c.site->what), codelet_(codelet_of(recipe_)),
          own_targets_(std::move(targets)), targets_(own_targets_),
          hold_(submitted_call::make(c, program_, next_number())), state_(hold_.state()),
          layout_(state_, cut_for(e, c, r, targets_, run_))
    {
    }

    /// Of a call like one before it.
    submission(engine& e, const call& c, const request& r, shared_decision known)
        : engine_(e), program_(program::current()), call_(c), request_(single(r)), follows_(program_.row.add() > 0),
          run_(1), recipe_(c.site->what), codelet_(codelet_of(recipe_)), targets_(known->targets),
          known_(std::move(known)), hold_(submitted_call::make(c, program_, next_number())), state_(hold_.state()),
          layout_(state_, {})
    {
    }

    /// Cuts, plans and submits everything; the caller keeps one hold on the state.
    submitted_call& run(at_once_run& here)
    {
        or_abandon([&] {
            watch_split(engine_, request_, state_);
            state_.may_use_cores = may_use_cores();
            layout_.cut();
            if (known_ && state_.segments.size() == 1) repeat();
            else plan();
            layout_.pin_copied(plan_->groups, targets_, engine_.devices().policy_places());
            prepare();
            const carrier by = carry_out(here);
            note_load(by);
            if (traced_call* const t = traced_call::current())
                t->is_submitted(state_.number, *plan_, targets_, who_does_it(by), request_.free);
            if (log_enabled(log_level::debug)) log_decision(call_, request_.free, text_of_decision(by));
            layout_.note_results(plan_->groups, targets_, engine_.devices().policy_places(), request_.free,
                                 number_of_episode(engine_));
            if (is_caller(by)) unsent_ = 0;
        });
        return hold_.hand_on();
    }

private:
    /// What was said of a call whose like is known: as it would be said of one alone.
    static request single(request r)
    {
        r.uses = 1;
        r.obeyed = nullptr;
        return r;
    }

    std::string text_of_decision(carrier by) const
    {
        if (engine_.devices().policy_places()) return fmt::format("{} tasks for the policy", plan_->groups.size());
        const std::string where = plan_text(plan_->groups, targets_, state_.segments.size());
        if (by == carrier::own_core) return "the calling thread, on its core";
        if (by == carrier::caller) return "all cores, led by the calling thread";
        return by == carrier::batch ? where + ", with others" : where;
    }

    done_by who_does_it(carrier by) const
    {
        if (engine_.devices().policy_places()) return done_by::policy;
        if (by == carrier::own_core) return done_by::own_core;
        if (by == carrier::caller) return done_by::led_cores;
        return by == carrier::batch ? done_by::batch : done_by::tasks;
    }

    std::uint64_t next_number() noexcept
    {
        program_.note_call();
        return ++engine_.order.calls_made;
    }

    /// What an episode wants is no wish of the user's.
    bool may_use_cores() const
    {
        return engine_.devices().available().has(device::cpu) &&
               (request_.free || request_.may_use.kinds.has(device::cpu));
    }

    template <class Step>
    void or_abandon(Step step)
    {
        try {
            step();
        } catch (...) {
            abandon(std::current_exception());
            throw;
        }
    }

    /// Tasks that were sent go on; the others are done.
    void abandon(const std::exception_ptr& why) noexcept
    {
        if (state_.tasks) state_.fail(why);
        for (; unsent_ > 0; --unsent_) state_.task_done();
        for (starpu_task* t : made_) discard(t);
        unregister_handles();
        if (halos_sent_ > 0) starpu_task_wait_for_all(); // these know the call, and no task of it may follow them
    }

    /// Of the call's own, when its last task is submitted.
    void unregister_handles() noexcept
    {
        if (std::exchange(unregistered_, true)) return;
        if (carry_ && !state_.goes_on) starpu_data_unregister_submit(carry_);
        if (scratch_ && recipe_.kind == skeleton::sort) starpu_data_unregister_submit(scratch_);
        for (const halo& h : state_.halos)
            if (h.to) starpu_data_unregister_submit(h.to);
    }

    void prepare()
    {
        if (sums_front()) state_.groups.back().front = state_.groups.back().first;
        make_partials();
        make_carry();
        count_tasks();
        layout_.note_calls(state_.number);
    }

    void send_tasks()
    {
        for (const managed_state* m : state_.used()) engine_.order.flush_locked(m->batch);
        gather_replicas();
        made_.reserve(state_.groups.size());
        for (const bool at_edge : {true, false})
            for (std::size_t g = 0; g < state_.groups.size(); ++g)
                if (plan_->groups[g].at_edge == at_edge) make_task(g);
        starpu_task* combine = state_.needs_combine() ? make_combine(made_) : nullptr;
        for (starpu_task* t : std::exchange(made_, {})) send(t);
        if (combine) send(combine);
        state_.arrived.store(true, std::memory_order_release);
        unregister_handles();
    }

    /// As it was decided; by others, where the data is elsewhere than was noted.
    carrier carry_out(at_once_run& here)
    {
        const decided_call made = decided();
        carrier by = carrier_for(made);
        if (is_caller(by) && !leave_to_caller(here, by)) by = carrier_instead_of_caller(made);
        if (by == carrier::batch && !join_batch()) by = carrier::tasks;
        if (by == carrier::tasks) {
            send_tasks();
            return by;
        }
        hold(made, by);
        layout_.give_back(std::move(used_));
        return by;
    }

    static bool is_caller(carrier by) { return by == carrier::caller || by == carrier::own_core; }

    decided_call decided() const
    {
        return {engine_, call_, request_, state_, layout_, targets_, *plan_, costs_, repeated_, follows_};
    }

    /// For other programs' calls, and for the run that it is part of.
    void note_load(carrier by)
    {
        run_way* const run = program_.wishes.run.get();
        const bool told = program::has_others() && !is_caller(by);
        if (engine_.devices().policy_places() || !(told || run)) return;
        const std::vector<double> busy_us = times_on_targets();
        if (run && !plan_->single_us.empty()) run->add_told(evaluations(call_));
        for (std::size_t d = 0; d < targets_.size(); ++d) {
            if (told && busy_us[d] > 0)
                engine_.loads().add_call(targets_[d]->index, program_, busy_us[d], state_.tasks);
            if (run && !plan_->single_us.empty())
                run->add(targets_[d]->index, busy_us[d] / sharers(d), us_if_all_went_to(d) / sharers(d));
        }
    }

    /// Of a run that goes to one kind of device as a whole: there a call's operands are where the one before it was.
    double us_if_all_went_to(std::size_t d) const
    {
        const double single_us = plan_->single_us[d];
        return follows_ ? std::min(single_us, us_of(costs_[d], evaluations(call_))) : single_us;
    }

    std::vector<double> times_on_targets() const
    {
        if (!plan_->busy_us.empty()) return plan_->busy_us;
        std::vector<double> us(targets_.size());
        for (const task_group& g : state_.groups) {
            const std::size_t d = plan_->groups[g.number].device;
            us[d] += us_of(costs_[d], g.elements);
        }
        return us;
    }

    /// Calls that the cores do at the same time.
    double sharers(std::size_t d) const
    {
        return plan_->own_core && targets_[d]->kind == device::cpu ? engine_.devices().cores() : 1;
    }

    /// False: what it reads is not in the host's memory, or another thread leads the cores.
    bool leave_to_caller(at_once_run& here, carrier by)
    {
        used_ = data_of(0, &only_target());
        return state_.halos.empty() && !state_.foreign && here.prepare(by, state_.groups[0], used_, layout_);
    }

    /// A short call becomes one task with others before and after it. False: there are halos to be copied before it.
    bool join_batch()
    {
        if (used_.empty()) used_ = data_of(0, &only_target());
        if (!state_.halos.empty() || state_.foreign) return false;
        state_.arrived.store(true, std::memory_order_release);
        engine_.pending().add(program_, only_target(), state_.groups[0], used_, scratch_,
                              us_of(costs_[plan_->groups[0].device], state_.groups[0].elements));
        unsent_ = 0;
        return true;
    }

    /// Of calls of one task.
    const target& only_target() const { return *targets_[plan_->groups[0].device]; }

    /// What a GPU alone adds to stays there, and cores change the elements of which all have one copy. Who looks for
    /// positions that two functions write needs a copy to note them.
    bool adds_where_it_is() const
    {
        const unsigned device = plan_->groups[0].device;
        const auto elsewhere = [&](const plan_group& g) { return g.device != device; };
        const bool on_cores = targets_[device]->kind == device::cpu;
        if (on_cores && (!has_one_copy(recipe_.rule) || layout_.adds_to_several_pieces(*targets_[device])))
            return false;
        return !engine_.devices().policy_places() && std::ranges::none_of(plan_->groups, elsewhere) &&
               writer_bytes_of(recipe_, 1) == 0 && may_be_checked(device);
    }

    /// Checks of functions that change one copy see all of the elements, in one piece.
    bool may_be_checked(unsigned device) const
    {
        return !has_one_copy(recipe_.rule) || !layout_.adds_to_several_pieces(*targets_[device]) ||
               trust_in(recipe_, targets_[device]->kind) == trust::sound;
    }

    /// A result in one tile that one task makes stays on its device.
    bool writes_result() const
    {
        if (recipe_.kind == skeleton::accumulate) return adds_where_it_is();
        return (recipe_.kind == skeleton::reduce || recipe_.kind == skeleton::reduce_columns) && state_.result.data &&
               plan_->groups.size() == 1 && manage(*state_.result.data).tile_count() == 1;
    }

    void count_tasks()
    {
        const auto tasks = static_cast<unsigned>(state_.groups.size()) + (state_.needs_combine() ? 1 : 0);
        state_.tasks = std::make_shared<progress>(tasks);
        for (; unsent_ < tasks; ++unsent_) state_.hold();
    }

    void plan()
    {
        plan_ = decide(engine_, call_, state_, layout_, targets_, request_, run_, follows_);
        costs_ = plan_->costs;
        make_groups();
        state_.groups[0].may_end_early = may_end_early(decided());
    }

    void make_groups()
    {
        layout_.set_devices(plan_->groups);
        state_.groups.resize(plan_->groups.size());
        for (std::size_t g = 0; g < plan_->groups.size(); ++g) {
            task_group& group = state_.groups[g];
            group.owner = &state_;
            group.number = static_cast<unsigned>(g);
            group.first = plan_->groups[g].first;
            group.count = plan_->groups[g].count;
            for (std::size_t s = 0; s < group.count; ++s) group.elements += state_.evaluations(group.first + s);
            group.team = !engine_.devices().policy_places() && !layout_.maps_scalars(); // should the CPU run it
            group.threads = plan_->threads;
            if (!plan_->blocks.empty()) group.block = plan_->blocks[plan_->groups[g].device];
        }
        state_.direct = writes_result();
    }

    /// One group, where the last call like this went.
    void repeat()
    {
        repeated_ = true;
        plan_ = known_;
        costs_ = plan_->costs;
        make_groups();
        state_.groups[0].may_end_early = plan_->may_end_early;
        go_as_held(engine_, state_, layout_, targets_, request_, *plan_);
    }

    /// One partial result per group, in memory that a device copies to without waiting.
    void make_partials()
    {
        if (recipe_.kind == skeleton::reduce_columns) state_.result_values = state_.cols;
        if (recipe_.kind == skeleton::accumulate) state_.result_values = accumulated_values(recipe_, state_.operands);
        if (recipe_.kind == skeleton::sort) return make_sort_scratch();
        if (recipe_.kind == skeleton::filter) state_.result_values = state_.segments.size();
        const bool partial = state_.leaves_partials() && !state_.direct;
        // Of no values, too: a device's task takes that memory.
        state_.together = state_.direct && layout_.adds_to_several_pieces(only_target());
        const std::size_t bytes = partial || state_.together ? std::max<std::size_t>(state_.partial_bytes(), 1) : 0;
        scratch_ = scratch_of(recipe_, scratch_bytes_for(targets_, recipe_, bytes, state_.rows * state_.cols,
                                                         state_.cols, plan_->blocks));
        if (!partial) return;
        state_.partial_stride = rounded_to_elements(bytes);
        state_.partials = allocate_pinned(state_.partial_stride * state_.groups.size());
    }

    /// Larger than the operands: only for the device that sorts, and it goes with the call.
    void make_sort_scratch()
    {
        std::vector<const target*> where = targets_;
        if (!engine_.devices().policy_places()) where = {targets_[plan_->groups[0].device]};
        const std::size_t bytes = scratch_bytes_for(where, recipe_, 0, state_.cols, state_.cols);
        if (bytes > 0) register_handle(scratch_, nullptr, bytes, 1);
    }

    /// Cores that scan the last part of a vector need not wait for the GPUs that scan the others: they read those
    /// parts, too, where these lie in the host's memory, and find out what comes in front of their own.
    bool sums_front() const
    {
        if (recipe_.kind != skeleton::scan || engine_.devices().policy_places() || plan_->groups.size() < 2)
            return false;
        const auto on_cores = [&](const plan_group& g) { return targets_[g.device]->kind == device::cpu; };
        if (!on_cores(plan_->groups.back()) || std::any_of(plan_->groups.begin(), plan_->groups.end() - 1, on_cores))
            return false;
        return plan_->missing_on(plan_->groups.back().device, plan_->groups.back().first) == 0 && !is_in_place(call_);
    }

    /// The groups of a scan hand on their running values in a handle of its own; it goes with the last of them.
    void make_carry()
    {
        if (storage* const front = state_.foreign ? state_.foreign->in_front() : nullptr) return go_on_from(*front);
        if (!is_chained(recipe_.kind) || state_.groups.size() - (state_.groups.back().front > 0 ? 1 : 0) == 1) return;
        const std::size_t values = recipe_.kind == skeleton::scan_columns ? state_.cols : 1;
        register_handle(carry_, nullptr, values, recipe_.result_size);
    }

    /// Other ranks' running values are handed on in place.
    void go_on_from(storage& front)
    {
        managed_state& m = manage_pinned(front);
        state_.goes_on = true;
        state_.keep(front);
        state_.use(m);
        state_.read_windows.push_back({m.faults, m.healed, state_.number});
        state_.read_windows.insert(state_.read_windows.end(), m.inherited.begin(), m.inherited.end());
        carry_ = m.tiles[0];
    }

    void make_task(std::size_t g)
    {
        task_group& group = state_.groups[g];
        const target* where = engine_.devices().policy_places() ? nullptr : targets_[plan_->groups[g].device];
        const std::vector<handle_use> used = g == 0 && !used_.empty() ? std::move(used_) : data_of(g, where);
        const int priority = priority_of(plan_->groups[g]);
        copy_halos(priority);
        starpu_task* t = made_.emplace_back(starpu_task_create());
        t->cl = &codelet_;
        t->cl_arg = &group;
        t->cl_arg_size = sizeof group;
        t->name = recipe_.name.c_str();
        set_priority(*t, priority);
        set_handles(*t, used, scratch_, group);
        t->callback_func = &after_task;
        t->callback_arg = &group;
        send_to(*t, where, targets_);
        if (where && !request_.obeyed)
            t->sched_data = &hint_for(group, *where); // nobody takes what a plan of the user gave
    }

    int priority_of(const plan_group& g) const noexcept
    {
        return program_.wishes.priority + (g.at_edge ? others_wait : 0);
    }

    /// All that a group uses but scratch; its references point there.
    std::vector<handle_use> data_of(std::size_t g, const target* where)
    {
        task_group& group = state_.groups[g];
        layout_.place(group, where);
        if (state_.direct && recipe_.kind == skeleton::accumulate) layout_.place_added(group);
        layout_.surround(group, where);
        std::vector<handle_use> used = layout_.take_handles();
        if (carry_ && group.front == 0) {
            group.carry_handle = static_cast<int>(used.size());
            used.push_back({carry_, g > 0 || state_.goes_on, true, 1, 1});
        }
        if (state_.direct && state_.result.data) {
            managed_state& m = manage(*state_.result.data);
            group.result_refs = {{static_cast<std::uint32_t>(used.size()), state_.result.offset * recipe_.result_size}};
            used.push_back({m.tiles[0], false, true, m.tile_size(0), m.tile_size(0)});
        }
        return used;
    }

    /// The planner's wish, and who else may do it.
    schedulers::placement_hint& hint_for(task_group& group, const target& where) const
    {
        schedulers::placement_hint& hint = group.hint;
        const schedulers::worker_cost& cost = costs_[plan_->groups[group.number].device];
        hint.worker = where.worker;
        hint.elements = group.elements;
        hint.expected_us = us_of(cost, group.elements);
        hint.arrived = &state_.arrived;
        const auto fits = [&](const target* t) {
            return group.count <= layout_.longest_run(*t) && layout_.may_go_from(where, *t);
        };
        if (!plan_->chained && state_.takers.size() > 1 && may_move(group) && std::ranges::all_of(targets_, fits)) {
            hint.others = state_.takers;
            group.tiles = layout_.tile_notes(group, where);
        }
        return hint;
    }

    /// Tasks for the halos that the last group asked for, each on the device that has the lines.
    void copy_halos(int priority)
    {
        for (; halos_sent_ < state_.halos.size(); ++halos_sent_) {
            halo& h = state_.halos[halos_sent_];
            if (h.there) continue;
            starpu_task* const t = make_halo_task(h);
            send_to(*t, engine_.devices().policy_places() ? nullptr : targets_[h.device], targets_);
            if (submit_task(t, priority) != 0) discard(t);
        }
    }

    /// Gathers the whole operands of several tiles whose replica is old, on the first device that needs them.
    void gather_replicas()
    {
        const bool anywhere = engine_.devices().policy_places();
        for (const whole_operand& w : layout_.whole_operands()) {
            const auto needs_it = [&](const plan_group& g) { return layout_.wants_replica(w, targets_[g.device]); };
            const auto first = std::ranges::find_if(plan_->groups, needs_it);
            if (anywhere ? !layout_.wants_replica(w, nullptr) : first == plan_->groups.end()) continue;
            if (!replica_is_stale(*w.data)) continue;
            starpu_task* const t = make_gather_task(*w.data);
            send_to(*t, anywhere ? nullptr : targets_[first->device], targets_);
            if (submit_task(t, program_.wishes.priority) != 0) discard(t);
        }
    }

    /// Writes the result when all groups have left their partial results.
    starpu_task* make_combine(std::vector<starpu_task*>& groups)
    {
        starpu_task* const t = make_combine_task(state_);
        set_priority(*t, program_.wishes.priority);
        leave_to_leader(*t, engine_.devices());
        starpu_task_declare_deps_array(t, static_cast<unsigned>(groups.size()), groups.data());
        return t;
    }

    /// A task that StarPU refuses counts as done and failed: whoever waits for the call hears of it.
    void send(starpu_task* t)
    {
        --unsent_;
        const int refused = submit_task(t);
        if (refused == 0) return;
        discard(t);
        state_.fail(std::make_exception_ptr(error(fmt::format(
            "{}: StarPU accepts no task for it ({}): no worker can run it", recipe_.name, std::strerror(-refused)))));
        state_.task_done();
    }

    engine& engine_;
    program& program_;
    const call& call_;
    const request request_;
    bool follows_;          ///< another call, which the host has not waited for
    bool repeated_ = false; ///< goes where one like it went
    std::size_t run_;       ///< calls in a row on this data that are likely; 0: nobody knows
    const recipe& recipe_;
    starpu_codelet& codelet_;
    const std::vector<const target*> own_targets_;
    const std::vector<const target*>& targets_; ///< own, or those of a decision, which outlives this
    const shared_decision known_;               ///< of a call like this one; null: there is none
    own_hold hold_;
    submitted_call& state_;
    layout layout_;
    shared_decision plan_;                           ///< under a policy of the user's: groups, and nothing else
    std::span<const schedulers::worker_cost> costs_; ///< of each target, so far as is known; own, or a decision's
    starpu_data_handle_t scratch_ = nullptr, carry_ = nullptr;
    std::size_t halos_sent_ = 0;
    unsigned unsent_ = 0; ///< tasks that are counted and not yet submitted
    bool unregistered_ = false;
    std::vector<starpu_task*> made_; ///< of which so many are there
    std::vector<handle_use> used_;   ///< by the first group, once it is known
};

} // namespace

submitted_call& submit_to(engine& e, const call& c, const request& r, std::vector<const target*> targets,
                          at_once_run& here)
{
    return submission(e, c, r, std::move(targets)).run(here);
}

submitted_call& submit_like(engine& e, const call& c, const request& r, shared_decision known, at_once_run& here)
{
    return submission(e, c, r, std::move(known)).run(here);
}

} // namespace skelrt::detail
