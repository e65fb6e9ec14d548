// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/model.hpp"

#include "src/config.hpp"
#include "src/function/likely_cost.hpp"
#include "src/model/machine/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::uint64_t key_of(const model_key& r, const device_type* type) { return type ? r.key ^ type->key : r.key; }

std::string name_of(const model_key& r, const device_type* type)
{
    return type ? std::string(r.name) + " on " + type->name : std::string(r.name);
}

/// What of a run is its start, where a single size cannot tell.
double start_us(executor on) { return on == executor::core ? 0 : on == executor::team ? 5 : 4; }

/// A stencil's results are stored beside what its lines read again, and each line of a cache is fetched before it is
/// written (a pass of 8 bytes an element over 64 M floats: 8.9 ms; a map of as many: 6.1).
element_traffic traffic_of(const recipe& r)
{
    const auto held = static_cast<double>(std::max<std::uint64_t>(r.bytes_per_element, 1));
    return {held, r.kind == skeleton::stencil ? held + static_cast<double>(r.result_size) : held};
}

/// A wavefront goes from one antidiagonal to the next: on a GPU they wait for each other (decision 71).
double least_element_us(const recipe& r, std::size_t elements)
{
    constexpr double diagonal_us = 0.3;
    if (r.kind != skeleton::wavefront) return 0;
    return 2 * diagonal_us / std::sqrt(static_cast<double>(std::max<std::size_t>(elements, 1)));
}

double guess_element_us(const machine& here, const recipe& r, const runner& who, std::size_t elements, double core_ns,
                        unsigned cores)
{
    const element_traffic bytes = traffic_of(r);
    const device_peaks* known_cpu = here.any("cpu");
    const device_peaks cpu = known_cpu ? *known_cpu : assumed_cpu(cores);
    if (who.on == executor::core) return best_core_us(cpu, bytes.moved, core_ns);
    if (who.on == executor::team)
        return likely_team_us(cpu, bytes, static_cast<double>(elements), core_ns, cores, is_chained(r.kind));
    const device_peaks* known = who.type ? &who.type->peaks : here.any(name_of(who.on));
    const device_peaks gpu = known ? *known : assumed_device(name_of(who.on), 0);
    return std::max(best_device_us(gpu, cpu, bytes.held, core_ns, cores), least_element_us(r, elements));
}

/// What the first GPU of a kind takes, as many times as long as the peaks of both say.
estimate like_the_first(estimate first, double slowness)
{
    first.fixed_us *= slowness;
    first.element_us *= slowness;
    first.measured = first.measured && SKELRT_SIMULATION; // there the models of one GPU are the truth
    first.runs = 0;
    return first;
}

/// One run or two of all cores, which may both be wild (a core is taken from a virtual machine for milliseconds now and
/// then): who could believe them would leave the cores idle for good. They are believed as far as one core, which all
/// wake up for, bears them out.
estimate within_reason(estimate team, std::size_t elements, double core_ns)
{
    constexpr double wake_us = 50;
    if (team.sure() || core_ns <= 0) return team;
    const line alone{wake_us, core_ns * 1e-3};
    if (team.at(elements) <= alone.at(elements)) return team;
    static_cast<line&>(team) = alone;
    return team;
}

} // namespace

std::int64_t wall_clock_us() noexcept
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

line line_of(const curve& runs, executor on, std::size_t elements) { return runs.near(elements, start_us(on)); }

models::codelet_model& models::model_of(const model_key& r, const device_type* type)
{
    codelet_model& m = by_key_[key_of(r, type)];
    if (m.known.name.empty()) m.known.name = name_of(r, type);
    return m;
}

const models::codelet_model* models::find(std::uint64_t key) const
{
    const auto it = by_key_.find(key);
    return it == by_key_.end() ? nullptr : &it->second;
}

void models::note(const model_key& r, const runner& who, std::size_t elements, double us, take_run take) noexcept
try {
    if (elements == 0 || !(us > 0) || !std::isfinite(us)) return;
    constexpr double per_us = 1000; // rounded to nanoseconds: files stay readable
    const double rounded = std::max(std::round(us * per_us), 1.0) / per_us;
    std::lock_guard lock(guard_);
    const std::uint64_t calls = model_of(r, nullptr).calls;
    codelet_model& m = model_of(r, who.type);
    last_run_us_ = std::max(last_run_us_ + 1, wall_clock_us()); // no two runs are one
    const auto kind = static_cast<std::size_t>(who.on);
    (m.known[who.on].*take)({static_cast<double>(elements), rounded, last_run_us_});
    m.calls_when_measured[kind] = calls;
    m.tried_by[kind].reset();
    m.known.name = name_of(r, who.type); // the function may have moved since
    ++observed_;
} catch (const std::bad_alloc&) { // one run less
}

void models::observe(const model_key& r, const runner& who, std::size_t elements, double us) noexcept
{
    note(r, who, elements, us, &curve::add);
}

