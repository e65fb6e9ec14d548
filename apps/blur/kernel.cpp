// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>
#include <utility>

namespace blur
{
namespace
{

namespace sk = skelrt;

// The weights are symmetric: neighbours on both sides are added first. Pixels beyond the edge are as at the edge.
const auto line = sk::stencil(SKELRT_FN((sk::hood1<float> u, gauss g) {
                                  return g.w0 * u(0) + g.w1 * (u(-1) + u(1)) + g.w2 * (u(-2) + u(2)) +
                                         g.w3 * (u(-3) + u(3)) + g.w4 * (u(-4) + u(4)) + g.w5 * (u(-5) + u(5)) +
                                         g.w6 * (u(-6) + u(6)) + g.w7 * (u(-7) + u(7)) + g.w8 * (u(-8) + u(8)) +
                                         g.w9 * (u(-9) + u(9));
                              }),
                              sk::border::nearest());

// What else is asked.
// `down` has the weights of the rows.
const auto square = sk::stencil(SKELRT_FN((sk::hood2<float> u, gauss g, sk::vec<float> down) {
                                    float sum = 0.0f;
                                    for (int i = -9; i <= 9; ++i) {
                                        const float row = g.w0 * u(i, 0) + g.w1 * (u(i, -1) + u(i, 1)) +
                                                          g.w2 * (u(i, -2) + u(i, 2)) + g.w3 * (u(i, -3) + u(i, 3)) +
                                                          g.w4 * (u(i, -4) + u(i, 4)) + g.w5 * (u(i, -5) + u(i, 5)) +
                                                          g.w6 * (u(i, -6) + u(i, 6)) + g.w7 * (u(i, -7) + u(i, 7)) +
                                                          g.w8 * (u(i, -8) + u(i, 8)) + g.w9 * (u(i, -9) + u(i, 9));
                                        sum += down[9 + i] * row;
                                    }
                                    return sum;
                                }),
                                sk::border::nearest(), sk::reach(9));

// The computation.
// cppcheck-suppress containerOutOfBounds ; it takes weights for an array of two
gauss gauss_of(const weights& w) { return {w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18]}; }

} // namespace

// The problem.
weights weights_of(double sigma)
{
    const auto weight = [sigma](int k) { return std::exp(-0.5 * k * k / (sigma * sigma)); };
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += weight(k);
    weights w{};
    for (int k = -radius; k <= radius; ++k)
        w[static_cast<std::size_t>(k + radius)] = static_cast<float>(weight(k) / sum);
    return w;
}

// The computation.
filter::filter(std::vector<plane> source, const weights& w, form how, int times)
    : source_(std::move(source)), first_(source_.size()), second_(source_.size()), between_(source_.size()),
      gauss_(gauss_of(w)), down_(w.begin(), w.end()), form_(how), times_(times)
{
}

void filter::apply(plane& to, plane& between, const plane& from) const
{
    // What else is asked.
    if (form_ == form::dense) {
        to = square(from, gauss_, down_);
        return;
    }
    // The computation.
    between = line.by_row(from, gauss_);
    to = line.by_column(between, gauss_);
}

void filter::run()
{
    for (int k = 0; k < times_; ++k)
        for (std::size_t c = 0; c < source_.size(); ++c) {
            auto& to = (k % 2 == 0 ? first_ : second_)[c];
            apply(to, between_[c], k == 0 ? source_[c] : (k % 2 == 0 ? second_ : first_)[c]);
        }
}

void filter::wait() const
{
    for (const plane& p : result()) sk::wait(p);
}

// What else is asked.
void filter::bring_home()
{
    for (std::vector<plane>* planes : {&source_, &first_, &second_, &between_})
        for (plane& p : *planes) static_cast<void>(sk::host(p));
}

} // namespace blur
