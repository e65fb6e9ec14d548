// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What a function does that does the same at every position of a stencil: a list of steps. See docs/decisions/0092.
namespace skelrt::detail
{

/// Values that are needed at a time, numbers of each position.
inline constexpr unsigned most_lockstep_values = 8;

/// Bytes behind what hoods see of the wanted positions that are read, too.
inline constexpr std::size_t lockstep_read_ahead = 256;

/// What stands beside an operator: a value, or a number that all positions share.
struct lockstep_operand {
    bool is_value;
    unsigned value;
    double number;
};

/// An element of a hood times a number.
struct lockstep_tap {
    double factor;
    float as_float;   ///< the same
    std::int32_t way; ///< from the position's own element to it

    template <class T>
    T factor_as() const
    {
        if constexpr (sizeof(T) == sizeof(float)) return as_float;
        else return factor;
    }
};

enum class lockstep_operator : std::uint8_t { taps, plus, minus, times, over };

/// Value `to` = a op b; or a, and then the taps from first to last of the hood in that slot, one after the other.
struct lockstep_step {
    lockstep_operator op;
    unsigned to;
    lockstep_operand a, b;
    unsigned slot, first, last;
};

/// The last step's value is the result.
struct lockstep_steps {
    std::vector<lockstep_step> steps;
    std::vector<lockstep_tap> taps;
};

} // namespace skelrt::detail
