#pragma once

#include "src/model/holding.hpp"

/// Every threshold of decisions, with its unit and where it was measured. Nobody tunes them at run time.
namespace skelrt::detail::tuning
{

/// Calls that a decision of one task holds for, at first and at most, 1 % of which may be lost by an old one (decision 21).
constexpr holding one_task_holds{63, 8 * 63};
/// The same of plans, which must come out twice in a row first (decision 21).
constexpr holding plan_holds{0, 64};

} // namespace skelrt::detail::tuning
