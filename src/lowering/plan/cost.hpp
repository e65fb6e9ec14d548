// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/plan/input.hpp"

#include <algorithm>
#include <vector>

/// What segments cost on devices. Pure.
namespace skelrt::detail
{

constexpr double overlap_pieces = 16; ///< tasks among which a device's copies and kernels overlap

/// What one device has to do so far, in microseconds.
struct load {
    double work = 0, in = 0, out = 0;
    double host = 0; ///< that it keeps the host's memory busy
    double segments = 0;
    double piece_us = 0;  ///< more work for each piece but the first
    double hindrance = 0; ///< of the time that copies run both ways at once, what they lose by it
    double begin = 0;     ///< until it has time for this

    /// The three go on side by side, but the first piece has to come before the work, and the last goes home after it.
    /// Copies both ways slow each other down as long as the shorter ones take.
    double finish_in(double pieces) const
    {
        const double part = 1 / pieces, all_work = work + (pieces - 1) * piece_us,
                     lost = hindrance * std::min(in, out) * (1 - part), copies = std::max(in, out) + lost,
                     longest = std::max(all_work, copies);
        return longest + (all_work + in + out + lost - longest) * part;
    }
    /// With which it ends soonest: as many as overlap, unless each costs something.
    double best_pieces() const
    {
        const double most = std::clamp(segments, 1.0, overlap_pieces);
        if (piece_us == 0) return most;
        double best = 1;
        for (double pieces = 2; pieces <= most; pieces *= 2)
            if (finish_in(pieces) < finish_in(best)) best = pieces;
        return best;
    }
    double finish() const { return begin + finish_in(best_pieces()); }
};

inline load operator+(const load& a, const load& b)
{
    return {a.work + b.work,
            a.in + b.in,
            a.out + b.out,
            a.host + b.host,
            a.segments + b.segments,
            a.piece_us + b.piece_us,
            a.hindrance + b.hindrance,
            a.begin + b.begin};
}
inline load operator-(const load& a, const load& b)
{
    return {a.work - b.work,
            a.in - b.in,
            a.out - b.out,
            a.host - b.host,
            a.segments - b.segments,
            a.piece_us - b.piece_us,
            a.hindrance - b.hindrance,
            a.begin - b.begin};
}

/// What a piece more costs a device that does all in `whole_us` and a sixteenth in `part_us`: a kernel that does not
/// fill a GPU takes as long as one that does. 0 where copies of `copies_us` hide it.
inline double more_per_piece(double whole_us, double part_us, double copies_us)
{
    const double in_pieces = overlap_pieces * part_us;
    return in_pieces <= copies_us ? 0 : std::max(in_pieces - whole_us, 0.0) / (overlap_pieces - 1);
}

class plan_cost
{
public:
    plan_cost(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules)
        : devices_(devices), data_(data), rules_(rules)
    {
        if (data_.due.empty()) data_.due = data_.missing;
    }

    std::size_t segments() const { return data_.elements.size(); }
    std::size_t devices() const { return devices_.size(); }

    /// Before the first segment.
    load start(std::size_t d) const
    {
        const plan_device& p = devices_[d];
        return {p.fixed_us,  p.first_bytes / p.bytes_per_us / rules_.uses,
                0,           through_host(p.first_bytes),
                0,           p.piece_us,
                p.hindrance, p.start_us};
    }
    load of(std::size_t s, std::size_t d) const
    {
        const plan_device& p = devices_[d];
        const auto elements = static_cast<double>(data_.elements[s]);
        const double due = data_.due[s * devices() + d], home = p.team || data_.home.empty() ? 0 : data_.home[s];
        const double host = rules_.host_bytes_per_us > 0 ? elements * p.host_bytes / rules_.host_bytes_per_us : 0;
        return {elements * p.element_us,
                due / p.bytes_per_us / rules_.uses,
                home / p.home_bytes_per_us / rules_.uses,
                host + through_host(due + home),
                1,
                0};
    }
    /// A segment by itself, on a device that has others, too.
    double alone(std::size_t s, std::size_t d) const
    {
        const load l = of(s, d);
        return std::max({l.work, l.in, l.out});
    }

    /// The device that has all of a segment's data, and is done with it soonest; devices(): there is none.
    std::size_t residence(std::size_t s) const
    {
        std::size_t best = devices();
        for (std::size_t d = 0; d < devices(); ++d)
            if (data_.missing[s * devices() + d] == 0 && (best == devices() || alone(s, d) < alone(s, best))) best = d;
        return best;
    }

