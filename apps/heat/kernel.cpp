// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

namespace heat
{
namespace
{

namespace sk = skelrt;

const auto flow2 = sk::stencil(SKELRT_FN((sk::hood2<float> u, float alpha) {
                                   return u(0, 0) + alpha * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4.0f * u(0, 0));
                               }),
                               sk::border::constant(0.0f));

const auto flow3 = sk::stencil(SKELRT_FN((sk::hood3<float> u, float alpha) {
                                   return u(0, 0, 0) + alpha * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) +
                                                                u(0, 0, -1) + u(0, 0, 1) - 6.0f * u(0, 0, 0));
                               }),
                               sk::border::constant(0.0f));

} // namespace

void advance(plate& to, const plate& from, std::size_t steps, float alpha) { to = flow2.iterate(steps, from, alpha); }

void advance(block& to, const block& from, std::size_t steps, float alpha) { to = flow3.iterate(steps, from, alpha); }

} // namespace heat
