// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/episodes.hpp"

#include "codelets/work.hpp"
#include "src/data/managed.hpp"
#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/red_black.hpp"
#include "src/lowering/traits.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Where the operands' data is, as far as notes of the first and the last tile tell.
std::uint64_t places_of(const call& c)
{
    std::uint64_t hash = 1;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const storage* s = c.operands[k].data;
        if (!s || !is_read(c, k)) continue;
        const managed_state* m = s->managed.load(std::memory_order_acquire);
        hash = hash_combine(hash, m && m->tile_count() > 0 ? m->valid.front() << 16 | m->valid.back() : 0x10001);
    }
    return hash;
}

/// Whether the host reads the results is part of what a program does with a call. Of operands that no task has used,
/// the caller need not hold the order's lock, which usage wants.
episode_start start_of(const engine& e, const call& c)
{
    std::uint64_t shape = used_by_tasks(c) && e.learnt.usage.usually_goes_home(c.site->what.id) ? 2 : 1;
    for (const std::uint64_t n : {c.rows, c.cols, c.depth, std::size_t{c.steps}}) shape = hash_combine(shape, n);
    return {c.site->what.id, shape, places_of(c)};
}

std::vector<const target*> targets_of(const engine& e, device kind)
{
    std::vector<const target*> all;
    for (const target& t : e.devices().targets())
        if (t.kind == kind) all.push_back(&t);
    return all;
}

/// Each kind of device and, of several GPUs, the fastest; of equal ones the first. None where there is nothing to
/// choose.
std::vector<device_choice> choices_of(const engine& e)
{
    std::vector<device_choice> kinds, single_gpus;
    for (const device d : {device::cpu, device::cuda, device::opencl}) {
        if (!e.devices().available().has(d)) continue;
        kinds.push_back({device_set(d)});
        const std::vector<const target*> all = targets_of(e, d);
        if (d != device::cpu && all.size() > 1)
            single_gpus.push_back({device_set(d), (*std::ranges::max_element(all, {}, &target::speed))->number});
    }
    if (kinds.size() + single_gpus.size() < 2) return {};
    kinds.insert(kinds.end(), single_gpus.begin(), single_gpus.end());
    return kinds;
}

/// Splits are between the cores and the GPUs of one kind.
episode_ways ways_of(const std::vector<device_choice>& alone)
{
    const bool cores_first = !alone.empty() && alone[0].kinds == device_set(device::cpu);
    episode_ways ways{.kinds = alone.size(), .parts = {}, .part_of = 2, .rest_of = 1, .cores = cores_first ? 1u : 0u};
    const auto kinds = std::ranges::count(alone, device_choice::every_gpu, &device_choice::gpu);
    if (kinds == 2 && cores_first)
        for (int twentieths = 1; twentieths < 20; ++twentieths) ways.parts.push_back(0.05 * twentieths);
    return ways;
}

device kind_of(const device_choice& of_one_kind)
{
    for (const device d : {device::cpu, device::cuda})
        if (of_one_kind.kinds.has(d)) return d;
    return device::opencl;
}

/// GPUs get parts that fit their speeds.
std::vector<plan_share> shares_of(const engine& e, device gpus, double part)
{
    std::vector<plan_share> shares;
    double speeds = 0;
    for (const target* t : targets_of(e, gpus)) speeds += t->speed;
    for (const target* t : targets_of(e, gpus)) shares.push_back({gpus, part * t->speed / speeds, t->number});
    shares.push_back({device::cpu, 1 - part});
    return shares;
}

/// Others gain nothing from a second device, whatever the episode's way is.
bool can_be_split(const call& c)
{
    const skeleton kind = c.site->what.kind;
    if (kind == skeleton::stencil && is_red_black_in_place(c) && c.steps > few_half_steps) return false;
    if (kind == skeleton::scan && is_in_place(c)) return false; // one part waits for the other
    return traits_of(kind).gains_by_split;
}

/// What a call of a chain costs that does next to nothing.
double small_call_us(device kind) { return kind == device::cuda ? 3 : 20; }

std::string text_of(const episode_way& w)
{
    if (w.use) {
        const std::vector<plan_share>& shares = w.use->ranges().front().shares;
        return fmt::format("{:.0f} % {}", 100 * (1 - shares.back().part),
                           shares.front().kind == device::cuda ? "CUDA" : "OpenCL");
    }
    const device_set kinds = w.may_use.kinds;
    const std::string number = w.may_use.gpu == device_choice::every_gpu ? "" : fmt::format(" {}", w.may_use.gpu);
    return kinds == device_set(device::cpu)      ? "the cores"
           : kinds == device_set(device::cuda)   ? "CUDA" + number
           : kinds == device_set(device::opencl) ? "OpenCL" + number
                                                 : "the planner";
}

} // namespace

