// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/report.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace blackscholes
{
namespace
{

double below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

} // namespace

reference::reference(const skelrt::vector<contract>& contracts) : right_(contracts.size())
{
    const auto from = skelrt::host_read(contracts);
    seconds_ = apps::seconds_of([&] {
        for (std::size_t i = 0; i < right_.size(); ++i) {
            const double spot = from[i].spot, strike = from[i].strike, years = from[i].years, rate = from[i].rate,
                         volatility = from[i].volatility, spread = volatility * std::sqrt(years);
            const double d1 = (std::log(spot / strike) + (rate + volatility * volatility / 2) * years) / spread;
            const double later = strike * std::exp(-rate * years);
            right_[i] = {spot * below(d1) - later * below(d1 - spread), later * below(spread - d1) - spot * below(-d1),
                         spot};
        }
    });
}

apps::comparison reference::compare(const skelrt::vector<float>& calls, const skelrt::vector<float>& puts,
                                    double parity) const
{
    apps::comparison result{3e-6};
    const auto call = skelrt::host_read(calls), put = skelrt::host_read(puts);
    for (std::size_t i = 0; i < right_.size(); ++i) {
        result.add(static_cast<double>(call[i]), right_[i].call, right_[i].spot,
                   [&] { return fmt::format("call {}", i); });
        result.add(static_cast<double>(put[i]), right_[i].put, right_[i].spot,
                   [&] { return fmt::format("put {}", i); });
    }
    result.add(parity, 0.0, 1.0, [] { return std::string("the largest distance from parity"); });
    return result;
}

} // namespace blackscholes
