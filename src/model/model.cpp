#include "src/model/model.hpp"

#include "src/model/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace skelrt::detail
{

namespace
{

struct codelet_model {
    codelet_runs known;
    std::uint64_t calls = 0;
    std::array<std::uint64_t, all_executors.size()> calls_when_measured{};
};

std::mutex guard;
std::uint64_t observed_runs = 0;
std::int64_t last_run_us = 0;

std::unordered_map<std::uint64_t, codelet_model>& models()
{
    static auto& all = *new std::unordered_map<std::uint64_t, codelet_model>; // workers may outlive static destructors
    return all;
}

codelet_model& model_of(const recipe& r)
{
    codelet_model& m = models()[r.key];
    if (m.known.name.empty()) m.known.name = r.name;
    return m;
}

std::int64_t now_us() noexcept
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

/// What of a run is its start, where a single size cannot tell.
double start_us(executor on) { return on == executor::core ? 0 : on == executor::team ? 5 : 4; }

double guess_element_us(const recipe& r, executor on, std::size_t elements, double core_ns, unsigned cores)
{
    const auto here = current_machine();
    const auto bytes = static_cast<double>(std::max<std::uint64_t>(r.bytes_per_element, 1));
    const device_peaks* known_cpu = here->any("cpu");
    const device_peaks cpu = known_cpu ? *known_cpu : assumed_cpu(cores);
    if (on == executor::core) return best_core_us(cpu, bytes, core_ns);
    if (on == executor::team)
        return likely_team_us(cpu, bytes, static_cast<double>(elements), core_ns, cores, is_chained(r.kind));
    const device_peaks* known = here->any(name_of(on));
    return best_device_us(known ? *known : assumed_device(name_of(on), 0), cpu, bytes, core_ns, cores);
}

} // namespace

void observe(const recipe& r, executor on, std::size_t elements, double us) noexcept
{
    constexpr double per_us = 1000; // rounded to nanoseconds: files stay readable
    if (elements == 0 || !(us > 0) || !std::isfinite(us)) return;
    const double rounded = std::max(std::round(us * per_us), 1.0) / per_us;
    std::lock_guard lock(guard);
    codelet_model& m = model_of(r);
    last_run_us = std::max(last_run_us + 1, now_us()); // no two runs are one
    if (m.known.name != r.name) m.known.name = r.name; // files know it by where it stood then
    m.known[on].add({static_cast<double>(elements), rounded, last_run_us});
    m.calls_when_measured[static_cast<std::size_t>(on)] = m.calls;
    ++observed_runs;
}

void count_call(const recipe& r) noexcept
{
    std::lock_guard lock(guard);
    ++model_of(r).calls;
}

estimate predict(const recipe& r, executor on, std::size_t elements, double core_ns, unsigned cores) noexcept
{
    std::uint64_t stale = 0;
    {
        std::lock_guard lock(guard);
        const auto it = models().find(r.key);
        if (it != models().end()) {
            const codelet_model& m = it->second;
            stale = m.calls - m.calls_when_measured[static_cast<std::size_t>(on)];
            if (const curve& c = m.known[on]; !c.empty())
                return {c.near(elements, start_us(on)), true, stale, c.runs_like(elements)};
        }
    }
    return {{0, guess_element_us(r, on, elements, core_ns, cores)}, false, stale};
}

history known_runs(std::uint64_t* observed)
{
    std::lock_guard lock(guard);
    history all;
    for (const auto& [key, m] : models())
        if (m.known.newest() > 0) all[key] = m.known;
    if (observed) *observed = observed_runs;
    return all;
}

void learn(const history& from)
{
    std::lock_guard lock(guard);
    for (const auto& [key, theirs] : from) {
        history one{{key, models()[key].known}};
        merge(one, {{key, theirs}});
        models()[key].known = std::move(one[key]);
    }
}

void forget_runs() noexcept
{
    std::lock_guard lock(guard);
    models().clear();
}

} // namespace skelrt::detail
