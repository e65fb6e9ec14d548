// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/layout/layout.hpp"

#include "src/model/knowledge.hpp"
#include "src/runtime/running.hpp"

#include <algorithm>

/// How many bytes of a call's operands are missing where, and which of them are paid for.
namespace skelrt::detail
{

namespace
{

double bytes_of(const managed_state& m, std::size_t tile)
{
    return static_cast<double>(m.tile_size(tile) * m.owner->element_size);
}

/// The time of a tile's copy to the device over that of its copy from the host, both as they were measured: another
/// device may be nearer, or two links away.
double way_to(const target& t, const managed_state& m, std::size_t tile)
{
    double best = m.is_at(tile, STARPU_MAIN_RAM) ? t.to_device : 0;
    for (unsigned node = 0; node < t.from_node.size(); ++node)
        if (m.is_at(tile, node)) best = std::max(best, t.from_node[node]);
    return best > 0 ? t.to_device / best : 1;
}

} // namespace

/// visit(tile, first segment in it, end of these, of what the call sees there the part that StarPU moves): it moves
/// whole tiles, however little of them a call sees. What a call writes a part of has to be there, too.
template <class Visit>
void layout::for_each_tile_wanted(const axis_operand& a, Visit visit) const
{
    for (std::size_t first = 0, end = 0; first < state_.segments.size(); first = end) {
        const std::size_t tile = tile_of(a, first);
        double seen = 0;
        for (; end < state_.segments.size() && tile_of(a, end) == tile; ++end) seen += segment_bytes(a, end);
        const double all = bytes_of(*a.data, tile);
        if (a.read || seen < all) visit(tile, first, end, seen > 0 ? std::max(all / seen, 1.0) : 1.0);
    }
}

template <class Part>
std::vector<double> layout::absent(const std::vector<const target*>& targets, Part part) const
{
    std::vector<double> bytes(state_.segments.size() * targets.size(), 0);
    for (const axis_operand& a : axis_)
        for_each_tile_wanted(a, [&](std::size_t tile, std::size_t first, std::size_t end, double moved) {
            for (std::size_t d = 0; d < targets.size(); ++d) {
                const target& t = *targets[d];
                if (a.data->is_at(tile, t.node)) continue;
                const double each = part(*a.data, tile, t.node) * way_to(t, *a.data, tile) * moved;
                for (std::size_t s = first; s < end; ++s) bytes[s * targets.size() + d] += each * segment_bytes(a, s);
            }
        });
    return bytes;
}

std::vector<double> layout::missing_bytes(const std::vector<const target*>& targets) const
{
    return absent(targets, [](const managed_state&, std::size_t, unsigned) { return 1.0; });
}

std::vector<double> layout::due_bytes(const std::vector<const target*>& targets) const
{
    return absent(targets,
                  [](const managed_state& m, std::size_t tile, unsigned node) { return 1 - m.moves.paid(tile, node); });
}

double layout::bytes_to_copy(const target& t) const
{
    double bytes = 0;
    for (auto a = axis_.begin(); a != axis_.end(); ++a) {
        const auto same = [&](const axis_operand& o) { return o.read && o.data == a->data; };
        if (!a->read || std::any_of(axis_.begin(), a, same)) continue;
        for_each_tile_wanted(*a, [&](std::size_t tile, std::size_t, std::size_t, double) {
            if (!a->data->is_at(tile, t.node) && a->data->is_at(tile, STARPU_MAIN_RAM))
                bytes += bytes_of(*a->data, tile);
        });
    }
    return bytes;
}

std::vector<double> layout::new_bytes(const std::vector<const target*>& targets, std::uint64_t episode) const
{
    return absent(targets,
                  [&](const managed_state& m, std::size_t, unsigned) { return m.episode == episode ? 0.0 : 1.0; });
}

template <class Part>
double layout::absent_whole(const target& t, Part part) const
{
    double bytes = 0;
    for (const whole_operand& w : whole_operands())
        for (std::size_t i = w.first; i < w.end; ++i)
            if (!w.data->is_at(i, t.node)) bytes += part(*w.data, i) * way_to(t, *w.data, i) * bytes_of(*w.data, i);
    return bytes;
}

double layout::missing_whole_bytes(const target& t) const
{
    return absent_whole(t, [](const managed_state&, std::size_t) { return 1.0; });
}

double layout::due_whole_bytes(const target& t) const
{
    return absent_whole(t, [&](const managed_state& m, std::size_t tile) { return 1 - m.moves.paid(tile, t.node); });
}

double layout::new_whole_bytes(const target& t, std::uint64_t episode) const
{
    return absent_whole(t, [&](const managed_state& m, std::size_t) { return m.episode == episode ? 0.0 : 1.0; });
}

std::vector<double> layout::home_bytes() const
{
    // What follows on results that stayed where they were is likely to stay, too. Until somebody knows, results are as
    // likely wanted where their operands are: what a GPU then pays for their way home, the cores would pay for their
    // way to it.
    std::size_t stayed = 0;
    bool reads = false;
    for (const axis_operand& a : axis_) {
        if (!a.read) continue;
        reads = true;
        if (a.data->producer != a.data->nobody) stayed = std::max(stayed, a.data->run.calls);
    }
    const std::uint32_t id = state_.what().id;
    const double likely = usage_of_results().goes_home(id, reads ? 0 : 0.5) / static_cast<double>(1 + stayed);
    std::vector<double> bytes(state_.segments.size(), 0);
    for (std::size_t s = 0; s < bytes.size(); ++s)
        for (const axis_operand& a : axis_)
            if (a.written) bytes[s] += likely * segment_bytes(a, s);
    for (const whole_operand& w : whole_operands())
        for (std::size_t i = w.first; i < w.end && w.added_to && !bytes.empty(); ++i)
            bytes.front() += likely * bytes_of(*w.data, i);
    return bytes;
}

bool layout::results_go_home() const
{
    constexpr double certain = 0.8;
    return usage_of_results().goes_home(state_.what().id) > certain;
}

void layout::note_lost(const target& t, double lost_us, double copy_us)
{
    if (!(lost_us > 0) || !(copy_us > 0)) return;
    const double part = lost_us / copy_us;
    const auto pay = [&](managed_state& m, std::size_t tile) {
        if (!m.is_at(tile, t.node)) m.moves.pay(tile, t.node, part);
    };
    for (const axis_operand& a : axis_) {
        if (!a.read) continue;
        for (std::size_t s = 0, last = ~std::size_t{0}; s < state_.segments.size(); ++s)
            if (const std::size_t tile = tile_of(a, s); tile != last) pay(*a.data, last = tile);
    }
    for (const whole_operand& w : whole_operands())
        for (std::size_t i = w.first; i < w.end; ++i) pay(*w.data, i);
}

} // namespace skelrt::detail
