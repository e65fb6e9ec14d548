// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/steps.hpp"

#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/kernels/device_kernels.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/plan/input.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/visit.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace skelrt::detail
{

bool draws_numbers(const recipe& r)
{
    if (r.root.kind != argument_kind::call) return false;
    const auto drawn = [](const argument& a) { return a.kind == argument_kind::random; };
    return std::ranges::any_of(r.calls[r.root.which].arguments, drawn);
}

namespace
{

constexpr float memory_bound_ns = 40;      ///< dearer functions gain nothing from fewer passes over memory
constexpr unsigned most_steps_on_gpus = 8; ///< halos grow with them, and what is computed twice

/// Whether several steps may be made in one pass: only the grid itself moves with the position, and what lies beyond a
/// cyclic edge is computed at another position. Random numbers have a key for each step, which a pass knows one of;
/// what they cost is far more than passes over memory.
bool may_make_several(const recipe& r)
{
    if (draws_numbers(r)) return false;
    for (std::size_t k = 1; k + 1 < r.slots.size(); ++k)
        if (moves(r.slots[k].kind)) return false;
    if (r.stencil.border != border_rule::cyclic) return true;
    for (const function_call& f : r.calls)
        for (const argument& a : f.arguments)
            if (a.kind != argument_kind::slot && a.kind != argument_kind::call) return false;
    return true;
}

/// On cores: what blocks that fit their caches can afford to compute twice.
unsigned steps_on_cores(const recipe& r)
{
    unsigned reach = 0, axes = 0;
    for (int a = 0; a < 3; ++a) {
        reach = std::max({reach, r.stencil.before[a], r.stencil.after[a]});
        axes += r.stencil.before[a] + r.stencil.after[a] > 0;
    }
    if (reach == 0) return 1;
    constexpr unsigned deep[] = {1, 32, 8, 2}; // by axes
    return std::max(1u, deep[axes] / reach);
}

/// What a pass is made of. No devices: it makes one step.
struct pass {
    std::vector<const target*> devices;
    std::optional<unsigned> told; ///< what SKELRT_STEPS says
    unsigned usual = 1;

    unsigned steps(const recipe& what, unsigned most) const
    {
        return devices.empty() ? 1 : steps_of_pass(devices, what, told.value_or(most), told.has_value());
    }
};

pass pass_of(const call& c)
{
    const recipe& what = c.site->what;
    if (!may_make_several(what) || c.rows == 0 || c.cols == 0) return {};
    const call_visit visit(what.name.c_str());
    engine& e = engine::of(visit.runtime());
    pass p;
    if (const auto told = env_number("SKELRT_STEPS", 1, deepest_pass)) p.told = static_cast<unsigned>(*told);
    if (!p.told && (e.devices().policy_places() || c.site->core.near(evaluations(c)) > memory_bound_ns)) return {};
    request r = request_of(e, c, 1);
    constexpr std::size_t of_a_loop = 64; // steps that follow
    p.devices = usable_targets(e, c, r, of_a_loop);
    const bool gpus = std::ranges::any_of(p.devices, [](const target* t) { return t->kind != device::cpu; });
    p.usual = gpus ? most_steps_on_gpus : steps_on_cores(what);
    return p;
}

} // namespace

unsigned steps_per_pass(const call& c, const depth_of_exchange& ranks)
{
    const pass p = pass_of(c);
    return p.steps(c.site->what, wished_steps(p.usual, ranks));
}

pass_limits limits_of_pass(const call& c)
{
    const pass p = pass_of(c);
    return {p.steps(c.site->what, p.usual), p.steps(c.site->what, deepest_pass), p.told.has_value()};
}

namespace
{

/// Whether a GPU's memory has room for all that such a call touches, and more.
bool has_room(const target& gpu, const call& c)
{
    std::size_t bytes = 0;
    for (const slot_type& s : c.site->what.slots)
        if (moves(s.kind)) bytes += c.rows * c.cols * s.size;
    return gpu.memory == 0 || bytes <= gpu.memory / 3;
}

double us_of_half_step(const engine& e, const call& c, const target& gpu)
{
    const std::size_t n = c.rows * c.cols;
    return e.learnt.models.predict(c.site->what, runner_of(gpu), n, c.site->core.near(n), e.devices().cores()).at(n);
}

} // namespace

std::size_t half_steps_in_place(const call& c)
{
    constexpr std::size_t on_cores = 2 << 20, on_gpu = 256; // there, each is a kernel to enqueue
    const call_visit visit(c.site->what.name.c_str());
    const engine& e = engine::of(visit.runtime());
    const request r = request_of(e, c, 1);
    const device_set kinds = r.may_use.kinds;
    if (!sees_other_color(c.site->what) || draws_numbers(c.site->what) || e.devices().policy_places()) return 0;
    if (kinds == device_set(device::cpu)) return on_cores;
    // Beyond a cyclic edge of an odd length colors repeat; and a plan may ask for parts.
    const bool odd = c.site->what.stencil.border == border_rule::cyclic && (c.rows % 2 == 1 || c.cols % 2 == 1);
    const bool narrow = std::max(c.rows, c.cols) < std::size_t{1} << 31; // kernels count in 32 bits
    if (kinds.has(device::opencl) || odd || !narrow || r.obeyed) return 0;
    std::vector<double> us;
    double start_us = 0; // of each step that is a call of its own
    for (const target& t : e.devices().targets()) {
        if (t.kind != device::cuda || !r.may_use.has(t)) continue;
        if (!has_room(t, c)) return 0;
        us.push_back(us_of_half_step(e, c, t));
        start_us = std::max(start_us, t.way_us);
    }
    if (us.empty()) return 0;
    return is_sooner_alone(us, start_us + among_gpus * split_us(c.site->what, c.matrix)) ? on_gpu : 0;
}

} // namespace skelrt::detail
