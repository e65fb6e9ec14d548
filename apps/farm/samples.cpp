// SPDX-License-Identifier: BSD-3-Clause
#include "samples.hpp"

#include <skelrt/host.hpp>

#include <cmath>
#include <random>

namespace farm
{
namespace
{

/// A few waves across the grid and some noise.
grid make_grid(std::size_t size, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> some(0, 1);
    const float down = 20 * some(random), across = 20 * some(random);
    grid made(size, size, skelrt::uninitialized);
    const auto to = skelrt::host_write(made);
    for (std::size_t r = 0; r < size; ++r)
        for (std::size_t c = 0; c < size; ++c) {
            const auto y = static_cast<float>(r), x = static_cast<float>(c), n = static_cast<float>(size);
            to(r, c) = 0.4f + 0.2f * std::sin((down * y + across * x) / n) + 0.4f * some(random);
        }
    return made;
}

series make_signal(std::size_t length)
{
    std::mt19937 random(1977);
    std::uniform_real_distribution<float> some(-1, 1);
    series made(length, skelrt::uninitialized);
    for (float& v : skelrt::host_write(made)) v = some(random);
    return made;
}

} // namespace

samples make_samples(std::size_t count, std::size_t size)
{
    samples all;
    for (unsigned k = 0; k < count; ++k) {
        all.plates.push_back(make_grid(size, 4 * k));
        all.pictures.push_back({make_grid(size, 4 * k + 1), make_grid(size, 4 * k + 2), make_grid(size, 4 * k + 3)});
    }
    all.signal = make_signal(size * size);
    return all;
}

} // namespace farm
