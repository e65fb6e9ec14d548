// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/launch/launchers.hpp"

/// What the launchers of scans share.
namespace skelrt::detail::cuda
{

/// Scratch of a scan: running values between launches (of all columns, or one), then the states of tiles.
class scan_scratch_layout
{
public:
    scan_scratch_layout(const recipe& what, std::size_t values) : states_at_(rounded_up(values * what.result_size, 256))
    {
    }
    void* carry(const work& w) const { return w.carry.data != nullptr ? w.carry.data : w.scratch.data; }
    void* states(const work& w) const { return static_cast<std::byte*>(w.scratch.data) + states_at_; }
    std::size_t bytes(std::size_t states, const recipe& what) const
    {
        return states_at_ + states * state_bytes(what.result_size);
    }
    /// The bytes of one state: status and value, half of each word for each.
    static std::size_t state_bytes(std::size_t value_size) { return divided_up(value_size, 4) * 8; }

private:
    std::size_t states_at_;
};

/// Nobody has published anything.
void clear_states(void* states, std::size_t count, const recipe& what, cudaStream_t stream);

/// What comes in front of the call's first position.
inline front first_front(const work& w)
{
    if (w.carried_in) return front::stored;
    return w.start != nullptr ? front::start : front::nothing;
}

} // namespace skelrt::detail::cuda
