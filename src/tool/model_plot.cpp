// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/models.hpp"

#include "src/model/times/model.hpp"

#include "apps/shared/picture/canvas.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skelrt::tool
{

namespace
{

using namespace detail;
using apps::canvas;
using apps::colour;
using apps::point;

constexpr float panel_width = 620, panel_height = 440;
constexpr float left = 84, right = 24, top = 64, bottom = 60, text_height = 9;
constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, faint{0.45f, 0.47f, 0.50f},
    grid{0.86f, 0.87f, 0.88f};

colour colour_of(executor e)
{
    switch (e) {
    case executor::core:
        return {0.90f, 0.60f, 0.00f};
    case executor::team:
        return {0.00f, 0.45f, 0.70f};
    case executor::cuda:
        return {0.00f, 0.62f, 0.45f};
    default:
        return {0.80f, 0.40f, 0.00f};
    }
}

/// A logarithmic axis over whole powers of ten.
struct log_axis {
    int low, high;
    log_axis(double least, double most)
        : low(static_cast<int>(std::floor(std::log10(least)))), high(static_cast<int>(std::ceil(std::log10(most))))
    {
        if (high == low) ++high;
    }
    double at(double value) const { return (std::log10(value) - low) / (high - low); }
};

std::string size_label(int power)
{
    return power < 4 ? fmt::format("{:.0f}", std::pow(10, power)) : fmt::format("1e{}", power);
}

/// Time against size of one codelet: the runs as dots, what is predicted as lines.
class panel
{
public:
    panel(canvas& picture, point corner, const codelet_runs& codelet)
        : picture_(picture), corner_(corner), codelet_(codelet), sizes_(range_of(&run::elements)),
          times_(range_of(&run::us))
    {
    }

    void draw()
    {
        draw_axes();
        float legend = corner_.x + left;
        for (executor e : all_executors) {
            const curve& c = codelet_[e];
            if (c.empty()) continue;
            draw_curve(c, e);
            picture_.disc({legend + 4, corner_.y + 48}, 4, colour_of(e));
            picture_.text({legend + 14, corner_.y + 52}, name_of(e), text_height, ink);
            legend += 30 + canvas::text_width(name_of(e), text_height);
        }
        picture_.text({corner_.x + left, corner_.y + 30}, codelet_.name, 12, ink);
    }

private:
    /// Of all runs and predictions.
    log_axis range_of(double run::*what) const
    {
        double least = 1e300, most = 0;
        const auto widen = [&](const run& r) {
            least = std::min(least, r.*what);
            most = std::max(most, r.*what);
        };
        for (executor e : all_executors) {
            std::ranges::for_each(codelet_[e].runs(), widen);
            std::ranges::for_each(predictions(codelet_[e], e), widen);
        }
        return {least, most};
    }

    point pixel(double elements, double us) const
    {
        const float x = static_cast<float>(sizes_.at(elements)), y = static_cast<float>(times_.at(us));
        return {corner_.x + left + x * (panel_width - left - right),
                corner_.y + panel_height - bottom - y * (panel_height - top - bottom)};
    }

    void draw_axes()
    {
        const double first_size = std::pow(10, sizes_.low), first_time = std::pow(10, times_.low);
        for (int p = sizes_.low; p <= sizes_.high; ++p) {
            const double size = std::pow(10, p);
            const point foot = pixel(size, first_time);
            picture_.line(foot, pixel(size, std::pow(10, times_.high)), 1, grid);
            picture_.text({foot.x - canvas::text_width(size_label(p), text_height) / 2, foot.y + 18}, size_label(p),
                          text_height, ink);
        }
        for (int p = times_.low; p <= times_.high; ++p) {
            const double time = std::pow(10, p);
            const point foot = pixel(first_size, time);
            picture_.line(foot, pixel(std::pow(10, sizes_.high), time), 1, grid);
            const std::string label = time_text(time);
            picture_.text({foot.x - 8 - canvas::text_width(label, text_height), foot.y + text_height / 2}, label,
                          text_height, ink);
        }
        const point end = pixel(std::pow(10, sizes_.high), first_time);
        picture_.text({end.x - canvas::text_width("elements", text_height), end.y + 38}, "elements", text_height,
                      faint);
    }

    void draw_curve(const curve& c, executor e)
    {
        const std::vector<run> line = predictions(c, e);
        for (std::size_t i = 1; i < line.size(); ++i)
            picture_.line(pixel(line[i - 1].elements, line[i - 1].us), pixel(line[i].elements, line[i].us), 1.6f,
                          colour_of(e));
        for (const run& r : c.runs()) picture_.disc(pixel(r.elements, r.us), 2.6f, colour_of(e), 0.65f);
    }

    canvas& picture_;
    point corner_;
    const codelet_runs& codelet_;
    log_axis sizes_, times_;
};

} // namespace

std::vector<run> predictions(const curve& c, executor e)
{
    constexpr int steps = 120;
    std::vector<run> line;
    if (c.empty()) return line;
    const double low = std::max(c.points().front().elements / 2, 1.0), high = c.points().back().elements * 2;
    for (int i = 0; i <= steps; ++i) {
        const auto n = static_cast<std::size_t>(low * std::pow(high / low, static_cast<double>(i) / steps) + 0.5);
        line.push_back({static_cast<double>(n), std::max(line_of(c, e, n).at(n), 1e-3), 0}); // logarithms want no 0
    }
    return line;
}

void draw_models(const history& h, const std::filesystem::path& picture)
{
    const std::size_t columns = h.size() > 1 ? 2 : 1, rows = (h.size() + columns - 1) / columns;
    canvas all(static_cast<int>(panel_width) * static_cast<int>(columns),
               static_cast<int>(panel_height) * static_cast<int>(rows), paper);
    std::size_t k = 0;
    for (const auto& [key, codelet] : h) {
        const point corner{panel_width * static_cast<float>(k % columns),
                           panel_height * static_cast<float>(k / columns)};
        panel(all, corner, codelet).draw();
        ++k;
    }
    apps::write_png(picture, all.finished());
}

} // namespace skelrt::tool
