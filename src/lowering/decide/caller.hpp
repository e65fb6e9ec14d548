#pragma once

#include "src/lowering/decide/tuning.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <algorithm>
#include <cstdint>

namespace skelrt::detail
{

/// Who does a call whose data is at hand, and that the calling thread could do itself.
enum class caller_way : std::uint8_t { alone, with_all_cores, tasks };

/// What such a call takes, in microseconds.
struct caller_facts {
    double us = 0;              ///< the calling thread alone
    double limit_us = 0;        ///< that it should take alone at most
    bool may_lead = false;      ///< it may lead all cores, for nobody else could do the call
    double led_us = 0;          ///< all cores, then; a guess as long as
    bool led_is_tested = false; ///< nobody has timed that
    double longest_led_us = 0;  ///< that a call may keep the calling thread
};

/// Whether nobody else need be asked about: all cores take as long to begin and to end together.
inline bool is_for_caller_alone(double us, double limit_us) noexcept
{
    return us <= std::min(limit_us, tuning::team_begins_and_ends_us);
}

/// Pure but for what trials cost: `core` and `team` note what calls have paid for the next try of the one that lost.
caller_way choose_for_caller(const caller_facts& f, element_costs& core, element_costs& team) noexcept;

} // namespace skelrt::detail
