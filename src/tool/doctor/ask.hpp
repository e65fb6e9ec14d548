// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/checks/devices.hpp"
#include "src/tool/doctor/checks/ranks.hpp"

#include <string>
#include <utility>
#include <vector>

/// What drivers and runtimes say, each in a process of its own: one that hangs or crashes is an answer, too.
namespace skelrt::tool::doctor
{

/// To the environment of a process; an empty value unsets.
using changes = std::vector<std::pair<std::string, std::string>>;

class questions
{
public:
    /// Each answer may take so long. What nobody can read of the environment is taken out of it.
    questions(double limit_s, const variables& unreadable);

    /// `alone`: with that kind of device, and drivers of others hidden: StarPU asks all that it finds, whatever devices
    /// are wanted. Empty: as the environment says. `known`: StarPU has measured this machine before, else it does now,
    /// which takes longer.
    start_facts start(bool known, const std::string& alone = "") const;
    cuda_facts cuda() const;
    opencl_facts opencl() const;
    trial try_device(const device_info& d, bool alone) const;
    rank_facts ranks() const;

private:
    struct reply;
    reply ask(const std::string& question, double limit_s, const changes& more = {}) const;

    double limit_s_;
    std::string self_;
    std::vector<std::string> hidden_;
};

} // namespace skelrt::tool::doctor
