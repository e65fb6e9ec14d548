// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pipelines/stage_gate.hpp"

namespace skelrt::detail
{

stage_gate::stage_gate(gate_order order, std::size_t limit, std::size_t window)
    : order_(order), limit_(limit), waiting_(window, nobody)
{
}

bool stage_gate::enter(std::size_t place, std::size_t number)
{
    const std::lock_guard lock(guard_);
    const bool in_turn = order_ == gate_order::of_arrival || number == first_;
    if (in_turn && inside_ < limit_) {
        ++inside_;
        if (order_ == gate_order::of_numbers) ++first_;
        return true;
    }
    waiting_[(order_ == gate_order::of_numbers ? number : first_ + count_) % waiting_.size()] = place;
    ++count_;
    return false;
}

stage_gate::leaving stage_gate::leave()
{
    const std::lock_guard lock(guard_);
    if (!next_is_there()) {
        --inside_;
        in_a_row_ = 0;
        return {};
    }
    const bool hands_over = ++in_a_row_ == most_in_a_row;
    if (hands_over) in_a_row_ = 0;
    return {take_next(), hands_over};
}

bool stage_gate::next_is_there() const noexcept { return count_ > 0 && waiting_[first_ % waiting_.size()] != nobody; }

std::size_t stage_gate::take_next()
{
    std::size_t& place = waiting_[first_++ % waiting_.size()];
    const std::size_t next = place;
    place = nobody;
    --count_;
    return next;
}

} // namespace skelrt::detail