episode_ground::episode_ground(const engine& e, bool on)
    : engine_(e), alone_(on ? choices_of(e) : std::vector<device_choice>()), strategies_(e.learnt.strategies)
{
    const episode_ways ways = ways_of(alone_);
    for (const double part : ways.parts) splits_.emplace_back(shares_of(e, kind_of(alone_[1]), part));
    std::vector<std::string> names{"the planner"};
    for (std::size_t way = 1; way < ways.count(); ++way) names.push_back(text_of(way_of(way)));
    strategies_.begin_anew(ways, std::move(names));
}

episode_way episode_ground::way_of(std::size_t way) const
{
    const device_set all = engine_.devices().available();
    if (way == 0) return {{all}};
    if (way <= alone_.size()) return {alone_[way - 1]};
    return {{all}, &splits_[way - 1 - alone_.size()]};
}

void episodes::remember_results(const call& c)
{
    now_.last_results.fill(nullptr);
    std::size_t n = 0;
    const auto add = [&](const storage* s) {
        if (s && n < now_.last_results.size()) now_.last_results[n++] = s;
    };
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (is_written(c.site->what, k)) add(c.operands[k].data);
    add(c.result.data);
}

void episodes::tell(const std::string& first_call) const
{
    std::string known;
    const std::vector<double> times = ground_.book().times(now_.start);
    for (std::size_t w = 0; w < times.size(); ++w)
        if (std::isfinite(times[w]))
            known += fmt::format("{} {:.0f} us by {}", known.empty() ? "" : ",", times[w], text_of(ground_.way_of(w)));
    log_debug("{}: begins an episode that goes by {}; like ones took{}", first_call, text_of(ground_.way_of(now_.way)),
              known.empty() ? ": nobody knows" : known);
}

std::string episodes::predicted_text() const
{
    std::string text;
    for (std::size_t w = 0; w < now_.predicted.size(); ++w)
        text += fmt::format("{} {:.0f} us by {}", w == 0 ? "" : ",", now_.predicted[w], text_of(ground_.way_of(w)));
    return text;
}

/// Submitted so far.
std::uint64_t episodes::calls_of_others() const noexcept
{
    return ground_.runs_on().order.calls_made.load(std::memory_order_relaxed) -
           program_.calls_made.load(std::memory_order_relaxed);
}

bool episodes::had_machine_to_itself() const noexcept { return calls_of_others() == now_.others; }

void episodes::begin(const call& c)
{
    const episode_start start = start_of(ground_.runs_on(), c);
    const double first_use_us = ground_.runs_on().builder().first_use_us();
    const strategies::beginning b = ground_.book().begin(start, place_, first_use_us);
    const submission_order& order = ground_.runs_on().order;
    now_ = {.start = start,
            .way = b.way,
            .most_calls = b.most_calls,
            .number = b.number,
            .first_use_us = first_use_us,
            .others = calls_of_others(),
            .forgotten = ground_.book().forgotten(),
            .open = true,
            .counts = order.calls_in_flight == static_cast<long>(program_.calls_in_flight()),
            .looked_at = b.looked_at,
            .predicted = std::move(now_.predicted)};
    passed_.calls = 0;
    waits_ = true;
    wants_predictions_ = b.wants_predictions;
    if (!now_.looked_at) return;
    now_.predicted.assign(alone().size() + 1, 0);
    cores_done_us_.store(0, std::memory_order_relaxed);
    if (log_enabled(log_level::debug)) tell(c.site->what.name);
    now_.begin_us = starpu_timing_now();
}

void episodes::cores_are_done() noexcept { cores_done_us_.store(starpu_timing_now(), std::memory_order_relaxed); }

/// Of a split, when the cores were done; 0: nobody knows, or there were several calls.
double episodes::cores_took_us() const
{
    const double done_us = cores_done_us_.load(std::memory_order_relaxed);
    return ground_.ways().is_split(now_.way) && now_.calls == 1 && done_us > now_.begin_us ? done_us - now_.begin_us
                                                                                           : 0;
}

void episodes::end()
{
    now_.open = now_.ended = false;
    if (now_.forgotten != ground_.book().forgotten()) return;
    if (!now_.looked_at) return ground_.book().note_length(now_.start, now_.calls);
    now_.counts = now_.counts && had_machine_to_itself();
    const bool told = now_.way == 0 && now_.predicted[0] > 0;
    const double cores_us = cores_took_us(), took_us = now_.end_us - now_.begin_us;
    // Of the first one nobody knows whether it is all that the process does: then that is part of what it takes.
    const bool has_paid = now_.number > 1 && ground_.runs_on().builder().first_use_us() == 0;
    if (log_enabled(log_level::debug))
        log_debug("an episode of {} calls by {} took {:.0f} us{}{}{}", now_.calls, text_of(ground_.way_of(now_.way)),
                  took_us, now_.counts ? "" : ", which proves nothing",
                  cores_us > 0 ? fmt::format(", the cores {:.0f} us", cores_us) : "",
                  told ? "; models say" + predicted_text() : "");
    if (!now_.counts) ground_.book().note_length(now_.start, now_.calls);
    else
        ground_.book().note(
            now_.start, place_, now_.way, now_.calls, has_paid ? us_without(now_.first_use_us, took_us) : took_us,
            told ? std::span<const double>(now_.predicted) : std::span<const double>(), cores_us, now_.to_cores_us);
}

