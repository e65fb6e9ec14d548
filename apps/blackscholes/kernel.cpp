// SPDX-License-Identifier: BSD-3-Clause
// In a file of its own for -ffast-math, with which gcc calls exp and log of whole vectors.
#include "kernel.hpp"

#include <cmath>

namespace blackscholes
{

// The normal distribution by Abramowitz and Stegun, 26.2.17: wrong by less than 7.5e-8.
// clang-format off
SKELRT_SHARED(
    inline float normal_below(float x)
    {
        float k = 1.0f / (1.0f + 0.2316419f * std::fabs(x));
        float tail = 0.39894228f * std::exp(-0.5f * x * x) * k *
                     (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
        return x < 0.0f ? tail : 1.0f - tail;
    }
)
// clang-format on

namespace
{

namespace sk = skelrt;

// The problem.
const auto any_contract = sk::map(SKELRT_FN((sk::random r) {
    contract c;
    c.spot = 5.0f + 95.0f * r.uniform();
    c.strike = c.spot * (0.5f + r.uniform());
    c.years = 0.1f + 5.0f * r.uniform();
    c.rate = 0.08f * r.uniform();
    c.volatility = 0.1f + 0.5f * r.uniform();
    return c;
}));

// The computation.
const auto worth = sk::map(SKELRT_FN((contract c) {
    float spread = c.volatility * std::sqrt(c.years);
    float d1 = (std::log(c.spot / c.strike) + (c.rate + 0.5f * c.volatility * c.volatility) * c.years) / spread;
    float d2 = d1 - spread, later = c.strike * std::exp(-c.rate * c.years);
    prices p;
    p.call = c.spot * normal_below(d1) - later * normal_below(d2);
    p.put = later * normal_below(-d2) - c.spot * normal_below(-d1);
    return p;
}));

// What else is asked.
const auto imparity = sk::map(SKELRT_FN((float call, float put, contract c) {
    return std::fabs((call - put - (c.spot - c.strike * std::exp(-c.rate * c.years))) / c.spot);
}));
const auto largest = sk::reduce(sk::maximum, 0.0f);

} // namespace

// The problem.
sk::vector<contract> random_contracts(std::size_t n) { return any_contract(sk::shape(n), sk::random_seed{1973}); }

// The computation.
void price(sk::vector<float>& calls, sk::vector<float>& puts, const sk::vector<contract>& contracts)
{
    sk::tie(calls, puts) = worth(contracts);
}

// What else is asked.
double parity_error(const sk::vector<float>& calls, const sk::vector<float>& puts,
                    const sk::vector<contract>& contracts)
{
    return static_cast<double>(largest(imparity(calls, puts, contracts)).get());
}

} // namespace blackscholes
