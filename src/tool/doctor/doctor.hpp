// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::tool::doctor
{

struct request {
    bool json = false;
    double limit_s = 60; ///< for each question to a driver or a runtime
};

/// `skelrt doctor`: looks at this machine and its set-up, runs a small program on each device, and says what is wrong
/// and the way out. Returns what the command ends with.
int examine(const request& wanted);

} // namespace skelrt::tool::doctor
