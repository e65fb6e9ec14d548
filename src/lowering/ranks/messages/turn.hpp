// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <vector>

namespace skelrt::detail
{

/// One of the turns in which a call's panels travel: messages of a panel are written when those of the panel that had
/// the turn before are gone. So memory for messages is of as many panels as there are turns, and nobody waits.
///
/// Under the order's lock, but for the end.
class turn
{
public:
    turn() = default;
    ~turn();
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

    /// These messages are the turn's: nothing uses them yet.
    void begin(std::vector<starpu_data_handle_t> messages);
    /// All that uses them is submitted. They go when it is done.
    void end();

private:
    void submit(starpu_data_access_mode how_messages) const;

    starpu_data_handle_t order_ = nullptr; ///< data of no bytes
    std::vector<starpu_data_handle_t> messages_;
};

} // namespace skelrt::detail
