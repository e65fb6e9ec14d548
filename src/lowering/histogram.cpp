// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/error.hpp>
#include <skelrt/histogram.hpp>

#include <fmt/format.h>

#include <cmath>

/// The bins of sk::histogram: what may be asked for, and the numbers that its function gets.
namespace skelrt::detail
{

namespace
{

std::string asked(const histogram_request& r)
{
    return fmt::format("sk::histogram of {} elements with {} bins from {} to {}", r.elements, r.bins, r.low, r.high);
}

template <class F>
float_bins<F> equal_bins(const histogram_request& r, F low, F high)
{
    if (!std::isfinite(low) || !std::isfinite(high)) throw error(asked(r) + ": the bounds must be finite numbers");
    const F range = high - low, scale = static_cast<F>(static_cast<double>(r.bins) / static_cast<double>(range));
    if (!std::isfinite(range) || !std::isfinite(scale) || scale == 0)
        throw error(fmt::format("{}: {} cannot count so {} bins; scale the elements by a map call first", asked(r),
                                sizeof(F) == 4 ? "a float" : "a double", std::isfinite(range) ? "narrow" : "wide"));
    return {low, high, scale, static_cast<std::uint32_t>(r.bins)};
}

} // namespace

const recipe& histogram_recipe()
{
    static const recipe& r = []() -> recipe& {
        auto& named = *new recipe;
        named.name = "histogram";
        return named;
    }();
    return r;
}

void check_histogram(const histogram_request& r, bool ordered, std::uint64_t most_of_a_bin)
{
    if (r.bins == 0) throw error(asked(r) + ": there must be at least one bin");
    if (r.bins > most_bins) throw error(fmt::format("{}: there may be at most {} bins", asked(r), most_bins));
    if (!ordered) throw error(asked(r) + ": the lower bound must be below the upper one");
    if (r.elements > most_of_a_bin)
        throw error(asked(r) + ": a count could overflow; write sk::histogram<unsigned long>(...)");
}

void throw_bound(const histogram_request& r)
{
    throw error(asked(r) + ": a bound lies outside the range of the elements' integers; 64-bit unsigned elements "
                           "have no bound below 0, all others none beyond a long's");
}

float_bins<float> bins_between(const histogram_request& r, float low, float high) { return equal_bins(r, low, high); }
float_bins<double> bins_between(const histogram_request& r, double low, double high)
{
    return equal_bins(r, low, high);
}

integer_bins integer_bins_from(const histogram_request& r, std::int64_t low, std::uint64_t range)
{
    __extension__ using wide = unsigned __int128;
    const std::uint64_t rest = r.bins % range;
    const auto part = static_cast<std::uint64_t>(((wide{rest} << 64) + range - 1) / range);
    return {low, range, r.bins / range, part, static_cast<std::uint32_t>(r.bins)};
}

wide_integer_bins wide_integer_bins_from(const histogram_request& r, std::int64_t low, std::uint64_t range)
{
    if (range > ~std::uint64_t{0} / r.bins)
        throw error(asked(r) + ": bins times range exceeds 64 bits; use fewer bins, or floating-point bounds");
    return {low, range, static_cast<std::uint32_t>(r.bins)};
}

} // namespace skelrt::detail
