// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/recorder.hpp"

#include "src/model/files/files.hpp"
#include "src/model/times/model.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace skelrt::detail
{

namespace
{

recorded_recipe describe(const recipe& r)
{
    recorded_recipe d{r.kind, r.name, r.key, {}, r.result_size, r.stencil};
    for (const slot_type& s : r.slots) d.slots.push_back({s.kind, s.size});
    return d;
}

recorded_container describe(const storage& s)
{
    const bool is_scalar = s.shape_rows == 1 && s.shape_cols == 1 && !s.whole_rows;
    return {s.shape_rows, s.shape_cols, s.element_size, s.whole_rows, !is_scalar};
}

} // namespace

std::unique_ptr<call_recorder> call_recorder::of_environment()
{
    const auto file = env_text("SKELRT_CALLS");
    return file ? std::make_unique<call_recorder>(*file) : nullptr;
}

void call_recorder::record(const call& c, const std::function<void(const call&)>& run)
{
    recorded_call made = [&] {
        const std::lock_guard lock(guard_);
        return describe(c);
    }();
    run(c);
    const std::lock_guard lock(guard_);
    if (c.site->what.kind == skeleton::filter)
        if (const storage_ref& kept = static_cast<const filtered*>(c.value)->elements) {
            made.kept = kept->count();
            made.result = {number_of(*kept), 0, 1, made.kept, made.kept, 1};
        }
    all_.calls.push_back(std::move(made));
}

std::size_t call_recorder::calls()
{
    const std::lock_guard lock(guard_);
    return all_.calls.size();
}

void call_recorder::add_iteration(std::size_t first, std::size_t steps, const pass_limits& passes)
{
    const std::lock_guard lock(guard_);
    if (all_.calls.size() == first + steps)
        all_.iterations.push_back({first, steps, passes.usual, passes.most, passes.told});
}

recorded_call call_recorder::describe(const call& c)
{
    recorded_call d{number_of(c.site->what), c.rank, c.matrix, c.rows, c.cols, c.depth, c.steps, {}, {}, 0};
    sites_[d.recipe] = c.site;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) d.operands.push_back(describe(c.operands[k]));
    d.result = describe(c.result);
    d.part = c.part;
    return d;
}

recorded_operand call_recorder::describe(const operand& o)
{
    if (!o.data) return {};
    return {number_of(*o.data), o.offset, o.rows, o.cols, o.ld, o.stride};
}

std::size_t call_recorder::number_of(const recipe& r)
{
    const auto known = std::ranges::find_if(sites_, [&](const call_site* s) { return s->what.id == r.id; });
    if (known != sites_.end()) return static_cast<std::size_t>(known - sites_.begin());
    all_.recipes.push_back(detail::describe(r));
    sites_.push_back(nullptr);
    return all_.recipes.size() - 1;
}

std::size_t call_recorder::number_of(const storage& s)
{
    const recorded_container now = detail::describe(s);
    const auto [at, fresh] = containers_.try_emplace(&s, all_.containers.size());
    if (!fresh && all_.containers[at->second] == now) return at->second;
    at->second = all_.containers.size();
    all_.containers.push_back(now);
    return at->second;
}

void call_recorder::add_costs(const models& known, device_set kinds, unsigned cores)
{
    std::set<std::pair<std::size_t, std::size_t>> sizes;
    for (const recorded_call& c : all_.calls) sizes.emplace(c.recipe, c.rows * c.cols * c.depth * c.steps);
    for (const auto& [number, evaluations] : sizes) {
        if (evaluations == 0) continue;
        const call_site& site = *sites_[number];
        const double core_ns = site.core.near(evaluations);
        const auto add = [&](executor on, const line& l, bool measured) {
            all_.costs.push_back({number, evaluations, name_of(on), l.fixed_us, l.element_us, measured});
        };
        if (core_ns > 0 && kinds.has(device::cpu)) add(executor::core, {0, core_ns * 1e-3}, true);
        for (const device kind : {device::cpu, device::cuda, device::opencl}) {
            if (!kinds.has(kind)) continue;
            const estimate e = known.predict(site.what, executor_of(kind), evaluations, core_ns, cores);
            add(executor_of(kind), e, e.measured);
        }
    }
}

void call_recorder::write(const models& known, device_set kinds, unsigned cores) noexcept
{
    try {
        const std::lock_guard lock(guard_);
        all_.machine = machine_name();
        add_costs(known, kinds, cores);
        write_file_atomically(file_, to_json_lines(all_));
        log_info("{} calls are in {}", all_.calls.size(), file_.string());
    } catch (const std::exception& e) {
        log_warning("SKELRT_CALLS: {}", e.what());
    }
}

} // namespace skelrt::detail
