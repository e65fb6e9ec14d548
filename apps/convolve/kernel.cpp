// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>
#include <cstddef>

namespace convolve
{
namespace
{

namespace sk = skelrt;

const auto any = sk::map(SKELRT_FN((sk::random r) { return r.uniform(); }));
const auto lean = sk::generate(SKELRT_FN((sk::index2 at, float middle) {
    float y = ((float)at.row - middle) / (middle + 1.0f), x = ((float)at.col - middle) / (middle + 1.0f);
    return (1.0f + 0.3f * x - 0.2f * y) * std::exp(-2.0f * (x * x + y * y));
}));
const auto sum = sk::reduce(sk::plus, 0.0f);

} // namespace

void filter(picture& to, const picture& from, const picture& weights, int width)
{
    const auto reach = static_cast<std::size_t>(width / 2);
    const auto weighted = sk::stencil(SKELRT_FN((sk::hood2<float> u, sk::mat<float> w, int reach) {
                                          float sum = 0.0f;
                                          for (int i = -reach; i <= reach; ++i)
                                              for (int j = -reach; j <= reach; ++j)
                                                  sum += w(i + reach, j + reach) * u(i, j);
                                          return sum;
                                      }),
                                      sk::border::nearest(), sk::reach(reach));
    to = weighted(from, weights, width / 2);
}

picture noise(std::size_t size) { return any(sk::shape(size, size), sk::random_seed{7}); }

picture leaning_gaussian(int width)
{
    const auto n = static_cast<std::size_t>(width);
    const picture w = lean(sk::shape(n, n), static_cast<float>(width / 2));
    const sk::scalar<float> all = sum(w);
    return w / all;
}

} // namespace convolve
