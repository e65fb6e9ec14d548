#include "src/model/outcome.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace skelrt::detail
{

namespace
{

constexpr double weight = 0.4;          ///< of the newest call
constexpr double least = 0.5, most = 8; ///< beyond, something else went on
constexpr double forgets = 0.995;       ///< per call that somebody else got
constexpr unsigned parties = shared_out + 1;

/// Of time over promise, its logarithm.
using outcomes = std::array<double, parties>;

std::mutex guard;

std::unordered_map<std::uint64_t, outcomes>& all()
{
    static auto& map = *new std::unordered_map<std::uint64_t, outcomes>; // workers may outlive static destructors
    return map;
}

/// Sizes within a factor of two are one.
std::uint64_t key_of(std::uint32_t recipe, std::size_t elements)
{
    return std::uint64_t{recipe} << 8 | static_cast<unsigned>(std::bit_width(elements));
}

} // namespace

double turned_out(std::uint32_t recipe, std::size_t elements, unsigned who) noexcept
{
    const std::lock_guard lock(guard);
    const auto it = all().find(key_of(recipe, elements));
    return it == all().end() ? 1 : std::exp(it->second[std::min(who, parties - 1)]);
}

void note_outcome(std::uint32_t recipe, std::size_t elements, unsigned who, double ratio) noexcept
{
    if (!(ratio > 0) || !std::isfinite(ratio)) return;
    const double now = std::log(std::clamp(ratio, least, most));
    const std::lock_guard lock(guard);
    outcomes& known = all()[key_of(recipe, elements)];
    for (unsigned k = 0; k < parties; ++k)
        if (k != who) known[k] *= forgets;
    double& mine = known[std::min(who, parties - 1)];
    mine = (1 - weight) * mine + weight * now; // the first may be a wild one, too
}

void forget_outcomes() noexcept
{
    const std::lock_guard lock(guard);
    all().clear();
}

} // namespace skelrt::detail
