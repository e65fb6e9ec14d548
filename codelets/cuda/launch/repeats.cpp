// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/repeats.hpp"

#include <algorithm>

namespace skelrt::detail::cuda
{

namespace
{

constexpr std::size_t shortest = 4; ///< launches that are worth a sequence
constexpr std::size_t most_sighted =
    512; ///< sequences that are counted: a program whose launches never repeat fills no memory

std::uint64_t hash_of(std::span<const std::uint64_t> launches)
{
    std::uint64_t hash = 0;
    for (const std::uint64_t l : launches) hash = known_sequences::behind(hash, l);
    return hash;
}

} // namespace

std::size_t period_of(std::span<const std::uint64_t> launches)
{
    const std::size_t n = launches.size();
    for (std::size_t p = 1; p <= n / 2; ++p)
        if (std::equal(launches.begin() + static_cast<std::ptrdiff_t>(p), launches.end(), launches.begin())) return p;
    return 0;
}

void known_sequences::add(std::span<const std::uint64_t> launches, int number)
{
    std::uint64_t beginning = 0;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        beginning = behind(beginning, launches[i]);
        step& s = steps_[beginning];
        s.known = true;
        if (i + 1 < launches.size()) s.goes_on = true;
        else s.complete = number;
    }
}

/// One, two, four periods, so that batches of all lengths share them; what has no period counts as a whole.
std::vector<sighted_sequences::part> sighted_sequences::see(std::span<const std::uint64_t> batch, unsigned often)
{
    std::vector<part> ready;
    if (batch.size() < shortest) return ready;
    if (times_.size() >= most_sighted) times_.clear();
    const std::size_t period = period_of(batch);
    const auto first = std::ranges::min_element(batch.first(period)) - batch.begin();
    const auto from_first = batch.subspan(static_cast<std::size_t>(first));
    bool enough = false; // of the shortest, and then of all
    for (std::size_t count = period > 0 ? period : batch.size(); count <= from_first.size(); count *= 2) {
        if (count < shortest) continue;
        unsigned& times = times_[hash_of(from_first.first(count))];
        const unsigned before = times;
        times += static_cast<unsigned>(from_first.size() / count);
        enough = enough || times >= often;
        if (enough) times = std::max(times, often);
        if (before < often && enough) ready.push_back({static_cast<std::size_t>(first), count});
    }
    return ready;
}

} // namespace skelrt::detail::cuda
