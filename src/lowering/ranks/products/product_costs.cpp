// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/product_costs.hpp"

namespace skelrt::detail
{

namespace
{

constexpr double most_of_memory = 1.0 / 8;

double us_of(const message_cost& c, const rank_traffic& t) noexcept
{
    return t.messages * c.in_a_row_us + t.bytes * (c.byte_us + 2 * c.copied_byte_us);
}

} // namespace

/// The right side to all; before it what lies in a grid to blocks of rows, and the result back.
rank_traffic traffic_of_copies(const product_sizes& s) noexcept
{
    const double ranks = s.rows * s.cols, others = ranks - 1;
    rank_traffic t{others, s.right / ranks * others};
    if (s.in_lines) return t;
    t.messages += 3 * s.cols;
    t.bytes += (s.left + s.right + s.result) / ranks;
    return t;
}

/// Each panel comes to a rank once.
rank_traffic traffic_of_panels(const product_sizes& s) noexcept
{
    rank_traffic t;
    const auto add = [&](double bytes, unsigned share, unsigned way) {
        if (way == 1) return;
        t.messages += static_cast<double>(s.panels);
        t.bytes += bytes / share / way * (way - 1);
    };
    add(s.left, s.rows, s.cols);
    add(s.right, s.cols, s.rows);
    return t;
}

bool is_for_panels(const product_sizes& s, const std::optional<message_cost>& network) noexcept
{
    if (s.right >= s.least_memory * most_of_memory) return true;
    if (s.in_lines) return false;
    const rank_traffic copies = traffic_of_copies(s), panels = traffic_of_panels(s);
    if (network) return us_of(*network, panels) < us_of(*network, copies);
    if (panels.bytes != copies.bytes) return panels.bytes < copies.bytes;
    return panels.messages < copies.messages;
}

} // namespace skelrt::detail
