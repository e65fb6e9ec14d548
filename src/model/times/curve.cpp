// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/curve.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skelrt::detail
{

namespace
{

/// The run of median speed; of two the faster one: noise only ever adds time.
const run& typical(std::vector<run>& scratch)
{
    const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>((scratch.size() - 1) / 2);
    const auto rate = [](const run& r) { return r.us / r.elements; };
    std::ranges::nth_element(scratch, middle, {}, rate);
    return *middle;
}

/// Pool adjacent violators: times become non-decreasing. A pool takes the time of the member with most runs, among
/// equals the shortest; a mean would let one wild run move its neighbours.
void make_monotone(std::vector<curve::point>& points)
{
    struct pool {
        std::size_t first;
        double us;
        std::size_t runs;
    };
    std::vector<pool> pools;
    for (std::size_t i = 0; i < points.size(); ++i) {
        pools.push_back({i, points[i].us, points[i].runs});
        while (pools.size() > 1 && pools[pools.size() - 2].us > pools.back().us) {
            const pool last = pools.back();
            pools.pop_back();
            if (last.runs >= pools.back().runs) pools.back().us = last.us; // ours is the shorter time
            pools.back().runs = std::max(pools.back().runs, last.runs);
        }
    }
    for (std::size_t p = 0; p < pools.size(); ++p) {
        const std::size_t end = p + 1 < pools.size() ? pools[p + 1].first : points.size();
        for (std::size_t i = pools[p].first; i < end; ++i) points[i].us = pools[p].us;
    }
}

double slope_between(const curve::point& a, const curve::point& b) { return (b.us - a.us) / (b.elements - a.elements); }

/// The median of the slopes between the last three points (Theil and Sen).
double last_slope(const std::vector<curve::point>& p)
{
    const std::size_t n = p.size();
    const double last = slope_between(p[n - 2], p[n - 1]);
    if (n == 2) return last;
    const double before = slope_between(p[n - 3], p[n - 2]), over = slope_between(p[n - 3], p[n - 1]);
    return std::clamp(over, std::min(last, before), std::max(last, before));
}

/// Through the point with that slope; through the origin instead if the line would start below it.
line through(const curve::point& p, double slope, double elements)
{
    const double fixed = p.us - slope * p.elements;
    if (fixed >= 0) return {fixed, slope};
    return {0, std::max(p.us + slope * (elements - p.elements), 0.0) / elements};
}

} // namespace

void curve::add(const run& r)
{
    const int order = std::ilogb(r.elements);
    auto at = std::ranges::lower_bound(buckets_, order, {}, &bucket::order);
    if (at == buckets_.end() || at->order != order) {
        buckets_.insert(at, {order, {r}}); // with its run: none is ever empty, however little memory there is
        fitted_ = false;
        return;
    }
    auto& runs = at->runs;
    const auto older = [](const run& a, const run& b) {
        return std::tie(a.when, a.elements, a.us) < std::tie(b.when, b.elements, b.us);
    };
    const auto place = std::ranges::lower_bound(runs, r, older);
    if (place != runs.end() && *place == r) return;
    runs.insert(place, r);
    if (runs.size() > kept_runs) runs.erase(runs.begin());
    fitted_ = false;
}

void curve::correct(const run& r)
{
    const int order = std::ilogb(r.elements);
    for (bucket& b : buckets_)
        std::erase_if(b.runs, [&](const run& old) {
            return b.order == order || (b.order > order ? old.us < r.us : old.us > r.us);
        });
    std::erase_if(buckets_, [](const bucket& b) { return b.runs.empty(); });
    add(r);
}

bool curve::tells_of(std::size_t elements) const noexcept
{
    if (buckets_.empty()) return false;
    const double most = buckets_.back().runs.back().elements;
    return most >= telling_elements || static_cast<double>(elements) <= as_many_more * most;
}

std::vector<run> curve::runs() const
{
    std::vector<run> all;
    for (const bucket& b : buckets_) all.insert(all.end(), b.runs.begin(), b.runs.end());
    return all;
}

std::size_t curve::runs_like(std::size_t elements) const noexcept
{
    const int order = std::ilogb(static_cast<double>(std::max<std::size_t>(elements, 1)));
    const auto at = std::ranges::lower_bound(buckets_, order, {}, &bucket::order);
    return at == buckets_.end() || at->order != order ? 0 : at->runs.size();
}

std::int64_t curve::newest() const noexcept
{
    std::int64_t newest = 0;
    for (const bucket& b : buckets_) newest = std::max(newest, b.runs.back().when);
    return newest;
}

const std::vector<curve::point>& curve::points() const
{
    if (fitted_) return points_;
    points_.clear();
    std::vector<run> scratch;
    for (const bucket& b : buckets_) {
        scratch = b.runs;
        const run& r = typical(scratch);
        points_.push_back({r.elements, r.us, b.runs.size()});
    }
    make_monotone(points_);
    fitted_ = true;
    return points_;
}

line curve::near(std::size_t elements, double start_us) const
{
    const auto& known = points();
    const double n = static_cast<double>(std::max<std::size_t>(elements, 1));
    // What grows with the size, if only this point were known.
    const auto rate = [&](const point& p) { return (p.us - std::min(start_us, p.us / 2)) / p.elements; };
    const point &first = known.front(), &last = known.back();
    if (known.size() == 1) return through(first, rate(first), n);
    if (n <= first.elements) return through(first, std::min(slope_between(first, known[1]), rate(first)), n);
    if (n >= last.elements) return through(last, std::clamp(last_slope(known), rate(last) / 2, rate(last) * 2), n);
    const auto above = std::ranges::upper_bound(known, n, {}, &point::elements);
    const point &right = *above, &left = *(above - 1);
    return through(left, slope_between(left, right), n);
}

} // namespace skelrt::detail