    /// Whether it does not matter which of two segments a device gets.
    bool alike(std::size_t a, std::size_t b) const
    {
        for (std::size_t d = 0; d < devices(); ++d)
            if (data_.due[a * devices() + d] != data_.due[b * devices() + d] ||
                data_.missing[a * devices() + d] != data_.missing[b * devices() + d])
                return false;
        return data_.elements[a] == data_.elements[b] && (data_.home.empty() || data_.home[a] == data_.home[b]);
    }

    /// When the last is done.
    template <class Loads>
    double latest(const Loads& loads) const
    {
        double finish = 0, host = 0;
        for (const load& l : loads) {
            if (l.segments == 0) continue;
            finish = std::max(finish, l.finish());
            host += l.host;
        }
        return together(finish, host);
    }

    double single(std::size_t d) const { return devices_[d].start_us + single_when_free(d); }
    double single_when_free(std::size_t d) const
    {
        load l = start(d);
        l.begin = 0;
        for (std::size_t s = 0; s < segments(); ++s) l = l + of(s, d);
        if (goes_on(d)) l.work -= devices_[d].way_us;
        const double wait = devices_[d].copy_us * unpaid(d) / rules_.uses;
        return together(l.finish(), l.host) + wait;
    }

    /// What a device would take that had all of the data.
    double resident(std::size_t d) const
    {
        const plan_device& p = devices_[d];
        double us = p.fixed_us;
        for (std::size_t s = 0; s < segments(); ++s) us += static_cast<double>(data_.elements[s]) * p.element_us;
        return p.gapless && (rules_.follows || rules_.uses > 1) ? us - p.way_us : us;
    }

    /// Of a plan: what is to be expected.
    double likely(std::span<const plan_group> plan) const
    {
        const unsigned first = plan[0].device;
        const bool shared = std::ranges::any_of(plan, [&](const plan_group& g) { return g.device != first; });
        return shared ? promised(plan) : single(first);
    }

    /// Of a plan, by the models alone.
    double promised(std::span<const plan_group> plan) const { return latest(loads_of(plan)); }

    /// How long a plan keeps each device busy.
    std::vector<double> busy(std::span<const plan_group> plan) const
    {
        std::vector<double> us;
        for (const load& l : loads_of(plan)) us.push_back(l.segments > 0 ? l.finish() - l.begin : 0);
        return us;
    }

private:
    std::vector<load> loads_of(std::span<const plan_group> plan) const
    {
        std::vector<load> loads(devices());
        for (std::size_t d = 0; d < devices(); ++d) loads[d] = start(d);
        for (const plan_group& g : plan)
            for (std::size_t s = g.first; s < g.first + g.count; ++s)
                loads[g.device] = loads[g.device] + of(s, g.device);
        return loads;
    }

    /// The part of what it misses that the decision counts: what time lost has paid for is free, and so is the wait for
    /// it.
    double unpaid(std::size_t d) const
    {
        if (devices_[d].first_bytes > 0) return 1;
        double missing = 0, due = 0;
        for (std::size_t s = 0; s < segments(); ++s) {
            missing += data_.missing[s * devices() + d];
            due += data_.due[s * devices() + d];
        }
        return missing > 0 ? due / missing : 0;
    }

    /// Whether the call is one of several in a row that nobody else has a part in: the device goes on to the next by
    /// itself.
    bool goes_on(std::size_t d) const
    {
        if (!devices_[d].gapless) return false;
        if (rules_.uses > 1) return true; // copies are for the first of them only
        if (!rules_.follows || devices_[d].first_bytes > 0) return false;
        for (std::size_t s = 0; s < segments(); ++s)
            if (data_.missing[s * devices() + d] > 0) return false;
        return true;
    }

    /// Where the host's memory is what all wait for, devices should still end at the same time: it is not as busy all
    /// along.
    static double together(double finish, double host)
    {
        constexpr double in_part = 0.1;
        return std::max(finish, host) + in_part * std::min(finish, host);
    }

    double through_host(double copied) const
    {
        return rules_.host_bytes_per_us > 0 ? copied / rules_.host_bytes_per_us / rules_.uses : 0;
    }

    std::span<const plan_device> devices_;
    plan_data data_;
    plan_rules rules_;
};

} // namespace skelrt::detail
