// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/plain_grid.hpp"

#include <skelrt/host.hpp>

#include <cmath>
#include <numeric>

namespace farm
{
namespace
{

using plain = apps::plain_grid<double>;

plain copy_of(const grid& g)
{
    const auto from = skelrt::host_read(g);
    return {static_cast<int>(g.rows()), static_cast<int>(g.cols()), [&](int r, int c) { return from(r, c); }};
}

float mean_of(const std::vector<double>& values)
{
    return static_cast<float>(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
}

float plain_heat(const grid& plate)
{
    plain u = copy_of(plate);
    for (int step = 0; step < cooling_steps; ++step)
        u = plain(u.rows, u.cols, [&](int r, int c) {
            const double around = u.or_zero(r - 1, c) + u.or_zero(r + 1, c) + u.or_zero(r, c - 1) + u.or_zero(r, c + 1);
            return u.at(r, c) / 2 + around / 8;
        });
    return mean_of(u.values);
}

float plain_detail(const grid& colour)
{
    constexpr double weight[] = {1, 4, 6, 4, 1};
    const plain u = copy_of(colour), changes(u.rows, u.cols, [&](int r, int c) {
        double blurred = 0;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j) blurred += weight[i + 2] * weight[j + 2] * u.nearest(r + i, c + j) / 256;
        return std::abs(u.at(r, c) - blurred);
    });
    return mean_of(changes.values);
}

findings plain_signal(const series& signal)
{
    double squares = 0, largest = -1e30, sum = 0, highest = -1e30;
    for (const double v : skelrt::host_read(signal)) {
        squares += v * v;
        largest = std::max(largest, v);
        sum += v;
        highest = std::max(highest, sum);
    }
    return {static_cast<float>(squares / static_cast<double>(signal.size())), static_cast<float>(largest),
            static_cast<float>(highest)};
}

} // namespace

findings plain_findings(const samples& s)
{
    findings found;
    for (const grid& p : s.plates) found.push_back(plain_heat(p));
    for (const auto& p : s.pictures)
        for (const grid& colour : p) found.push_back(plain_detail(colour));
    const findings signal = plain_signal(s.signal);
    found.insert(found.end(), signal.begin(), signal.end());
    return found;
}

} // namespace farm
