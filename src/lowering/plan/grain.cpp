// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/grain.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/plan/others_work.hpp"
#include "src/lowering/plan/piece_time.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/times/handle_cost.hpp"
#include "src/program/program.hpp"

#include "codelets/work.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr double worthwhile = 0.9; ///< of the time with coarse tiles
/// Calls on whole containers go where they went before without being planned, and several of them in one task: more
/// than a short call gains by a second device.
constexpr double least_gain_us = 50;
constexpr std::size_t grains[] = {4, 8, 16, 32};
constexpr std::size_t long_run = 8; ///< so many calls on a device are worth being cut coarsely again

double time_with(std::span<const load> devices, std::size_t tiles, std::size_t containers, double split_us)
{
    double best = 1e300, rates = 0;
    for (load l : devices) {
        l.segments = static_cast<double>(tiles);
        best = std::min(best, l.finish());
        rates += 1 / l.finish();
    }
    const double uneven = 1 + 1 / static_cast<double>(tiles); // one has a tile too many
    const double shared = tiles > 1 ? uneven / rates + split_us : best;
    return std::min(best, shared) + handle_us * static_cast<double>(tiles * containers);
}

/// The containers that a call cuts.
struct cut_containers {
    std::size_t count = 0, largest_bytes = 0;
};

cut_containers containers_of(const call& c)
{
    cut_containers all;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const storage* s = c.operands[k].data;
        const slot_kind kind = c.site->what.slots[k].kind;
        if (!s || !moves(kind) || read_whole(kind)) continue;
        ++all.count;
        all.largest_bytes = std::max(all.largest_bytes, s->count() * s->element_size);
    }
    return all;
}

/// What a call on all of its data costs on each device when the data is in the host's memory.
std::vector<load> weigh(const engine& e, const call& c, const std::vector<const target*>& targets)
{
    const recipe& r = c.site->what;
    std::vector<load> loads;
    double in = 0, out = 0;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const storage* s = c.operands[k].data;
        if (!s || !moves(r.slots[k].kind)) continue;
        const auto bytes = static_cast<double>(s->count() * s->element_size);
        if (is_written(r, k)) out += bytes * e.learnt.usage.goes_home(r.id);
        if (is_read(c, k)) in += bytes;
    }
    const std::size_t n = c.rows * c.cols * c.depth * c.steps;
    for (const target* t : targets) {
        const auto work = [&](std::size_t elements) {
            return e.learnt.models.predict(r, runner_of(*t), elements, c.site->core.near(n), e.devices().cores())
                .at(elements);
        };
        if (t->kind == device::cpu) {
            loads.push_back({work(n), 0, 0, 0, 1, 0});
            continue;
        }
        const double whole = work(n), to = in / rate_to(*t), back = out / rate_from(*t);
        const double part =
            piece_time_us(e.learnt.models, r, runner_of(*t), n, c.depth, c.site->core.near(n), e.devices().cores());
        loads.push_back({whole, to, back, 0, 1, more_per_piece(whole, part, to), t->hindrance});
    }
    return loads;
}

} // namespace

std::size_t choose_grain(std::span<const load> devices, std::size_t coarse, std::size_t containers, double split_us)
{
    std::size_t best = coarse;
    const double coarse_us = time_with(devices, coarse, containers, split_us);
    double least = std::min(worthwhile * coarse_us, coarse_us - least_gain_us);
    for (std::size_t tiles : grains) {
        if (tiles <= coarse) continue;
        const double us = time_with(devices, tiles, containers, split_us);
        if (us < least) best = tiles, least = us;
    }
    return best;
}

std::size_t expected_run(const engine& e, const call& c)
{
    const recipe& r = c.site->what;
    std::uint32_t first = r.id;
    std::size_t so_far = 0;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const storage* s = c.operands[k].data;
        const managed_state* m = s && is_read(c, k) ? s->managed.load(std::memory_order_acquire) : nullptr;
        if (m && m->run.calls > so_far) so_far = m->run.calls, first = m->run.first;
    }
    const std::size_t usual = e.learnt.usage.usual_run(first);
    return usual > so_far ? usual - so_far : 0; // longer than ever: nobody knows
}

std::size_t usual_grain(const call& c) { return usual_tiles(containers_of(c).largest_bytes); }

std::size_t wanted_grain(const engine& e, const call& c, const std::vector<const target*>& targets, std::size_t run)
{
    if (e.devices().policy_places() || e.devices().default_tiles() != 0 || targets.size() < 2) return 0;
    if (run != 1 && run < long_run) return 0;
    if (others_work(e, program::current())) return 0;
    const cut_containers cut = containers_of(c);
    const std::size_t coarse = usual_tiles(cut.largest_bytes);
    return run == 1 ? choose_grain(weigh(e, c, targets), coarse, cut.count, split_us(c.site->what, c.matrix)) : coarse;
}

} // namespace skelrt::detail
