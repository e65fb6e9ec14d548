#include "src/lowering/planner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr double worthwhile = 0.97;   ///< a split must promise less than this part of the best single device's time
constexpr double steady_halves = 16;  ///< from so many segments on a steady run is cut in two
constexpr double overlap_pieces = 16; ///< tasks among which a device's copies and kernels overlap
constexpr double chain_us =
    200; ///< longer kernels of calls in a row run as two tasks: while one runs, the next call's other half gets ready

/// What one device has to do so far.
struct load {
    double work_us, copy_us;
    double finish() const { return std::max(work_us, copy_us); }
};

class assignment
{
public:
    assignment(std::span<const plan_device> devices, std::span<const std::size_t> elements,
               std::span<const double> missing, const plan_rules& rules)
        : devices_(devices), elements_(elements), missing_(missing), rules_(rules)
    {
    }

    std::size_t segments() const { return elements_.size(); }
    double work(std::size_t s, std::size_t d) const
    {
        return static_cast<double>(elements_[s]) * devices_[d].element_us;
    }
    double copy(std::size_t s, std::size_t d) const
    {
        return missing_[s * devices_.size() + d] / devices_[d].bytes_per_us / rules_.uses;
    }
    double cost(std::size_t s, std::size_t d) const { return std::max(work(s, d), copy(s, d)); }
    load idle(std::size_t d) const
    {
        return {devices_[d].fixed_us,
                devices_[d].fixed_us + devices_[d].first_bytes / devices_[d].bytes_per_us / rules_.uses};
    }

    double single(std::size_t d) const
    {
        load l = idle(d);
        for (std::size_t s = 0; s < segments(); ++s) l = with(l, s, d);
        return l.finish();
    }

    load with(load l, std::size_t s, std::size_t d) const { return {l.work_us + work(s, d), l.copy_us + copy(s, d)}; }

    /// How much is lost if a segment goes to its second-best device: those with most to lose choose first.
    double regret(std::size_t s) const
    {
        double best = 1e300, second = 1e300;
        for (std::size_t d = 0; d < devices_.size(); ++d) {
            const double c = cost(s, d);
            if (c < best) second = std::exchange(best, c);
            else second = std::min(second, c);
        }
        return second - best;
    }

    bool same_cost(std::size_t a, std::size_t b) const
    {
        for (std::size_t d = 0; d < devices_.size(); ++d)
            if (elements_[a] != elements_[b] || copy(a, d) != copy(b, d)) return false;
        return true;
    }

    /// Each segment to the device that would be done with it first. Returns the time of the whole.
    double spread(std::vector<unsigned>& device) const
    {
        const std::size_t n = segments(), m = devices_.size();
        std::vector<double> lost(n);
        for (std::size_t s = 0; s < n; ++s) lost[s] = regret(s);
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });

        std::vector<load> loads(m);
        for (std::size_t d = 0; d < m; ++d) loads[d] = idle(d);
        std::vector<bool> used(m, false);
        for (std::size_t s : order) {
            std::size_t best = 0;
            for (std::size_t d = 1; d < m; ++d)
                if (with(loads[d], s, d).finish() < with(loads[best], s, best).finish()) best = d;
            loads[best] = with(loads[best], s, best);
            used[best] = true;
            device[s] = static_cast<unsigned>(best);
        }
        double finish = 0;
        for (std::size_t d = 0; d < m; ++d)
            if (used[d]) finish = std::max(finish, loads[d].finish());
        return finish;
    }

    /// Segments of equal cost are interchangeable: deal them out in runs, the team last.
    void join_runs(std::vector<unsigned>& device) const
    {
        const std::size_t n = segments();
        std::vector<bool> done(n, false);
        std::vector<std::size_t> alike;
        for (std::size_t s = 0; s < n; ++s) {
            if (done[s]) continue;
            alike.clear();
            for (std::size_t t = s; t < n; ++t)
                if (!done[t] && same_cost(s, t)) alike.push_back(t);
            std::vector<unsigned> dealt;
            for (std::size_t t : alike) {
                dealt.push_back(device[t]);
                done[t] = true;
            }
            std::stable_sort(dealt.begin(), dealt.end(), [&](unsigned a, unsigned b) {
                return std::pair(devices_[a].team, a) < std::pair(devices_[b].team, b);
            });
            for (std::size_t i = 0; i < alike.size(); ++i) device[alike[i]] = dealt[i];
        }
    }

    /// How many segments a task of device d takes at a time.
    std::size_t piece(const std::vector<unsigned>& device, std::size_t d) const
    {
        double work_us = 0, copy_us = 0, count = 0;
        for (std::size_t s = 0; s < segments(); ++s) {
            if (device[s] != d) continue;
            work_us += work(s, d);
            copy_us += copy(s, d);
            ++count;
        }
        if (count == 0) return 1;
        if (devices_[d].team && copy_us == 0) return segments();
        if (rules_.for_one_device && copy_us == 0)
            return devices_[d].longest_run; // each piece would only wait for the one before
        double pieces =
            copy_us > 0 ? overlap_pieces : (rules_.waits && !devices_[d].gapless && work_us > chain_us ? 2.0 : 1.0);
        if (devices_[d].steady) pieces = count >= steady_halves ? 2.0 : 1.0;
        return std::clamp<std::size_t>(static_cast<std::size_t>(count / pieces + 0.999), 1, devices_[d].longest_run);
    }

private:
    std::span<const plan_device> devices_;
    std::span<const std::size_t> elements_;
    std::span<const double> missing_;
    plan_rules rules_;
};

} // namespace

std::vector<plan_group> make_plan(std::span<const plan_device> devices, std::span<const std::size_t> elements,
                                  std::span<const double> missing, const plan_rules& rules)
{
    const assignment a(devices, elements, missing, rules);
    std::vector<unsigned> device(elements.size(), 0);
    double best_single = 1e300;
    unsigned best = 0;
    for (unsigned d = 0; d < devices.size(); ++d) {
        const double t = a.single(d);
        if (t < best_single) best_single = t, best = d;
    }
    if (!rules.for_one_device && devices.size() > 1 && a.spread(device) + rules.split_us < worthwhile * best_single)
        a.join_runs(device);
    else std::fill(device.begin(), device.end(), best);

    std::vector<std::size_t> piece(devices.size());
    for (std::size_t d = 0; d < devices.size(); ++d) piece[d] = a.piece(device, d);
    std::vector<plan_group> groups;
    for (std::size_t s = 0; s < elements.size(); ++s) {
        if (!groups.empty() && groups.back().device == device[s] && groups.back().count < piece[device[s]])
            ++groups.back().count;
        else groups.push_back({device[s], s, 1});
    }
    return groups;
}

} // namespace skelrt::detail
