// SPDX-License-Identifier: BSD-3-Clause
#include "film.hpp"

#include "pictures.hpp"

#include <skelrt/pipeline.hpp>

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace video
{

film::film(std::function<apps::image(std::size_t)> read, std::size_t count, std::size_t window,
           std::filesystem::path folder)
    : read_(std::move(read)), count_(count), window_(window), folder_(std::move(folder))
{
}

void film::run()
{
    namespace sk = skelrt;
    edges_.clear();
    std::size_t next = 0;
    sk::pipeline(sk::source("count", [&] { return next < count_ ? std::optional(next++) : std::nullopt; }),
                 sk::parallel("read", [&](std::size_t number) { return grey_of(read_(number)); }),
                 sk::parallel("blur", [](const grey& g) { return blurred(g); }),
                 sk::parallel("canny", [](const grey& g) { return image_of(edges_of(g, {})); }),
                 sk::in_order("write", [&](apps::image edges) { write(std::move(edges)); }))
        .named("film")
        .window(window_)();
}

void film::write(apps::image edges)
{
    if (!folder_.empty()) apps::write_png(folder_ / fmt::format("edges-{:05}.png", edges_.size()), edges);
    edges_.push_back(std::move(edges));
}

} // namespace video
