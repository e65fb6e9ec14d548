// SPDX-License-Identifier: BSD-3-Clause
#include "study.hpp"

#include "kernel.hpp"

#include <skelrt/farm.hpp>

#include <tuple>
#include <utility>

namespace farm
{
namespace
{

namespace sk = skelrt;

template <class A, class B, class C>
std::array<float, 3> as_array(const std::tuple<A, B, C>& all)
{
    return {std::get<0>(all), std::get<1>(all), std::get<2>(all)};
}

const auto plates_at_once = sk::farm(heat_left).named("plates");

const auto pictures_at_once = sk::farm([](const picture& p) {
                                  return as_array(sk::farm([&] { return detail(p[0]); }, [&] { return detail(p[1]); },
                                                           [&] { return detail(p[2]); })
                                                      .named("colours")());
                              }).named("pictures");

std::array<float, 3> signal_at_once(const series& s)
{
    return as_array(sk::farm([&] { return energy(s); }, [&] { return largest(s); }, [&] { return highest_sum(s); })
                        .named("signal")());
}

} // namespace

findings study_in_turn(const samples& s)
{
    findings found;
    for (const grid& p : s.plates) found.heat.push_back(heat_left(p));
    for (const picture& p : s.pictures) found.detail.push_back({detail(p[0]), detail(p[1]), detail(p[2])});
    found.signal = {energy(s.signal), largest(s.signal), highest_sum(s.signal)};
    return found;
}

findings study_at_once(const samples& s)
{
    auto [heat, details, signal] = sk::farm(sk::item("plates", [&] { return plates_at_once(s.plates); }),
                                            sk::item("pictures", [&] { return pictures_at_once(s.pictures); }),
                                            sk::item("signal", [&] { return signal_at_once(s.signal); }))
                                       .named("study")();
    return {std::move(heat), std::move(details), signal};
}

} // namespace farm