void episodes::passes(const storage* result, double us) noexcept
{
    passed_.us = passed_.calls == 0 ? us : passed_.us + us;
    passed_.result = result;
    ++passed_.calls;
}

void episodes::count_passed()
{
    const std::size_t calls = std::exchange(passed_.calls, 0);
    if (calls == 0) return;
    if (!now_.open || now_.ended) return;
    now_.last_results.fill(nullptr);
    now_.last_results[0] = passed_.result;
    row_.calls += calls;
    now_.calls += calls;
    if (wants_predictions()) predict_small(calls, passed_.us);
}

void episodes::join(const call& c)
{
    count_passed();
    remember_results(c);
    ++row_.calls;
    // A way that was chosen for an episode of some calls need not be good for endless ones.
    if (++now_.calls > now_.most_calls && now_.most_calls > 0 && now_.way != 0) now_.counts = false;
}

/// The next call of the open episode does not go to the cores.
bool episodes::goes_elsewhere() const
{
    if (!now_.open || now_.ended || !now_.counts || now_.way == 0 || now_.way > alone().size() ||
        alone()[now_.way - 1].kinds.has(device::cpu))
        return false;
    return now_.most_calls == 0 || now_.calls < now_.most_calls;
}

void episodes::look_ahead() { next_goes_elsewhere_ = goes_elsewhere(); }

void episodes::predict_small(std::size_t calls, double us)
{
    now_.predicted[0] += us;
    for (std::size_t k = 0; k < alone().size(); ++k) {
        const device kind = kind_of(alone()[k]);
        now_.predicted[k + 1] += kind == device::cpu ? us : static_cast<double>(calls) * small_call_us(kind);
    }
}

bool episodes::runs_here(const call& c, double us)
{
    if (alone().empty() || !ground_.runs_on().devices().has_cuda()) return true;
    if (const run_way* const run = program_.wishes.run.get()) return run->kinds().has(device::cpu);
    if (now_.open && now_.ended) end();
    const std::uint32_t recipe = c.site->what.id;
    if (row_.calls == 0) row_.first = recipe;
    waits_ = true;
    if (!now_.open) {
        // One call alone is not worth a kernel, nor several a compilation.
        if ((row_.calls == 0 && !leads_on(recipe)) || !is_ready_for_cuda(ground_.runs_on(), c)) {
            ++row_.calls;
            return true;
        }
        begin(c);
    }
    if (goes_elsewhere()) return false; // and joins there
    join(c);
    look_ahead();
    if (wants_predictions()) predict_small(1, us);
    return true;
}

episode_way episodes::way_for(const call& c)
{
    const episode_way by_planner = ground_.way_of(0);
    if (alone().empty()) return by_planner;
    if (program_.wishes.run) return way_to(program_.wishes.run->way(), c);
    if (now_.open && now_.ended) end();
    if (!now_.open) begin(c);
    join(c);
    look_ahead();
    return now_.counts ? way_to(now_.way, c) : by_planner;
}

episode_way episodes::way_to(std::size_t way, const call& c) const
{
    return ground_.way_of(ground_.ways().is_split(way) && !can_be_split(c) ? 0 : way);
}

void episodes::spoil(const call& c)
{
    if (alone().empty() || program_.wishes.run) return;
    if (now_.open && now_.ended) end();
    if (!now_.open) return;
    now_.counts = false;
    look_ahead();
    remember_results(c);
}

void episodes::predict(double as_planned, std::span<const double> of_alone, double to_cores_us)
{
    if (!now_.open) return;
    constexpr double least_us = 0.1; // of a chain, where what a call costs alone is taken off
    now_.predicted[0] += std::max(as_planned, least_us);
    now_.to_cores_us += to_cores_us;
    for (std::size_t k = 0; k < of_alone.size(); ++k) now_.predicted[k + 1] += std::max(of_alone[k], least_us);
}

void episodes::end_row()
{
    if (row_.first) {
        if (*row_.first >= leads_on_.size()) leads_on_.resize(*row_.first + 1);
        leads_on_[*row_.first] = row_.calls > 1;
    }
    row_ = {};
}

void episodes::waited_for(const storage* data)
{
    if (alone().empty() || program_.wishes.run) return;
    count_passed();
    end_row();
    const bool last = !data || std::ranges::find(now_.last_results, data) != now_.last_results.end();
    if (now_.open && !now_.ended && last) {
        now_.ended = true;
        if (now_.looked_at) now_.end_us = starpu_timing_now();
    }
    look_ahead();
    waits_ = now_.open && !now_.ended;
}

void episodes::close()
{
    if (now_.open && now_.ended) end();
}

void episodes::begin_anew() noexcept
{
    now_.open = now_.ended = false;
    row_ = {};
    passed_ = {};
    place_ = {};
    leads_on_.clear();
    wants_predictions_ = waits_ = next_goes_elsewhere_ = false;
}

} // namespace skelrt::detail
