// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/devices.hpp"

#include <fmt/format.h>

namespace skelrt::tool::doctor
{

namespace
{

using detail::fact;
using detail::source;

/// A kind of device by itself, for SKELRT_DEVICES.
std::string kind_of(const trial& t) { return t.device.substr(0, t.device.find(' ')); }

std::string without(const trial& t)
{
    return kind_of(t) == "cpu"
               ? "build skelrt and the program again with the same compiler"
               : fmt::format("go without it until its driver is sound: SKELRT_DEVICES without {}", kind_of(t));
}

std::string in_gb(double bytes_per_us) { return fmt::format("{:.3g} GB/s", bytes_per_us * 1e-3); }

std::string rates(const trial& t)
{
    std::string text = fmt::format("memory {}", in_gb(t.memory));
    if (t.to > 0) text += fmt::format(", link to it {}, from it {}", in_gb(t.to), in_gb(t.from));
    return text;
}

/// Measured in the same way, half is much; others measure otherwise, or promise more than there is.
struct tolerance {
    double slower, faster;
};
tolerance tolerance_of(source from) { return from == source::measured ? tolerance{2, 2} : tolerance{8, 8}; }

void compare(findings& to, const trial& t, const char* what, double now, const fact& known)
{
    if (now <= 0 || known.value <= 0 || known.from == source::assumed) return;
    const auto [slower, faster] = tolerance_of(known.from);
    const std::string both = fmt::format("{} reaches {} now, and {} {}", what, in_gb(now), in_gb(known.value),
                                         known.from == source::measured ? "when it was calibrated"
                                                                        : "by the driver or StarPU's measurement");
    if (now * slower < known.value)
        to.push_back(warn(t.device, both, "end other programs and try again; if it stays so: skelrt calibrate"));
    else if (now > known.value * faster && known.from == source::measured)
        to.push_back(warn(t.device, both, "skelrt calibrate, while nothing else runs"));
}

} // namespace

findings check_trial(const trial& t)
{
    if (!t.problem.empty())
        return {
            wrong(t.device, fmt::format("{}: a small program on it did not end: {}", t.name, t.problem), without(t))};
    if (!t.refused.empty())
        return {
            wrong(t.device, fmt::format("{}: a small program on it is refused: {}", t.name, t.refused), without(t))};
    if (!t.differs.empty())
        return {wrong(t.device, fmt::format("{}: a small program on it computes wrongly: {}", t.name, t.differs),
                      without(t))};
    findings all{fine(t.device, fmt::format("{}: a map and a reduction are right; the first call took {:.0f} ms{}",
                                            t.name, t.first_call_ms, t.memory > 0 ? "; " + rates(t) : ""))};
    if (!t.not_measured.empty())
        all.push_back(warn(t.device, fmt::format("its speed was not measured: {}", t.not_measured),
                           "end other programs that use it"));
    return all;
}

findings check_speed(const trial& t, const detail::device_peaks* known)
{
    findings all;
    if (!known || !t.problem.empty()) return all;
    compare(all, t, "memory", t.memory, known->memory);
    compare(all, t, "the link to it", t.to, known->to);
    compare(all, t, "the link from it", t.from, known->from);
    return all;
}

} // namespace skelrt::tool::doctor
