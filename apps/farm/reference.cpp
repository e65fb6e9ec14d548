// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "kernel.hpp"

#include <skelrt/host.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace farm
{
namespace
{

struct plain_grid {
    long size;
    std::vector<double> values;

    explicit plain_grid(long n) : size(n), values(static_cast<std::size_t>(n * n)) {}
    double& at(long r, long c) { return values[static_cast<std::size_t>(r * size + c)]; }
    double nearest(long r, long c) const
    {
        const auto inside = [&](long k) { return std::clamp(k, 0l, size - 1); };
        return values[static_cast<std::size_t>(inside(r) * size + inside(c))];
    }
    double or_zero(long r, long c) const { return r < 0 || c < 0 || r >= size || c >= size ? 0 : nearest(r, c); }
    double mean() const
    {
        double sum = 0;
        for (const double v : values) sum += v;
        return sum / static_cast<double>(values.size());
    }
};

plain_grid copy_of(const grid& g)
{
    plain_grid made(static_cast<long>(g.rows()));
    std::ranges::copy(skelrt::host_read(g), made.values.begin());
    return made;
}

template <class Value>
plain_grid each(long size, Value value)
{
    plain_grid made(size);
    for (long r = 0; r < size; ++r)
        for (long c = 0; c < size; ++c) made.at(r, c) = value(r, c);
    return made;
}

double plain_heat(const grid& plate)
{
    plain_grid u = copy_of(plate);
    for (int step = 0; step < cooling_steps; ++step)
        u = each(u.size, [&](long r, long c) {
            const double around = u.or_zero(r - 1, c) + u.or_zero(r + 1, c) + u.or_zero(r, c - 1) + u.or_zero(r, c + 1);
            return u.or_zero(r, c) / 2 + around / 8;
        });
    return u.mean();
}

double plain_detail(const grid& colour)
{
    constexpr double weight[] = {1, 4, 6, 4, 1};
    const plain_grid u = copy_of(colour);
    return each(u.size,
                [&](long r, long c) {
                    double blurred = 0;
                    for (long i = -2; i <= 2; ++i)
                        for (long j = -2; j <= 2; ++j)
                            blurred += weight[i + 2] * weight[j + 2] * u.nearest(r + i, c + j) / 256;
                    return std::abs(u.nearest(r, c) - blurred);
                })
        .mean();
}

std::array<float, 3> plain_signal(const series& signal)
{
    double squares = 0, largest = -std::numeric_limits<double>::infinity(), sum = 0, highest = largest;
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
    const auto detail_of = [](const grid& colour) { return static_cast<float>(plain_detail(colour)); };
    findings found;
    for (const grid& p : s.plates) found.heat.push_back(static_cast<float>(plain_heat(p)));
    for (const picture& p : s.pictures) found.detail.push_back({detail_of(p[0]), detail_of(p[1]), detail_of(p[2])});
    found.signal = plain_signal(s.signal);
    return found;
}

apps::comparison compare(const findings& got, const findings& right)
{
    apps::comparison result{1e-4};
    const auto add = [&](double value, double reference, const char* of, std::size_t number) {
        result.add(value, reference, reference, [&] { return fmt::format("{} {}", of, number); });
    };
    for (std::size_t k = 0; k < right.heat.size(); ++k) add(got.heat[k], right.heat[k], "plate", k);
    for (std::size_t k = 0; k < right.detail.size(); ++k)
        for (std::size_t c = 0; c < 3; ++c) add(got.detail[k][c], right.detail[k][c], "picture", k);
    for (std::size_t k = 0; k < 3; ++k) add(got.signal[k], right.signal[k], "the signal's value", k);
    return result;
}

} // namespace farm
