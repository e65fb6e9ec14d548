// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace blackscholes
{

// clang-format off
// A share's price, the price agreed on, years to go, interest and volatility a year.
// For both programs.
SKELRT_SHARED(struct contract { float spot, strike, years, rate, volatility; };)
// The computation.
SKELRT_SHARED(struct prices { float call, put; };)
// clang-format on

/// European options at random: always the same for a number.
skelrt::vector<contract> random_contracts(std::size_t n);

/// What calls and puts are worth by Black's and Scholes' formula, each on its own. Asynchronous.
void price(skelrt::vector<float>& calls, skelrt::vector<float>& puts, const skelrt::vector<contract>& contracts);

/// The largest |call - put - (spot - strike e^(-rate years))|, which would be 0 in exact arithmetic, over the spot.
/// Computed where the prices are; waits for the value.
double parity_error(const skelrt::vector<float>& calls, const skelrt::vector<float>& puts,
                    const skelrt::vector<contract>& contracts);

} // namespace blackscholes
