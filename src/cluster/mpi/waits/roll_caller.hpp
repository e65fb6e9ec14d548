// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/mpi/waits/roll.hpp"
#include "src/cluster/roll_call.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// Who waits for long asks all ranks where they are. One wait's, or one watch's.
class roll_caller
{
public:
    /// 0: never.
    roll_caller(roll& others, std::chrono::seconds patience) : others_(others), patience_(patience) {}

    /// Patience begins anew.
    void reset() noexcept;
    /// To be asked again and again. An answer once patience is over and all have said where they are, or one has not
    /// for as long again. That nobody can come is found twice before it is said, for answers are old when they come.
    std::optional<roll_call_result> conclusion();

private:
    using clock = std::chrono::steady_clock;

    void ask();

    roll& others_;
    const std::chrono::seconds patience_;
    clock::time_point since_ = clock::now(), asked_{};
    enum state : std::uint8_t { waits, has_asked, suspects } state_ = waits;
    std::vector<rank_answer> before_; ///< the answers that made it suspect that nobody comes
};

} // namespace skelrt::detail
