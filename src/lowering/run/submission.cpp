#include "src/lowering/run/submission.hpp"

#include "src/data/tile_handle.hpp"
#include "src/lowering/caller/shares.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/cache.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/decide/decision_log.hpp"
#include "src/lowering/decide/executor.hpp"
#include "src/lowering/place/layout.hpp"
#include "src/lowering/place/moves.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/plan/grain.hpp"
#include "src/lowering/plan/predict_ways.hpp"
#include "src/lowering/plan/survey.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/pending.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"

#include "codelets/element_memory.hpp"

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
          run_(r.uses > 1 ? r.uses : expected_run(e, c)), recipe_(c.site->what), codelet_(codelet_of(recipe_)),
          own_targets_(std::move(targets)), targets_(own_targets_),
          hold_(submitted_call::make(c, program_, next_number())), state_(hold_.state()), layout_(state_, grain(c))
    {
    }

    /// Of a call like one before it.
    submission(engine& e, const call& c, const request& r, const decision& known)
        : engine_(e), program_(program::current()), call_(c), request_(single(r)), follows_(program_.row.add() > 0),
          run_(1), recipe_(c.site->what), codelet_(codelet_of(recipe_)), targets_(known.targets), known_(&known),
          hold_(submitted_call::make(c, program_, next_number())), state_(hold_.state()), layout_(state_, 0)
    {
    }

    /// Cuts, plans and submits everything; the caller keeps one hold on the state.
    submitted_call& run(at_once_run& here)
    {
        or_abandon([&] {
            if (request_.free && request_.obeyed && !parts_wait()) state_.of_split = &engine_.program_episodes();
            state_.may_use_cores = may_use_cores();
            layout_.cut();
            if (known_ && state_.segments.size() == 1) repeat(*known_);
            else plan();
            prepare();
            const bool at_once = prepare_at_once(here), batched = !at_once && join_batch();
            if (at_once || batched) layout_.give_back(std::move(used_));
            else send_tasks();
            if (log_enabled(log_level::debug)) log_decision(call_, request_.free, text_of_decision(at_once, batched));
            layout_.note_results(plan_.groups, targets_, engine_.devices().policy_places(), request_.free,
                                 engine_.program_episodes().number());
            if (at_once) unsent_ = 0;
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

    std::string text_of_decision(bool at_once, bool batched) const
    {
        if (engine_.devices().policy_places()) return fmt::format("{} tasks for the policy", plan_.groups.size());
        const std::string where = plan_text(plan_.groups, targets_, state_.segments.size());
        return at_once ? "all cores, led by the calling thread" : batched ? where + ", with others" : where;
    }

    std::uint64_t next_number() noexcept
    {
        program_.calls_made.fetch_add(1, std::memory_order_relaxed);
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
        if (carry_) starpu_data_unregister_submit(carry_);
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
        for (std::size_t g = 0; g < state_.groups.size(); ++g) make_task(g);
        starpu_task* combine = needs_combine() ? make_combine(made_) : nullptr;
        for (starpu_task* t : std::exchange(made_, {})) send(t);
        if (combine) send(combine);
        state_.arrived.store(true, std::memory_order_release);
        unregister_handles();
    }

    /// On the cores, by the calling thread. False: by a task.
    bool prepare_at_once(at_once_run& here)
    {
        if (!may_run_at_once()) return false;
        used_ = data_of(0, &only_target());
        if (!state_.halos.empty() || !here.prepare(state_.groups[0], used_, layout_)) return false;
        if (is_short_on_cores(task_facts())) remember(); // else it could not join others
        return true;
    }

    /// While nobody else wants the cores, or the data.
    bool may_run_at_once() const
    {
        if (simulated || !may_run_inline(request_.obeyed) || !is_one_plain_task()) return false;
        const call_surroundings around{program_.row.now, program_.row.before, program_.calls_in_flight(),
                                       longest_on_calling_thread_us(engine_, engine_.devices().available())};
        return may_lead_cores(task_facts(), around) && layout_.is_only_user();
    }

    /// Of the planner's, with nothing before it and nothing after it.
    bool is_one_plain_task() const
    {
        return !engine_.devices().policy_places() && plan_.groups.size() == 1 && !engine_.wanted.is_trial &&
               !needs_combine() && traits_of(recipe_.kind).may_batch;
    }

    /// A short call becomes one task with others before and after it. False: not this one.
    bool join_batch()
    {
        if (!may_join()) return false;
        if (used_.empty()) used_ = data_of(0, &only_target());
        if (!state_.halos.empty()) return false; // to be copied before it
        state_.arrived.store(true, std::memory_order_release);
        engine_.pending().add(program_, only_target(), state_.groups[0], used_, scratch_, expected_us());
        unsent_ = 0;
        remember();
        return true;
    }

    /// So that the next call like this goes the same way.
    void remember()
    {
        const one_task t = task_facts();
        const unsigned device = plan_.groups[0].device;
        if (!is_worth_holding(t, plan_, device, state_.groups[0].elements)) return;
        const std::optional<situation> now = situation_of_one_task(call_, request_);
        if (!now) return;
        decision held;
        held.targets = targets_;
        held.groups = {{device, 0, 1}};
        held.costs = plan_.costs;
        held.may_end_early = t.may_end_early;
        held.of_single_calls = holds_for_single_calls(t, plan_);
        engine_.decisions().remember(recipe_.id, *now, std::move(held));
    }

    bool may_join() const
    {
        if (engine_.devices().policy_places() || !engine_.pending().enabled()) return false;
        one_task t = task_facts();
        if (!t.held && t.plain) t.all_there = has_all(only_target());
        return may_join_batch(t);
    }

    /// What is known of a call that one task does, but for whether its data is there.
    one_task task_facts() const
    {
        const target& where = only_target();
        const auto here = [&](const schedulers::worker_cost& c) { return c.worker == where.worker; };
        const trust in_function = trust_in(recipe_, where.kind);
        one_task t;
        t.where = where.kind;
        t.us = expected_us();
        t.plain = is_one_plain_task();
        t.told = request_.obeyed != nullptr;
        t.held = repeated_;
        t.checked = in_function != trust::unknown && in_function != trust::broken;
        t.maps_scalars = layout_.maps_scalars();
        t.measured = std::ranges::any_of(state_.takers, here);
        t.may_end_early = state_.groups[0].may_end_early;
        t.follows = follows_;
        return t;
    }

    bool has_all(const target& where) const
    {
        const auto gathered = [&](const managed_state* m) {
            return where.kind == device::cpu || m->tile_count() == 1 ||
                   (m->replica && m->replica_version == m->version);
        };
        if (plan_.missing_on(plan_.groups[0].device, state_.segments.size()) > 0) return false;
        const auto is_scalar = [](const slot_type& s) { return s.kind == slot_kind::scalar; };
        return layout_.missing_whole_bytes(where) == 0 && std::ranges::all_of(layout_.whole_operands(), gathered) &&
               static_cast<std::ptrdiff_t>(layout_.scalars_at(where)) ==
                   std::ranges::count_if(recipe_.slots, is_scalar);
    }

    /// Of calls of one task.
    const target& only_target() const { return *targets_[plan_.groups[0].device]; }
    double expected_us() const
    {
        const schedulers::worker_cost& cost = costs_[plan_.groups[0].device];
        return cost.fixed_us + cost.element_us * static_cast<double>(state_.groups[0].elements);
    }

    /// Who waits for the call waits for its kernels, too, and then finds the partial result in the host's memory.
    bool gives_value() const { return recipe_.kind == skeleton::reduce && !state_.result.data; }
    bool needs_combine() const { return state_.leaves_partials() && state_.result.data && !state_.direct; }
    /// A result in one tile that one task makes stays on its device.
    bool writes_result() const
    {
        return (recipe_.kind == skeleton::reduce || recipe_.kind == skeleton::reduce_columns) && state_.result.data &&
               plan_.groups.size() == 1 && manage(*state_.result.data).tile_count() == 1;
    }

    void count_tasks()
    {
        const auto tasks = static_cast<unsigned>(state_.groups.size()) + (needs_combine() ? 1 : 0);
        state_.tasks = std::make_shared<progress>(tasks);
        for (; unsent_ < tasks; ++unsent_) state_.hold();
    }

    void plan()
    {
        if constexpr (!simulated) engine_.learnt.models.count_call(recipe_); // there, no model is ever stale
        plan_ = plan_call(engine_, state_, layout_, targets_, {request_, run_, follows_});
        costs_ = plan_.costs;
        make_groups();
        state_.groups[0].may_end_early = may_end_early();
    }

    void make_groups()
    {
        layout_.set_devices(plan_.groups);
        state_.groups.resize(plan_.groups.size());
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            task_group& group = state_.groups[g];
            group.owner = &state_;
            group.number = static_cast<unsigned>(g);
            group.first = plan_.groups[g].first;
            group.count = plan_.groups[g].count;
            for (std::size_t s = 0; s < group.count; ++s) group.elements += state_.evaluations(group.first + s);
            group.team = !engine_.devices().policy_places() && !layout_.maps_scalars(); // should the CPU run it
            if (!request_.obeyed) continue;
            group.threads = threads_of(*request_.obeyed);
            group.block = block_of(*request_.obeyed, *targets_[plan_.groups[g].device]);
        }
        state_.direct = writes_result();
    }

    /// One group, where the last call like this went.
    void repeat(const decision& known)
    {
        if constexpr (!simulated) engine_.learnt.models.count_call(recipe_);
        repeated_ = true;
        plan_.groups = known.groups;
        costs_ = known.costs;
        make_groups();
        state_.groups[0].may_end_early = known.may_end_early;
        if (request_.free)
            predict_ways_again(engine_.program_episodes(), targets_, known.costs, known.groups[0].device,
                               state_.groups[0].elements);
    }

    /// Whether one device's part of a split waits for another's: when it is done tells nothing of what it took.
    bool parts_wait() const { return traits_of(recipe_.kind).parts_wait || state_.color >= 0; }

    /// How finely containers should be cut; 0: as their sizes say.
    std::size_t grain(const call& c) const
    {
        constexpr std::size_t fine = 32, twentieths = 20; // shares are rounded to whole tiles
        if (is_for_one_device(state_) && !(request_.obeyed && recipe_.kind == skeleton::scan)) return 0;
        if (request_.obeyed && request_.obeyed->shares.size() == 1) return 0;
        // Small tiles would stay when an episode's split has lost, and copies of such take GPUs longer.
        if (request_.obeyed) return request_.free ? std::max(usual_grain(c), twentieths) : fine;
        return wanted_grain(engine_, c, targets_, run_);
    }

    /// Whether a task's kernels may go on when it ends: they leave nothing to a task of the host's, and wait for no
    /// copies that ought to overlap with other kernels. Now and then a call ends with them, so that its time is known.
    bool may_end_early() const
    {
        constexpr std::uint64_t measured_each = 64;
        if (engine_.devices().policy_places() || plan_.groups.size() != 1 ||
            (state_.leaves_partials() && !state_.direct && !gives_value()) || state_.number % measured_each == 0)
            return false;
        const std::size_t d = plan_.groups[0].device;
        if (targets_[d]->kind != device::cuda || layout_.missing_whole_bytes(*targets_[d]) > 0 ||
            plan_.missing_on(d, state_.segments.size()) > 0)
            return false;
        return layout_.maps_scalars() ||
               engine_.learnt.models
                   .predict(recipe_, runner_of(*targets_[d]), state_.groups[0].elements,
                            state_.site().core.near(state_.groups[0].elements), engine_.devices().cores())
                   .sure();
    }

    /// One partial result per group, in memory that a device copies to without waiting.
    void make_partials()
    {
        if (recipe_.kind == skeleton::reduce_columns) state_.result_values = state_.cols;
        if (recipe_.kind == skeleton::accumulate) state_.result_values = state_.result.cols;
        if (recipe_.kind == skeleton::sort) return make_sort_scratch();
        if (recipe_.kind == skeleton::filter) state_.result_values = state_.segments.size();
        const bool partial = state_.leaves_partials() && !state_.direct;
        const std::size_t bytes = partial ? state_.partial_bytes() : 0;
        scratch_ =
            scratch_of(recipe_, scratch_bytes_for(targets_, recipe_, bytes, state_.rows * state_.cols, state_.cols));
        if (!partial) return;
        state_.partial_stride = rounded_to_elements(bytes);
        const bool pinned = engine_.devices().has_cuda();
        // Blocks of a MiB are kept and stay pinned; a copy to other memory would make the GPU's worker wait.
        const std::size_t total = state_.partial_stride * state_.groups.size();
        state_.partials = allocate_block(pinned ? std::max<std::size_t>(total, std::size_t{1} << 20) : total);
        if (pinned) pin_block(state_.partials);
    }

    /// Larger than the operands: only for the device that sorts, and it goes with the call.
    void make_sort_scratch()
    {
        std::vector<const target*> where = targets_;
        if (!engine_.devices().policy_places()) where = {targets_[plan_.groups[0].device]};
        const std::size_t bytes = scratch_bytes_for(where, recipe_, 0, state_.cols, state_.cols);
        if (bytes > 0) register_handle(scratch_, nullptr, bytes, 1);
    }

    /// Cores that scan the last part of a vector need not wait for the GPUs that scan the others: they read those
    /// parts, too, where these lie in the host's memory, and find out what comes in front of their own.
    bool sums_front() const
    {
        if (recipe_.kind != skeleton::scan || engine_.devices().policy_places() || plan_.groups.size() < 2)
            return false;
        const auto on_cores = [&](const plan_group& g) { return targets_[g.device]->kind == device::cpu; };
        if (!on_cores(plan_.groups.back()) || std::any_of(plan_.groups.begin(), plan_.groups.end() - 1, on_cores))
            return false;
        return plan_.missing_on(plan_.groups.back().device, plan_.groups.back().first) == 0 && !is_in_place(call_);
    }

    /// The groups of a scan hand on their running values in a handle of its own; it goes with the last of them.
    void make_carry()
    {
        if (!is_chained(recipe_.kind) || state_.groups.size() - (state_.groups.back().front > 0 ? 1 : 0) == 1) return;
        const std::size_t values = recipe_.kind == skeleton::scan_columns ? state_.cols : 1;
        register_handle(carry_, nullptr, values, recipe_.result_size);
    }

    void make_task(std::size_t g)
    {
        task_group& group = state_.groups[g];
        const target* where = engine_.devices().policy_places() ? nullptr : targets_[plan_.groups[g].device];
        const std::vector<handle_use> used = g == 0 && !used_.empty() ? std::move(used_) : data_of(g, where);
        copy_halos();
        starpu_task* t = made_.emplace_back(starpu_task_create());
        t->cl = &codelet_;
        t->cl_arg = &group;
        t->cl_arg_size = sizeof group;
        t->name = recipe_.name.c_str();
        set_handles(*t, used, scratch_, group);
        t->callback_func = &after_task;
        t->callback_arg = &group;
        send_to(*t, where, targets_);
        if (where && !request_.obeyed)
            t->sched_data = &hint_for(group, *where); // nobody takes what a plan of the user gave
    }

    /// All that a group uses but scratch; its references point there.
    std::vector<handle_use> data_of(std::size_t g, const target* where)
    {
        task_group& group = state_.groups[g];
        layout_.place(group, where);
        layout_.surround(group, where);
        std::vector<handle_use> used = layout_.take_handles();
        if (carry_ && group.front == 0) {
            group.carry_handle = static_cast<int>(used.size());
            used.push_back({carry_, g > 0, true, 1, 1});
        }
        if (state_.direct) {
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
        const schedulers::worker_cost& cost = costs_[plan_.groups[group.number].device];
        hint.worker = where.worker;
        hint.elements = group.elements;
        hint.expected_us = cost.fixed_us + cost.element_us * static_cast<double>(group.elements);
        hint.arrived = &state_.arrived;
        const auto fits = [&](const target* t) { return group.count <= layout_.longest_run(*t); };
        if (!plan_.chained && state_.takers.size() > 1 && may_move(group) && std::ranges::all_of(targets_, fits)) {
            hint.others = state_.takers;
            group.tiles = layout_.tile_notes(group, where);
        }
        return hint;
    }

    /// Tasks for the halos that the last group asked for, each on the device that has the lines.
    void copy_halos()
    {
        for (; halos_sent_ < state_.halos.size(); ++halos_sent_) {
            halo& h = state_.halos[halos_sent_];
            if (h.there) continue;
            starpu_task* const t = make_halo_task(h);
            send_to(*t, engine_.devices().policy_places() ? nullptr : targets_[h.device], targets_);
            if (submit_task(t) != 0) discard(t);
        }
    }

    /// Gathers the whole operands of several tiles whose replica is old, on the first device that needs them.
    void gather_replicas()
    {
        const auto needs_them = [&](const plan_group& g) { return targets_[g.device]->kind != device::cpu; };
        const target* where = nullptr;
        if (!engine_.devices().policy_places()) {
            const auto first = std::ranges::find_if(plan_.groups, needs_them);
            if (first == plan_.groups.end()) return;
            where = targets_[first->device];
        }
        for (managed_state* m : layout_.whole_operands()) {
            if (m->tile_count() == 1 || !replica_is_stale(*m)) continue;
            starpu_task* const t = make_gather_task(*m);
            send_to(*t, where, targets_);
            if (submit_task(t) != 0) discard(t);
        }
    }

    /// Writes the result when all groups have left their partial results.
    starpu_task* make_combine(std::vector<starpu_task*>& groups)
    {
        starpu_task* const t = make_combine_task(state_);
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
    const decision* const known_ = nullptr;     ///< of a call like this one
    own_hold hold_;
    submitted_call& state_;
    layout layout_;
    decision plan_;                                  ///< under a policy of the user's: groups, and nothing else
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

submitted_call& submit_like(engine& e, const call& c, const request& r, const decision& known, at_once_run& here)
{
    return submission(e, c, r, known).run(here);
}

} // namespace skelrt::detail
