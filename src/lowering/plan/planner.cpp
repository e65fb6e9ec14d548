// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/planner.hpp"

#include "src/lowering/plan/cost.hpp"

#include <numeric>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr double steady_halves = 16; ///< from so many segments on a steady run is cut in two
constexpr double chain_us =
    200; ///< longer kernels of calls in a row run as two tasks: while one runs, the next call's other half gets ready
constexpr int most_moves = 64; ///< to mend what the first deal left uneven

/// Segments of equal cost, in their order.
std::vector<std::vector<std::size_t>> classes_of(const plan_cost& cost)
{
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t s = 0; s < cost.segments(); ++s) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const auto& c) { return cost.alike(c[0], s); });
        if (same == all.end()) all.push_back({s});
        else same->push_back(s);
    }
    return all;
}

/// How many segments of each class each device takes.
class deal
{
public:
    deal(const plan_cost& cost, const std::vector<std::vector<std::size_t>>& classes)
        : cost_(cost), classes_(classes), loads_(cost.devices()), taken_(classes.size() * cost.devices(), 0)
    {
        for (std::size_t d = 0; d < cost.devices(); ++d) loads_[d] = cost.start(d);
    }

    /// All segments, each to the device that would be done with it first; classes with most to lose choose first.
    void spread()
    {
        for (std::size_t c : in_order_of_regret())
            for (std::size_t i = 0; i < classes_[c].size(); ++i) give(c, first_done(c));
    }

    /// The same, but what lies on a device stays there.
    void leave()
    {
        for (std::size_t c : in_order_of_regret()) {
            const std::size_t home = cost_.residence(classes_[c][0]);
            for (std::size_t i = 0; i < classes_[c].size(); ++i) give(c, home < cost_.devices() ? home : first_done(c));
        }
    }

    /// Single segments from whom all wait for to others, while that helps.
    void even_out()
    {
        for (int move = 0; move < most_moves && improve(); ++move) {}
    }

    double latest() const { return cost_.latest(loads_); }
    /// When the last is done, with what it costs that several share the call.
    double latest(const plan_rules& rules, std::span<const plan_device> devices) const
    {
        bool team = false;
        for (std::size_t d = 0; d < devices.size(); ++d) team = team || (devices[d].team && loads_[d].segments > 0);
        return latest() + (team ? 1 : among_gpus) * rules.split_us;
    }
    std::size_t taken(std::size_t c, std::size_t d) const { return taken_[c * cost_.devices() + d]; }

private:
    std::size_t& taken(std::size_t c, std::size_t d) { return taken_[c * cost_.devices() + d]; }
    load piece(std::size_t c, std::size_t d) const { return cost_.of(classes_[c][0], d); }

    void give(std::size_t c, std::size_t d)
    {
        loads_[d] = loads_[d] + piece(c, d);
        ++taken(c, d);
    }
    void take(std::size_t c, std::size_t d)
    {
        loads_[d] = loads_[d] - piece(c, d);
        --taken(c, d);
    }

    std::vector<std::size_t> in_order_of_regret() const
    {
        std::vector<std::size_t> order(classes_.size());
        std::vector<double> lost(classes_.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t c : order) lost[c] = regret(classes_[c][0]);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
        return order;
    }

    /// How much is lost if a segment goes to its second-best device.
    double regret(std::size_t s) const
    {
        double best = 1e300, second = 1e300;
        for (std::size_t d = 0; d < cost_.devices(); ++d) {
            const double us = cost_.alone(s, d);
            if (us < best) second = std::exchange(best, us);
            else second = std::min(second, us);
        }
        return second - best;
    }

    std::size_t first_done(std::size_t c) const
    {
        std::size_t best = 0;
        double earliest = 1e300;
        for (std::size_t d = 0; d < cost_.devices(); ++d) {
            const double us = (loads_[d] + piece(c, d)).finish();
            if (us < earliest) best = d, earliest = us;
        }
        return best;
    }

    /// Less where fewer devices are as late as the latest: two that are have to lose a segment each before all end
    /// sooner.
    double crowd() const
    {
        double sum = 0;
        for (const load& l : loads_)
            if (l.segments > 0) sum += l.finish() * l.finish();
        return sum;
    }

