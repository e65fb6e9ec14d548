// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/trace/picture.hpp"

#include "src/tool/trace/report.hpp"

#include "apps/shared/picture/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace skelrt::tool
{

namespace
{

using apps::canvas;
using apps::colour;
using apps::point;

constexpr float width = 1400, left = 210, right = 80, top = 56, row_height = 24, bar = 16, text_height = 9;
constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, faint{0.45f, 0.47f, 0.50f},
    grid{0.86f, 0.87f, 0.88f}, waits{0.80f, 0.81f, 0.83f};
constexpr std::array<colour, 8> palette{{{0.00f, 0.45f, 0.70f},
                                         {0.90f, 0.60f, 0.00f},
                                         {0.00f, 0.62f, 0.45f},
                                         {0.80f, 0.40f, 0.00f},
                                         {0.80f, 0.47f, 0.65f},
                                         {0.34f, 0.71f, 0.91f},
                                         {0.55f, 0.55f, 0.20f},
                                         {0.45f, 0.35f, 0.65f}}};
constexpr std::size_t most_rows = 64;

using row_id = std::pair<int, int>;

std::string time_text(double us)
{
    if (us >= 1e6) return fmt::format("{:.4g} s", us * 1e-6);
    return us >= 1e3 ? fmt::format("{:.4g} ms", us * 1e-3) : fmt::format("{:.4g} us", us);
}

/// 1, 2 or 5 times a power of ten, so that about eight fit.
double step_of(double span)
{
    const double rough = span / 8, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double times : {1.0, 2.0, 5.0})
        if (power * times >= rough) return power * times;
    return 10 * power;
}

class timeline_picture
{
public:
    explicit timeline_picture(const trace_events& t)
        : events_(t), begin_(t.begin_us()), span_(std::max(t.end_us() - begin_, 1e-3)), busy_(busy_us(t)),
          longest_(sums_of_calls(t)), rows_(rows_to_draw()),
          picture_(static_cast<int>(width), static_cast<int>(legend_y() + 20 * static_cast<float>(legend_size()) + 16),
                   paper)
    {
    }

    apps::image draw()
    {
        const traced_rank& first = events_.ranks.front();
        picture_.text(
            {24, 30},
            fmt::format("{} on {}: {}; at the right: busy, in percent", first.program, first.host, time_text(span_)),
            12, ink);
        draw_axis();
        for (std::size_t r = 0; r < rows_.size(); ++r) draw_row(rows_[r], y_of(r));
        draw_legend();
        return picture_.finished();
    }

private:
    /// Those that did most; in the order of their numbers.
    std::vector<row_id> rows_to_draw() const
    {
        std::vector<row_id> all;
        for (const auto& [row, name] : events_.rows) all.push_back(row);
        std::ranges::stable_sort(all, std::ranges::greater{}, [&](const row_id& r) {
            const auto found = busy_.find(r);
            return found == busy_.end() ? 0.0 : found->second;
        });
        if (all.size() > most_rows) all.resize(most_rows);
        std::ranges::sort(all);
        return all;
    }

    static float y_of(std::size_t row) { return top + row_height * static_cast<float>(row); }
    float legend_y() const { return y_of(rows_.size()) + 44; }
    std::size_t legend_size() const { return std::min(longest_.size(), palette.size()); }
    float x_of(double us) const { return left + static_cast<float>((us - begin_) / span_) * (width - left - right); }

    void draw_axis()
    {
        const double step = step_of(span_);
        for (double at = 0; at <= span_; at += step) {
            const float x = x_of(begin_ + at);
            picture_.line({x, top - 4}, {x, y_of(rows_.size())}, 1, grid);
            const std::string label = time_text(at);
            picture_.text({x - canvas::text_width(label, text_height) / 2, y_of(rows_.size()) + 18}, label, text_height,
                          ink);
        }
    }

    void draw_row(const row_id& row, float y)
    {
        const traced_row& r = events_.rows.at(row);
        const std::string name = events_.ranks.size() > 1 ? fmt::format("{}: {}", row.first, r.name) : r.name;
        picture_.text({16, y + bar - 3}, name.substr(0, 28), text_height, ink);
        for (const traced_event& e : events_.all)
            if (row_id{e.rank, e.row} == row) draw_event(e, y);
        const auto found = busy_.find(row);
        const double share = found == busy_.end() ? 0 : found->second / span_;
        picture_.text({width - right + 12, y + bar - 3}, fmt::format("{:.0f}", 100 * share), text_height, faint);
    }

    void draw_event(const traced_event& e, float y)
    {
        const float from = x_of(e.begin_us), to = std::max(x_of(e.end_us()), from + 0.5f);
        picture_.rectangle({from, y}, {to, y + bar}, e.kind == event_kind::wait ? waits : colour_of(e.name));
    }

    /// The calls that took most have colours of their own.
    colour colour_of(const std::string& name) const
    {
        for (std::size_t k = 0; k < legend_size(); ++k)
            if (longest_[k].name == name) return palette[k];
        return faint;
    }

    void draw_legend()
    {
        for (std::size_t k = 0; k < legend_size(); ++k) {
            const call_sum& s = longest_[k];
            const float y = legend_y() + 20 * static_cast<float>(k);
            picture_.rectangle({left, y - 9}, {left + 12, y + 1}, colour_of(s.name));
            picture_.text({left + 20, y},
                          fmt::format("{}: {} in {} call{} of {}, {}", s.name, time_text(s.us), s.calls,
                                      s.calls == 1 ? "" : "s", s.size, s.device),
                          text_height, ink);
        }
    }

    const trace_events& events_;
    const double begin_, span_;
    const std::map<row_id, double> busy_;
    const std::vector<call_sum> longest_;
    const std::vector<row_id> rows_;
    canvas picture_;
};

} // namespace

void draw_trace(const trace_events& t, const std::filesystem::path& file)
{
    apps::write_png(file, timeline_picture(t).draw());
}

} // namespace skelrt::tool
