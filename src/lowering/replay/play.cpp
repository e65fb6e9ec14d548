// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/play.hpp"

#include "src/data/parting/parting.hpp"
#include "src/lowering/decide/steps.hpp"
#include "src/lowering/ranks/steps/dealt_grid.hpp"
#include "src/lowering/ranks/steps/deep_halos.hpp"
#include "src/lowering/replay/phases.hpp"
#include "src/lowering/replay/rebuilt_call.hpp"
#include "src/model/machine/network.hpp"

#include "codelets/work.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace skelrt::detail
{

namespace
{

constexpr double unknown = std::numeric_limits<double>::infinity();

/// What of a recorded call decides its phases: the call, but for which containers of the same shape it is on.
std::vector<std::size_t> shape_of(const recording& r, const recorded_call& c)
{
    std::vector<std::size_t> key{c.recipe, c.rows, c.cols, c.depth, c.steps, c.kept};
    const auto add = [&](const recorded_operand& o) {
        if (!o.container) return key.push_back(0);
        const recorded_container& at = r.containers[*o.container];
        for (const std::size_t n : {std::size_t{1}, at.rows, at.cols, std::size_t{at.whole_rows}, std::size_t{at.dealt},
                                    o.offset, o.rows, o.cols, o.ld, o.stride})
            key.push_back(n);
    };
    for (const recorded_operand& o : c.operands) add(o);
    add(c.result);
    return key;
}

/// By number.
struct containers_of_call {
    std::vector<std::size_t> operands, written;
};

containers_of_call containers_of(const recording& r, const recorded_call& c)
{
    const recorded_recipe& what = r.recipes[c.recipe];
    containers_of_call all;
    for (std::size_t k = 0; k < c.operands.size(); ++k) {
        all.operands.push_back(c.operands[k].container.value_or(0)); // values have no messages
        if (c.operands[k].container && is_written(what, k)) all.written.push_back(*c.operands[k].container);
    }
    if (c.result.container) all.written.push_back(*c.result.container);
    return all;
}

/// Used once.
class player
{
public:
    player(const recording& r, unsigned ranks, const replay_options& how)
        : recording_(r), ranks_(ranks), how_(how), clocks_(how.network, ranks)
    {
        for (const recorded_cost& c : r.costs) costs_.emplace(c.recipe, &c);
    }

    replayed play()
    {
        auto next = recording_.iterations.begin();
        for (std::size_t k = 0; k < recording_.calls.size();) {
            if (next != recording_.iterations.end() && next->first == k) {
                play(*next);
                k += next++->steps;
            } else {
                play(recording_.calls[k++]);
            }
        }
        replayed all{ranks_, clocks_.end(), 0, 0, 0, 0};
        for (unsigned rank = 0; rank < ranks_; ++rank) {
            const rank_total& t = clocks_.totals()[rank];
            all.share_us = std::max(all.share_us, t.share_us);
            all.held_bytes = std::max(all.held_bytes, t.most_extra_bytes + bytes_of_parts(rank));
            all.sent_bytes = std::max(all.sent_bytes, t.bytes_sent);
            all.sent_messages = std::max(all.sent_messages, t.messages_sent);
        }
        return all;
    }

private:
    /// In passes of equal depth, as programs make them; the last one's result is what the last call has written.
    void play(const recorded_iteration& all)
    {
        const auto step = [&](std::size_t k) -> const recorded_call& { return recording_.calls[all.first + k]; };
        const unsigned most = steps_of_pass(all);
        const recorded_operand result = step(all.steps - 1).operands.back();
        for (std::size_t left = all.steps, pass = 0; left > 0; ++pass) {
            const std::size_t passes = (left + most - 1) / most, steps = (left + passes - 1) / passes;
            recorded_call now = step(pass);
            now.steps = static_cast<unsigned>(steps);
            left -= steps;
            if (left == 0) now.operands.back() = result;
            play(now);
        }
    }

    /// As ranks agree on it when they first iterate a stencil of this shape, which is a wait.
    unsigned steps_of_pass(const recorded_iteration& all)
    {
        const recorded_call& first = recording_.calls[all.first];
        const auto [at, fresh] = agreed_.try_emplace({first.recipe, first.rows, first.cols});
        if (!fresh) return at->second;
        const rebuilt_call rebuilt(recording_, first, ranks_);
        const call& c = rebuilt.get();
        const unsigned reach = reach_of(c);
        const bool alone = ranks_ == 1 || reach == 0 || c.rows * c.cols == 0;
        if (alone) return at->second = std::min(all.usual, all.most);
        const std::size_t shortest = shortest_part(c, ranks_);
        const unsigned wished =
            all.told ? all.most : wished_steps(all.usual, depth_for(costs_of_halos(first, reach), shortest));
        clocks_.play({clocks(ranks_), {}, {{phase::what::gather, 0, {}, sizeof(unsigned), 1}}}, {}, {});
        return at->second = most_steps(shortest, reach, std::min(wished, all.most));
    }

    halo_costs costs_of_halos(const recorded_call& c, unsigned reach) const
    {
        const auto n = static_cast<double>(c.rows * c.cols), width = static_cast<double>(c.matrix ? c.cols : 1);
        return {message_us(how_.network, 0), width * cost_of(c, n / ranks_).evaluation_us, reach};
    }

    void play(const recorded_call& c)
    {
        auto [at, fresh] = phases_.try_emplace(shape_of(recording_, c));
        if (fresh)
            at->second = phases_of(
                recording_, c, ranks_, [&](double n) { return cost_of(c, n); }, how_.network);
        const containers_of_call all = containers_of(recording_, c);
        clocks_.play(at->second, all.operands, all.written);
    }

    /// On the device that is fastest for it.
    share_cost cost_of(const recorded_call& c, double evaluations) const
    {
        std::map<std::string, const recorded_cost*> nearest; // to this number of evaluations, of each device
        const auto distance = [&](const recorded_cost& cost) {
            return std::abs(std::log(evaluations / static_cast<double>(cost.evaluations)));
        };
        const auto [first, last] = costs_.equal_range(c.recipe);
        for (auto at = first; at != last; ++at) {
            if (!may_use(at->second->device)) continue;
            const recorded_cost*& known = nearest[at->second->device];
            if (!known || distance(*at->second) < distance(*known)) known = at->second;
        }
        share_cost best{unknown, 0};
        for (const auto& [device, cost] : nearest)
            if (const share_cost its{cost->fixed_us, cost->element_us}; its.us(evaluations) < best.us(evaluations))
                best = its;
        if (best.task_us == unknown)
            throw error(fmt::format("{}: the recording has no time of it{}{}", recording_.recipes[c.recipe].name,
                                    how_.device.empty() ? "" : " on ", how_.device));
        return {best.task_us / how_.speed, best.evaluation_us / how_.speed};
    }

    bool may_use(const std::string& device) const
    {
        return how_.device.empty() || device == how_.device ||
               (how_.device == "cpu" && (device == "core" || device == "team"));
    }

    double bytes_of_parts(unsigned rank) const
    {
        double bytes = 0;
        for (const recorded_container& c : recording_.containers) {
            const std::size_t held =
                c.dealt ? balanced(c.rows, c.cols, c.whole_rows, ranks_).count_of(rank) : c.rows * c.cols;
            bytes += static_cast<double>(held * c.element_size);
        }
        return bytes;
    }

    const recording& recording_;
    const unsigned ranks_;
    const replay_options& how_;
    rank_clocks clocks_;
    std::multimap<std::size_t, const recorded_cost*> costs_; ///< of recipes
    std::map<std::vector<std::size_t>, call_phases> phases_;
    std::map<std::array<std::size_t, 3>, unsigned> agreed_; ///< steps of a pass: of a recipe, rows and columns
};

} // namespace

replayed replay(const recording& r, unsigned ranks, const replay_options& how) { return player(r, ranks, how).play(); }

double us_beyond_share(const recording& r, const recorded_call& c, unsigned ranks, const network_peaks& n,
                       double share_us)
{
    call_phases phases = phases_of(r, c, ranks, [](double) { return share_cost{0, 1}; });
    const double most = std::ranges::max(phases.share_us);
    for (double& us : phases.share_us) us *= most > 0 ? share_us / most : 0;
    rank_clocks clocks(n, ranks);
    const containers_of_call all = containers_of(r, c);
    clocks.play(phases, all.operands, all.written);
    return clocks.end() - share_us;
}

} // namespace skelrt::detail
