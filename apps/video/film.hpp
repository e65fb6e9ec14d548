// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/image.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace video
{

/// Frames on their way to pictures of their edges: several at a time, each on its own core or device.
class film
{
public:
    /// `read` gives frame 0 to count - 1, to any thread. `folder`: where the pictures go as PNG files; empty: nowhere.
    film(std::function<apps::image(std::size_t)> read, std::size_t count, std::size_t window,
         std::filesystem::path folder);

    void run();
    /// Of the last run, in the order of the frames.
    const std::vector<apps::image>& edges() const { return edges_; }

private:
    void write(apps::image edges);

    const std::function<apps::image(std::size_t)> read_;
    const std::size_t count_, window_;
    const std::filesystem::path folder_;
    std::vector<apps::image> edges_;
};

} // namespace video
