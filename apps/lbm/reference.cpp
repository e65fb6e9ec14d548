// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

namespace lbm
{
namespace
{

constexpr int along_x[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, along_y[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int opposite[] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr float weights[] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

float goal(int k, float density, float x, float y)
{
    const float along = x * static_cast<float>(along_x[k]) + y * static_cast<float>(along_y[k]);
    return weights[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (x * x + y * y));
}

void collide(float* f, float rate)
{
    float density = 0, x = 0, y = 0;
    for (int k = 0; k < 9; ++k) {
        density += f[k];
        x += f[k] * static_cast<float>(along_x[k]);
        y += f[k] * static_cast<float>(along_y[k]);
    }
    for (int k = 0; k < 9; ++k) f[k] += rate * (goal(k, density, x / density, y / density) - f[k]);
}

std::vector<float> stepped(const std::vector<float>& from, const flow& w)
{
    const int rows = w.rows, cols = w.cols;
    const auto index = [&](int k, int r, int c) {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r)) *
                   static_cast<std::size_t>(cols) +
               static_cast<std::size_t>(c);
    };
    std::vector<float> to(from.size());
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            float f[9];
            const float dx = static_cast<float>(c) - w.x, dy = static_cast<float>(r) - w.y;
            const bool solid = dx * dx + dy * dy < w.radius * w.radius, inlet = c == 0, outlet = c == cols - 1;
            for (int k = 0; k < 9; ++k)
                f[k] = inlet    ? goal(k, 1, w.speed, 0)
                       : outlet ? from[index(k, r, c - 1)]
                                : from[index(k, (r - along_y[k] + rows) % rows, c - along_x[k])];
            if (!solid && !inlet && !outlet) collide(f, w.rate);
            for (int k = 0; k < 9; ++k) to[index(k, r, c)] = f[solid && !inlet && !outlet ? opposite[k] : k];
        }
    return to;
}

} // namespace

std::vector<float> plain_steps(const flow& w, std::size_t steps)
{
    std::vector<float> planes;
    for (int k = 0; k < 9; ++k)
        for (int r = 0; r < w.rows; ++r)
            for (int c = 0; c < w.cols; ++c) planes.push_back(goal(k, 1, (r > w.rows / 2 ? 1.02f : 1.0f) * w.speed, 0));
    for (std::size_t n = 0; n < steps; ++n) planes = stepped(planes, w);
    return planes;
}

} // namespace lbm
