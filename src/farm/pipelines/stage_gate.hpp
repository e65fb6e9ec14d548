// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// In which order tokens go through a gate.
enum class gate_order : unsigned char { of_arrival, of_numbers };

/// Who may be in a stage: so many tokens at once; the others wait in a queue, and whoever leaves lets the next one in.
/// Nobody waits here: a thread leaves its token, and goes on with other work.
///
/// Thread-safe. Constant time; no memory is allocated after it was made.
class stage_gate
{
public:
    /// Tokens that go on one after the other on the same thread, before it lets another one do that.
    static constexpr std::size_t most_in_a_row = 32;

    /// `window`: places of tokens. In the order of numbers, these begin with 0, none is left out, and so many follow
    /// each other at most.
    stage_gate(gate_order order, std::size_t limit, std::size_t window);

    /// Whether the token is in. Else it waits, and is its thread's no longer.
    bool enter(std::size_t place, std::size_t number);

    struct leaving {
        std::optional<std::size_t> next; ///< it is in now, and whoever left has it
        bool hands_over = false;         ///< to another thread, if there is one: it was in here long enough
    };
    leaving leave();

    bool is_for_one() const noexcept { return limit_ == 1; }

private:
    bool next_is_there() const noexcept;
    std::size_t take_next();

    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    const gate_order order_;
    const std::size_t limit_;
    std::mutex guard_;                 ///< of what follows
    std::vector<std::size_t> waiting_; ///< a ring of places
    std::size_t first_ = 0;            ///< of those that wait; in the order of numbers: whose turn it is
    std::size_t count_ = 0;
    std::size_t inside_ = 0, in_a_row_ = 0;
};

} // namespace skelrt::detail
