// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/survey.hpp"

#include "src/lowering/decide/cache.hpp"
#include "src/lowering/decide/decision_log.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/tuning.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/plan/cost.hpp"
#include "src/lowering/plan/groups.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/lowering/plan/others_work.hpp"
#include "src/lowering/plan/piece_time.hpp"
#include "src/lowering/plan/predict_ways.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/lowering/traits.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/machine.hpp"
#include "src/model/times/model.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <string>

namespace skelrt::detail
{

namespace
{

double sum_of(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

/// Used once.
class call_planner
{
public:
    call_planner(engine& e, submitted_call& state, layout& l, const std::vector<const target*>& targets,
                 const planning& how)
        : engine_(e), state_(state), layout_(l), targets_(targets), how_(how), recipe_(state.what())
    {
    }

    shared_decision plan()
    {
        if (!engine_.devices().policy_places()) return automatic_or_told();
        made_.groups = one_group_each(state_.segments.size());
        return done();
    }

private:
    shared_decision automatic_or_told()
    {
        const bool users =
            how_.asked.obeyed && !how_.asked.free; // whose plan may be another one next time, at the same place
        const bool may_be_held = !users && !how_.asked.meanwhile && !how_.asked.loses && !layout_.maps_scalars() &&
                                 !simulated && !tells_episode();
        const situation now = may_be_held ? situation_of_call() : situation{};
        if (may_be_held)
            if (shared_decision held = engine_.decisions().find(recipe_.id, now);
                held && is_still_best(*held, engine_, *state_.made_by)) {
                repeat(*held);
                return held;
            }
        make();
        made_.takers = state_.takers;
        shared_decision made = done();
        if (may_be_held && !noted_losses_ && !happens_once_) engine_.decisions().remember(recipe_.id, now, made);
        return made;
    }

    shared_decision done()
    {
        // One task sees all elements to be sorted or changed in one copy, and half steps and wavefronts see all rows.
        if (recipe_.kind == skeleton::sort || recipe_.kind == skeleton::wavefront || state_.red_black() ||
            has_one_copy(recipe_.rule))
            made_.groups = {{made_.groups[0].device, 0, state_.segments.size()}};
        return std::make_shared<const decision>(std::move(made_));
    }

    void make()
    {
        const std::size_t segments = state_.segments.size();
        std::vector<std::size_t> elements(segments);
        for (std::size_t s = 0; s < segments; ++s) elements[s] = state_.evaluations(s);
        made_.targets = targets_;
        made_.missing = layout_.missing_bytes(targets_);
        if (how_.asked.obeyed) made_.groups = obey_plan(elements);
        else if (layout_.maps_scalars()) made_.groups = {{where_scalars_are(scalars()), 0, segments}};
        else made_.groups = plan_automatically(elements);
        if (made_.costs.empty()) plan_devices(); // hints tell them
    }

    std::vector<std::size_t> scalars() const
    {
        std::vector<std::size_t> all;
        for (const target* t : targets_) all.push_back(layout_.scalars_at(*t));
        return all;
    }

    /// Whether models should say what each way of the episode takes of this call.
    bool tells_episode() const { return how_.asked.free && engine_.program_episodes().wants_predictions(); }

    bool follows() const { return how_.follows || state_.made_by->calls_in_flight() > 1; }

    situation situation_of_call() const
    {
        situation s;
        s.places = layout_.places();
        s.obeyed = how_.asked.obeyed;
        s.who = hash_of(targets_);
        s.rows = state_.rows, s.cols = state_.cols, s.depth = state_.depth;
        s.steps = state_.steps, s.color = state_.color;
        s.busy = std::bit_width(compute_right::others());
        s.uses = how_.asked.uses, s.run = std::bit_width(how_.run);
        s.free = how_.asked.free;
        s.follows = follows();
        s.waits = layout_.waits_for_others();
        s.goes_home = layout_.results_go_home();
        return s;
    }

    void repeat(const decision& held)
    {
        state_.takers = held.takers;
        watch_copies(held.groups);
        if (log_enabled(log_level::debug)) {
            const double took = starpu_timing_now() - begun_us_;
            log_debug("{}: {}, as before; planned in {:.2f} us", recipe_.name, text_of(held.groups), took);
        }
    }

    std::vector<plan_group> plan_automatically(const std::vector<std::size_t>& elements)
    {
        const std::vector<double> due = layout_.due_bytes(targets_), home = layout_.home_bytes();
        surveyed_call call{plan_devices(), {elements, made_.missing, due, home}, {}};
        std::vector<plan_device>& devices = call.devices;
        const plan_data& data = call.data;
        plan_rules& rules = call.rules;
        rules.for_one_device = is_for_one_device(state_) || others_work(engine_, *state_.made_by);
        rules.split_us = detail::split_us(recipe_, state_.matrix);
        rules.uses = static_cast<double>(std::max<std::size_t>(how_.run, 1));
        rules.waits = layout_.waits_for_others();
        rules.follows = follows();
        rules.goes_home = how_.asked.uses == 1 && layout_.results_go_home() && sum_of(home) > tuning::worth_overlapping;
        if (simulated) rules.host_bytes_per_us = host_bytes_per_us();
        made_.chained = rules.waits || rules.uses > 1;
        if (made_.guesses) rules.worthwhile = tuning::split_by_guesses;
        call.guesses = made_.guesses;
        call.needs_copies = needs_copies();
        call.at_home = cores_have_all();
        std::vector<plan_group> made = groups_by_models(call);
        note_times({devices, data, rules}, made);
        if (tells_episode()) tell_episode(devices, data, rules, made);
        watch_copies(made);
        if (how_.asked.uses == 1 && how_.run != 1) note_losses(devices, data, rules, made); // else the future is known
        if (log_enabled(log_level::debug)) {
            const double took = starpu_timing_now() - begun_us_;
            log_debug("{}: {}, {:.0f} us{}; planned in {:.2f} us", recipe_.name, text_of(made),
                      plan_us(devices, data, rules, made), text_of_loads(devices), took);
        }
        return made;
    }

    /// For calls like this one, and for what others give the devices.
    void note_times(const plan_cost& cost, const std::vector<plan_group>& made)
    {
        made_.busy_us = cost.busy(made);
        for (std::size_t d = 0; d < targets_.size(); ++d) made_.single_us.push_back(cost.single_when_free(d));
    }

    bool cores_have_all() const
    {
        for (std::size_t d = 0; d < targets_.size(); ++d)
            if (targets_[d]->kind == device::cpu) return has_all(d);
        return false;
    }

    bool has_all(std::size_t d) const
    {
        return layout_.missing_whole_bytes(*targets_[d]) == 0 && made_.missing_on(d, state_.segments.size()) == 0;
    }

    /// Whether no GPU has all of the data: how such calls turn out, models of kernels and links alone do not tell.
    bool needs_copies() const
    {
        if (simulated || targets_.size() < 2) return false;
        for (std::size_t d = 0; d < targets_.size(); ++d)
            if (targets_[d]->kind != device::cpu && has_all(d)) return false;
        return true;
    }

    std::size_t total_elements() const { return state_.rows * state_.cols * state_.depth * state_.steps; }

    /// A call that a device has to itself shows what its link brings.
    void watch_copies(const std::vector<plan_group>& made)
    {
        const target& where = *targets_[made[0].device];
        const bool alone = std::ranges::all_of(made, [&](const plan_group& g) { return g.device == made[0].device; });
        if (simulated || where.kind == device::cpu || !alone || engine_.order.calls_in_flight != 1) return;
        const double bytes = layout_.bytes_to_copy(where);
        if (bytes < tuning::enough_to_see_a_link) return;
        state_.copies.worker = where.worker;
        state_.copies.device = where.index;
        state_.copies.begin_us = starpu_timing_now();
        state_.copies.others = engine_.order.calls_made - state_.made_by->calls_made;
        state_.copies.bytes = bytes;
    }

    /// What the episode's ways take of this call. Copies that the planner's own choices lead to are nobody else's.
    void tell_episode(std::vector<plan_device> devices, plan_data data, const plan_rules& rules,
                      const std::vector<plan_group>& made)
    {
        episodes& to = engine_.program_episodes();
        const double planned_us = plan_cost(devices, data, rules).likely(made);
        std::vector<double> missing = layout_.new_bytes(targets_, to.number());
        for (std::size_t d = 0; d < devices.size(); ++d) {
            devices[d].first_bytes = devices[d].team ? 0 : layout_.new_whole_bytes(*targets_[d], to.number());
            if (!devices[d].team) continue;
            devices[d].fixed_us += first_touch_us(layout_.new_untouched_bytes(to.number())) - touch_us_;
            for (std::size_t s = 0; s < state_.segments.size(); ++s) missing[s * devices.size() + d] = 0;
        }
        data.missing = data.due = missing;
        predict_ways(to, targets_, planned_us, devices, data, rules, us_to_cores(targets_, layout_, to.number()));
    }

    static std::string text_of_loads(const std::vector<plan_device>& devices)
    {
        std::string text;
        for (const plan_device& d : devices) text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", d.start_us);
        return waits_for_others(devices) ? fmt::format(", where others take {} us first", text) : "";
    }

    std::string text_of(const std::vector<plan_group>& made) const
    {
        return plan_text(made, targets_, state_.segments.size());
    }

    static bool waits_for_others(const std::vector<plan_device>& devices)
    {
        return std::ranges::any_of(devices, [](const plan_device& d) { return d.start_us > 0; });
    }

    /// What the call loses because its data is not all on one device or the other.
    void note_losses(const std::vector<plan_device>& devices, const plan_data& data, const plan_rules& rules,
                     const std::vector<plan_group>& made)
    {
        if (devices.size() < 2 || waits_for_others(devices)) return;
        const std::vector<double> lost = lost_us(devices, data, rules, made);
        for (std::size_t d = 0; d < devices.size(); ++d) {
            const double absent =
                layout_.missing_whole_bytes(*targets_[d]) + made_.missing_on(d, state_.segments.size());
            if (!(absent > 0) || !(lost[d] > 0)) continue;
            noted_losses_ = true;
            layout_.note_lost(*targets_[d], lost[d], devices[d].copy_us + absent / devices[d].bytes_per_us);
        }
    }

    std::vector<plan_group> obey_plan(const std::vector<std::size_t>& elements) const
    {
        std::vector<std::size_t> longest;
        for (const target* t : targets_) longest.push_back(layout_.longest_run(*t));
        plan_range range = *how_.asked.obeyed;
        const std::vector<unsigned> devices = devices_of(range, targets_);
        for (std::size_t k = 0; k < devices.size(); ++k)
            if (range.shares[k].pieces == 0) range.shares[k].pieces = pieces_worth(devices[k], range.shares[k].part);
        return obey(range, devices, elements, longest);
    }

    /// Tasks whose copies overlap with the kernels of others, of a part of the call.
    unsigned pieces_worth(unsigned d, double part) const
    {
        if (targets_[d]->kind == device::cpu) return 0;
        const double bytes = made_.missing_on(d, state_.segments.size()),
                     most = std::min(part * bytes / tuning::worth_a_piece, overlap_pieces);
        const double whole_us = kernel_us(*targets_[d], total_elements());
        const load all{part * whole_us,      part * bytes / rate_to(*targets_[d]), 0, 0, std::max(most, 1.0),
                       piece_us(d, whole_us)};
        return static_cast<unsigned>(std::min(all.best_pieces(), most));
    }

    double kernel_us(const target& t, std::size_t elements) const
    {
        return engine_.learnt.models
            .predict(recipe_, runner_of(t), elements, state_.site().core.near(elements), engine_.devices().cores())
            .at(elements);
    }

    double piece_us(std::size_t d, double whole_us) const
    {
        const target& t = *targets_[d];
        if (t.kind == device::cpu) return 0;
        const double copied = made_.missing_on(d, state_.segments.size()) + layout_.missing_whole_bytes(t);
        if (copied == 0) return 0;
        const double part_us =
            piece_time_us(engine_.learnt.models, recipe_, runner_of(t), total_elements(), state_.depth,
                          state_.site().core.near(total_elements()), engine_.devices().cores());
        return more_per_piece(whole_us, part_us, copied / rate_to(t));
    }

    std::vector<plan_device> plan_devices()
    {
        const std::size_t n = total_elements();
        std::vector<plan_device> all;
        for (const target* t : targets_) {
            const estimate cost = engine_.learnt.models.predict(recipe_, runner_of(*t), n, state_.site().core.near(n),
                                                                engine_.devices().cores());
            const bool team = t->kind == device::cpu;
            made_.guesses = made_.guesses || !cost.measured;
            const double fixed = cost.fixed_us + t->way_us;
            const double core_us = state_.site().core.near(n) * 1e-3;
            const double element_us = team ? on_cores_left(engine_, cost.element_us, core_us) : cost.element_us;
            made_.costs.push_back({t->worker, fixed, element_us});
            if (cost.measured) state_.takers.push_back(made_.costs.back());
            plan_device p{fixed,
                          element_us,
                          team ? device_link() : rate_to(*t),
                          layout_.due_whole_bytes(*t),
                          team,
                          layout_.longest_run(*t)};
            p.steady = cut_by_size(*t);
            p.gapless = t->kind == device::cuda;
            p.way_us = t->way_us;
            p.copy_us = tuning::copy_us;
            p.home_bytes_per_us = rate_from(*t);
            p.hindrance = t->hindrance;
            p.host_bytes = team ? static_cast<double>(recipe_.bytes_per_element) : 0;
            p.piece_us = piece_us(all.size(), cost.at(n));
            p.start_us = engine_.loads().of_others(t->index, *state_.made_by);
            if (team) p.fixed_us += touch_us_ = first_touch_us(layout_.untouched_bytes());
            if (team) made_.own_core = take_own_core(p, n);
            all.push_back(p);
        }
        return all;
    }

    /// What pages cost the cores that are new to the process. It happens once. What a first copy to a GPU costs
    /// besides, pinning above all, is not counted: data that is used again pays for it, and nobody knows whether it is.
    double first_touch_us(double untouched_bytes)
    {
        if (simulated || !engine_.devices().has_cuda()) return 0;
        happens_once_ = happens_once_ || untouched_bytes > 0;
        return untouched_bytes / tuning::fresh_bytes_per_us;
    }

    /// Items have a core to compute on, where nobody's calls are before theirs. It is for calls that can run at once.
    bool take_own_core(plan_device& cores, std::size_t elements) const
    {
        const double element_us = state_.site().core.near(elements) * 1e-3, n = static_cast<double>(elements);
        const bool may = compute_right::current() && !simulated && element_us > 0 && !how_.asked.obeyed &&
                         traits_of(recipe_.kind).may_batch && state_.made_by->calls_in_flight() == 1 &&
                         cores_have_all();
        if (!may || element_us * n > cores.start_us + cores.fixed_us + cores.element_us * n) return false;
        cores.start_us = cores.fixed_us = 0;
        cores.element_us = element_us;
        return true;
    }

    /// Reductions give the same bits again where their groups are; but a GPU keeps the result of a chain's reduction,
    /// if one task makes it.
    bool cut_by_size(const target& t) const
    {
        if (recipe_.kind == skeleton::accumulate) return true;
        return state_.leaves_partials() && targets_.size() == 1 && !(t.kind == device::cuda && state_.result.data);
    }

    /// Of the host's memory, if somebody measured it: a wrong guess would forbid splits that pay. Cores alone reach two
    /// thirds of what they and copies move together (a pass over 64 Mi floats shared with a GPU: 179 GB/s; the cores:
    /// 122).
    double host_bytes_per_us() const
    {
        const auto machine = engine_.learnt.models.machine();
        const device_peaks* cpu = machine->any("cpu");
        return cpu && cpu->memory.from == source::measured ? 1.5 * cpu->memory.value : 0;
    }

    /// What the CPU is missing comes from a GPU.
    double device_link() const
    {
        for (const target& t : engine_.devices().targets())
            if (t.kind != device::cpu) return rate_from(t);
        return 1e9;
    }

    engine& engine_;
    submitted_call& state_;
    layout& layout_;
    const std::vector<const target*>& targets_;
    const planning& how_;
    const recipe& recipe_;
    const double begun_us_ = log_enabled(log_level::debug) ? starpu_timing_now() : 0;
    decision made_;
    bool noted_losses_ = false, happens_once_ = false;
    double touch_us_ = 0; ///< of the cores' time: pages that are new to the process
};

/// Whether tasks read a tile that one of them writes, as where a matrix is changed by one of its own rows: they wait
/// for each other.
bool reads_what_it_writes(const submitted_call& state)
{
    const recipe& r = state.what();
    if (!has_result_slot(r.kind)) return false;
    const std::size_t result = r.slots.size() - 1;
    for (std::size_t k = 0; k < result; ++k)
        if (read_whole(r.slots[k].kind) && state.operands[k].data == state.operands[result].data) return true;
    return false;
}

} // namespace

shared_decision plan_call(engine& e, submitted_call& state, layout& l, const std::vector<const target*>& targets,
                          const planning& how)
{
    return call_planner(e, state, l, targets, how).plan();
}

bool is_still_best(const decision& d, const engine& e, const program& mine)
{
    if (!e.loads().any()) return true;
    std::vector<double> busy_us;
    for (const target* t : d.targets) busy_us.push_back(e.loads().of_others(t->index, mine));
    return is_still_best(d, busy_us);
}

bool is_for_one_device(const submitted_call& state)
{
    return traits_of(state.what().kind).for_one_device || state.red_black() || has_one_copy(state.what().rule) ||
           reads_what_it_writes(state);
}

} // namespace skelrt::detail
