// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/survey.hpp"

#include "src/model/times/history.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

namespace skelrt::tool
{

namespace
{

/// What was seen at one place.
struct sighting {
    std::string codelet;
    std::vector<std::vector<double>> us; ///< by choice
    std::vector<bool> refused;           ///< by choice
};

/// The median; of the first call, too, only if there is no other: it builds kernels and makes memory.
double typical(std::vector<double> times)
{
    if (times.empty()) return 0;
    if (times.size() > 1) times.erase(times.begin());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

place place_from(std::uint64_t key, int order, const sighting& seen)
{
    const std::size_t from = std::size_t{1} << (order - 1);
    place p{key, seen.codelet, from, from - 1 + from, seen.us[0].size(), 0, {}};
    for (std::size_t k = 0; k < seen.us.size(); ++k) p.us.push_back(seen.refused[k] ? 0 : typical(seen.us[k]));
    return p;
}

} // namespace

std::vector<surveyed_call> read_survey(const std::string& text, std::size_t choice)
{
    std::vector<surveyed_call> calls;
    std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string key;
        int obeyed = 0;
        surveyed_call c{0, "", 0, 0, choice, false};
        if (!(fields >> key >> c.elements >> c.us >> obeyed) || c.elements == 0) continue;
        fields.get(); // the blank
        std::getline(fields, c.codelet);
        c.key = detail::key_from_text(key);
        c.obeyed = obeyed != 0;
        calls.push_back(std::move(c));
    }
    return calls;
}

std::vector<place> places_of(const std::vector<surveyed_call>& calls, std::size_t choices, double least_share)
{
    std::map<std::pair<std::uint64_t, int>, sighting> seen;
    for (const surveyed_call& c : calls) {
        sighting& s = seen[{c.key, std::bit_width(c.elements)}];
        s.codelet = c.codelet;
        s.us.resize(choices);
        s.refused.resize(choices);
        s.us[c.choice].push_back(c.us);
        if (c.choice != 0 && !c.obeyed) s.refused[c.choice] = true;
    }
    std::vector<place> all;
    double seconds = 0;
    for (const auto& [where, s] : seen) {
        all.push_back(place_from(where.first, where.second, s));
        seconds += all.back().seconds(0);
    }
    for (place& p : all) p.share = seconds > 0 ? p.seconds(0) / seconds : 0;
    std::erase_if(all, [&](const place& p) { return p.share < least_share; });
    std::ranges::stable_sort(all, std::ranges::greater{}, &place::share);
    return all;
}

} // namespace skelrt::tool