void models::observe_team(const model_key& r, std::size_t elements, double us) noexcept
try {
    // On 16 cores 200 to 1100, and a member comes a slice of 4000 late now and then.
    constexpr double mostly_cold_us = 1e4;
    std::unique_lock lock(guard_);
    const bool cold = !std::exchange(model_of(r, nullptr).team_is_warm, true);
    lock.unlock();
    if (!cold || us >= mostly_cold_us) observe(r, executor::team, elements, us);
} catch (const std::bad_alloc&) { // one run less
}

void models::correct(const model_key& r, const runner& who, std::size_t elements, double us) noexcept
{
    note(r, who, elements, us, &curve::correct);
}

std::optional<double> models::measured_us(const model_key& r, const runner& who, std::size_t elements) const
{
    std::lock_guard lock(guard_);
    const codelet_model* const m = find(key_of(r, who.type));
    if (!m || !m->known[who.on].tells_of(elements)) return std::nullopt;
    return line_of(m->known[who.on], who.on, elements).at(elements);
}

std::optional<estimate> models::measured(const model_key& r, const runner& who, std::size_t elements) const
{
    std::lock_guard lock(guard_);
    const codelet_model* const m = find(key_of(r, who.type));
    if (!m || m->known[who.on].empty()) return std::nullopt;
    return estimate{line_of(m->known[who.on], who.on, elements), true, 0, m->known[who.on].runs_like(elements)};
}

double models::likely_ns(const recipe& r) const
{
    const std::lock_guard lock(guard_);
    const auto [at, first] = likely_ns_.try_emplace(r.key, 0);
    if (first) at->second = likely_element_ns(r);
    return at->second;
}

void models::count_call(const recipe& r)
{
    std::lock_guard lock(guard_);
    ++model_of(r, nullptr).calls;
}

void models::set_machine(detail::machine m)
{
    auto fresh = std::make_shared<const detail::machine>(std::move(m));
    const std::lock_guard lock(machine_guard_);
    machine_ = std::move(fresh);
}

std::shared_ptr<const detail::machine> models::machine() const noexcept
{
    const std::lock_guard lock(machine_guard_);
    return machine_;
}

estimate models::predict(const recipe& r, const runner& who, std::size_t elements, double core_ns, unsigned cores) const
{
    const auto on = static_cast<std::size_t>(who.on);
    estimate first;
    {
        std::lock_guard lock(guard_);
        const codelet_model* const all = find(r.key);
        const codelet_model* const own = who.type ? find(key_of(r, who.type)) : all;
        const auto look_up = [&](const codelet_model* m) -> estimate {
            const std::uint64_t stale = all ? all->calls - (m ? m->calls_when_measured[on] : 0) : 0;
            if (!m || m->known[who.on].empty()) return {{}, false, stale};
            return {line_of(m->known[who.on], who.on, elements), true, stale, m->known[who.on].runs_like(elements)};
        };
        const estimate here = look_up(own);
        if (here.measured) return who.on == executor::team ? within_reason(here, elements, core_ns) : here;
        first = who.type ? look_up(all) : here;
        first.stale = here.stale;
    }
    const auto here = machine();
    if (core_ns < 0) core_ns = likely_ns(r);
    const auto guess = [&](const runner& w) { return guess_element_us(*here, r, w, elements, core_ns, cores); };
    if (first.measured) return like_the_first(first, guess(who) / guess(who.on));
    return {{0, guess(who)}, false, first.stale};
}

bool models::is_worth_a_try(const recipe& r, const runner& who, std::uint64_t call, double loss_us, double call_us)
{
    constexpr double bearable = 0.01;
    const auto kind = static_cast<std::size_t>(who.on);
    std::lock_guard lock(guard_);
    const std::uint64_t calls = model_of(r, nullptr).calls;
    codelet_model& m = model_of(r, who.type);
    if (m.tried_by[kind] == call) return true;
    const std::uint64_t idle = calls - std::max(m.calls_when_measured[kind], m.calls_when_tried[kind]);
    if (idle < long_idle || loss_us > bearable * static_cast<double>(idle) * call_us) return false;
    m.calls_when_tried[kind] = calls;
    m.tried_by[kind] = call;
    return true;
}

history models::runs(std::uint64_t* observed) const
{
    std::lock_guard lock(guard_);
    history all;
    for (const auto& [key, m] : by_key_)
        if (m.known.newest() > 0) all[key] = m.known;
    if (observed) *observed = observed_;
    return all;
}

void models::learn(const history& from)
{
    std::lock_guard lock(guard_);
    for (const auto& [key, theirs] : from) {
        history one{{key, by_key_[key].known}};
        merge(one, {{key, theirs}});
        by_key_[key].known = std::move(one[key]);
    }
}

void models::forget() noexcept
{
    std::lock_guard lock(guard_);
    by_key_.clear();
}

} // namespace skelrt::detail
