// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <skelrt/skelrt.hpp>

namespace farm
{
namespace
{

namespace sk = skelrt;

const auto cool = sk::stencil(
    SKELRT_FN((sk::hood2<float> u) { return 0.5f * u(0, 0) + 0.125f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
    sk::border::constant(0.0f));

const auto line = sk::stencil(
    SKELRT_FN((sk::hood1<float> u) { return 0.0625f * ((u(-2) + u(2)) + 4.0f * (u(-1) + u(1)) + 6.0f * u(0)); }),
    sk::border::nearest());

const auto change = sk::map(SKELRT_FN((float a, float b) { return fabs(a - b); }));
const auto square = sk::map(SKELRT_FN((float x) { return x * x; }));
const auto sum = sk::reduce(sk::plus, 0.0f);
const auto maximum = sk::reduce(sk::maximum, -1e30f);
const auto sums = sk::scan(sk::plus);

float heat_left(const grid& plate)
{
    const grid cold = cool.iterate(cooling_steps, plate);
    return float(sum(cold)) / static_cast<float>(plate.size());
}

float detail(const grid& colour)
{
    const grid between = line.by_row(colour);
    const grid blurred = line.by_column(between);
    return float(sum(change(colour, blurred))) / static_cast<float>(colour.size());
}

float energy(const series& signal) { return float(sum(square(signal))) / static_cast<float>(signal.size()); }
float largest(const series& signal) { return maximum(signal); }
float highest_sum(const series& signal)
{
    const series all = sums(signal);
    return maximum(all);
}

const auto plates_at_once = sk::farm(heat_left).named("plates");
const auto colours_at_once = sk::farm(detail).named("colours");
const auto pictures_at_once = sk::farm([](const std::vector<grid>& p) { return colours_at_once(p); }).named("pictures");

} // namespace

// What else is asked.
findings study_in_turn(const samples& s)
{
    findings found;
    for (const grid& p : s.plates) found.push_back(heat_left(p));
    for (const auto& p : s.pictures)
        for (const grid& colour : p) found.push_back(detail(colour));
    found.insert(found.end(), {energy(s.signal), largest(s.signal), highest_sum(s.signal)});
    return found;
}

// The computation.
findings study_at_once(const samples& s)
{
    const auto study_signal = sk::farm([&] { return energy(s.signal); }, [&] { return largest(s.signal); },
                                       [&] { return highest_sum(s.signal); })
                                  .named("signal");
    const auto [heat, details, signal] = sk::farm(sk::item("plates", [&] { return plates_at_once(s.plates); }),
                                                  sk::item("pictures", [&] { return pictures_at_once(s.pictures); }),
                                                  sk::item("signal", [&] { return study_signal(); }))
                                             .named("study")();
    findings found = heat;
    for (const auto& colours : details) found.insert(found.end(), colours.begin(), colours.end());
    const auto [sum_of_squares, most, highest] = signal;
    found.insert(found.end(), {sum_of_squares, most, highest});
    return found;
}

} // namespace farm
