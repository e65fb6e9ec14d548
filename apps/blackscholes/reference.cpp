// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <cmath>
#include <numbers>

namespace blackscholes
{
namespace
{

double below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

} // namespace

std::vector<plain_prices> plain_worth(const skelrt::vector<contract>& contracts)
{
    std::vector<plain_prices> result;
    for (const contract& c : skelrt::host_read(contracts)) {
        const double spot = c.spot, strike = c.strike, years = c.years, rate = c.rate, volatility = c.volatility;
        const double spread = volatility * std::sqrt(years), later = strike * std::exp(-rate * years);
        const double d1 = (std::log(spot / strike) + (rate + volatility * volatility / 2) * years) / spread;
        result.push_back(
            {spot * below(d1) - later * below(d1 - spread), later * below(spread - d1) - spot * below(-d1), spot});
    }
    return result;
}

} // namespace blackscholes
