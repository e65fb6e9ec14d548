// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune_choices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::tool
{

namespace
{

bool is_split(const choice& c) { return c.shares.size() > 1; }

/// By which a choice is better than the best of all that are no splits, over all codelets and sizes where it is.
double gain_us(std::size_t number, const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices)
{
    double gain = 0;
    for (const tuned_codelet& t : tuned)
        for (const tuned_range& r : t.ranges) {
            if (r.all_us[number] <= 0) continue;
            double others = 0;
            for (std::size_t k = 0; k < choices.size(); ++k)
                if (!is_split(choices[k]) && r.all_us[k] > 0 && (others == 0 || r.all_us[k] < others))
                    others = r.all_us[k];
            gain += std::max(others - r.all_us[number], 0.0);
        }
    return gain;
}

} // namespace

std::vector<choice> choices_for(const std::vector<device_info>& devices)
{
    std::vector<choice> all{{"automatic", {}}};
    const auto name = [](const device_info& d) { return detail::device_text({d.kind, 1, d.number}); };
    bool cpu = false;
    for (const device_info& d : devices) {
        all.push_back({name(d), {{d.kind, 1, d.number}}});
        cpu = cpu || d.kind == device::cpu;
    }
    for (const device_info& d : devices) {
        if (d.kind == device::cpu) {
            for (unsigned threads : {d.cores / 2, d.cores / 4}) // work that waits for memory needs no more
                if (threads > 0)
                    all.push_back({fmt::format("{} with {} thread{}", name(d), threads, threads == 1 ? "" : "s"),
                                   {{d.kind, 1, 0, 0, threads}}});
            continue;
        }
        all.push_back({name(d) + " in 8 pieces", {{d.kind, 1, d.number, 8}}});
        for (unsigned block : {64, 128, 256, 512, 1024})
            all.push_back({fmt::format("{} in blocks of {}", name(d), block), {{d.kind, 1, d.number, 0, 0, block}}});
        for (double part : {0.9, 0.7, 0.4})
            if (cpu)
                all.push_back({fmt::format("{} {:.0f} %, cpu {:.0f} %", name(d), 100 * part, 100 * (1 - part)),
                               {{d.kind, part, d.number}, {device::cpu, 1 - part}}});
    }
    return all;
}

std::vector<choice> pieces_of_best_split(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices)
{
    const choice* best = nullptr;
    double most = 0;
    for (std::size_t k = 0; k < choices.size(); ++k)
        if (const double gain = is_split(choices[k]) ? gain_us(k, tuned, choices) : 0; gain > most)
            best = &choices[k], most = gain;
    std::vector<choice> all;
    if (!best) return all;
    for (unsigned pieces : {1, 4, 16}) {
        choice c{fmt::format("{}, in {} piece{}", best->name, pieces, pieces == 1 ? "" : "s"), best->shares};
        for (plan_share& s : c.shares)
            if (s.kind != device::cpu) s.pieces = pieces;
        all.push_back(std::move(c));
    }
    return all;
}

} // namespace skelrt::tool