    bool improve()
    {
        double best = latest(), least_crowd = crowd(), host = 0, last = 0;
        for (const load& l : loads_)
            if (l.segments > 0) host += l.host, last = std::max(last, l.finish());
        std::size_t best_class = 0, best_from = 0, best_to = 0;
        for (std::size_t c = 0; c < classes_.size(); ++c)
            for (std::size_t from = 0; from < cost_.devices(); ++from) {
                const bool holds_up = host >= last || loads_[from].finish() >= last;
                if (taken(c, from) == 0 || !holds_up) continue;
                for (std::size_t to = 0; to < cost_.devices(); ++to) {
                    if (to == from) continue;
                    take(c, from), give(c, to);
                    const double us = latest();
                    if (us < best * (1 + 1e-9)) {
                        const double sum = crowd();
                        if (us < best * (1 - 1e-9) || sum < least_crowd * (1 - 1e-9))
                            best = us, least_crowd = sum, best_class = c, best_from = from, best_to = to;
                    }
                    take(c, to), give(c, from);
                }
            }
        if (best_from == best_to) return false;
        take(best_class, best_from), give(best_class, best_to);
        return true;
    }

    const plan_cost& cost_;
    const std::vector<std::vector<std::size_t>>& classes_;
    std::vector<load> loads_;
    std::vector<std::size_t> taken_;
};

/// The segments of a class in runs, the team's last.
void hand_out(const deal& dealt, const std::vector<std::vector<std::size_t>>& classes,
              std::span<const plan_device> devices, std::vector<unsigned>& device)
{
    for (std::size_t c = 0; c < classes.size(); ++c) {
        auto next = classes[c].begin();
        for (bool team : {false, true})
            for (unsigned d = 0; d < devices.size(); ++d)
                for (std::size_t i = 0; devices[d].team == team && i < dealt.taken(c, d); ++i) device[*next++] = d;
    }
}

/// How many segments a task of device d takes at a time.
std::size_t piece_of(const plan_cost& cost, const plan_device& p, std::size_t d, const plan_data& data,
                     const plan_rules& rules, const std::vector<unsigned>& device)
{
    load all = cost.start(d);
    double work_us = 0, copied = 0;
    for (std::size_t s = 0; s < device.size(); ++s) {
        if (device[s] != d) continue;
        work_us += static_cast<double>(data.elements[s]) * p.element_us;
        copied += data.missing[s * cost.devices() + d];
        if (rules.goes_home && !p.team && !data.home.empty()) copied += data.home[s];
        all = all + cost.of(s, d);
    }
    const double count = all.segments;
    if (count == 0) return 1;
    if (p.team && copied == 0) return device.size();
    if (rules.for_one_device && copied == 0) return p.longest_run; // each piece would only wait for the one before
    const double overlapping = p.piece_us > 0 ? all.best_pieces() : overlap_pieces;
    double pieces = copied > 0 ? overlapping : (rules.waits && !p.gapless && work_us > chain_us ? 2.0 : 1.0);
    if (p.steady) pieces = count >= steady_halves ? 2.0 : 1.0;
    return std::clamp<std::size_t>(static_cast<std::size_t>(count / pieces + 0.999), 1, p.longest_run);
}

} // namespace

std::vector<plan_group> make_plan(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules)
{
    const plan_cost cost(devices, data, rules);
    double best_single = 1e300;
    unsigned best = 0;
    for (unsigned d = 0; d < devices.size(); ++d) {
        const double us = cost.single(d);
        if (us < best_single) best_single = us, best = d;
    }
    std::vector<unsigned> device(cost.segments(), best);
    if (!rules.for_one_device && devices.size() > 1 && cost.segments() > 1) {
        const auto classes = classes_of(cost);
        deal dealt(cost, classes), left(cost, classes);
        dealt.spread();
        dealt.even_out();
        left.leave();
        left.even_out();
        // Copies that many calls share, or that hide behind work, look free: without a gain nothing moves.
        const deal& better = rules.worthwhile * left.latest() <= dealt.latest() ? left : dealt;
        if (better.latest(rules, devices) < rules.worthwhile * best_single) hand_out(better, classes, devices, device);
    }

    std::vector<std::size_t> piece(devices.size());
    for (std::size_t d = 0; d < devices.size(); ++d) piece[d] = piece_of(cost, devices[d], d, data, rules, device);
    std::vector<plan_group> groups;
    for (std::size_t s = 0; s < device.size(); ++s) {
        if (!groups.empty() && groups.back().device == device[s] && groups.back().count < piece[device[s]])
            ++groups.back().count;
        else groups.push_back({device[s], s, 1});
    }
    return groups;
}

double plan_us(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
               std::span<const plan_group> plan)
{
    return plan_cost(devices, data, rules).promised(plan);
}

std::vector<double> lost_us(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
                            std::span<const plan_group> plan)
{
    const plan_cost cost(devices, data, rules);
    const double takes = cost.likely(plan);
    std::vector<double> lost(devices.size());
    for (std::size_t d = 0; d < devices.size(); ++d) lost[d] = takes - cost.resident(d);
    return lost;
}

} // namespace skelrt::detail
