// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/histogram.hpp"
#include "for_each.hpp"

#include <limits>
#include <utility>

namespace skelrt
{

namespace detail
{

/// What was asked for, for messages.
struct histogram_request {
    std::size_t elements, bins;
    double low, high;
};
SKELRT_API float_bins<float> bins_between(const histogram_request& r, float low, float high);
SKELRT_API float_bins<double> bins_between(const histogram_request& r, double low, double high);
/// `low` is the bits of a signed or an unsigned number.
SKELRT_API integer_bins integer_bins_from(const histogram_request& r, std::int64_t low, std::uint64_t range);
SKELRT_API wide_integer_bins wide_integer_bins_from(const histogram_request& r, std::int64_t low, std::uint64_t range);
SKELRT_API void check_histogram(const histogram_request& r, bool ordered, std::uint64_t most_of_a_bin);
[[noreturn]] SKELRT_API void throw_bound(const histogram_request& r);
/// For messages before there is a recipe.
SKELRT_API const recipe& histogram_recipe();

/// Stands for the function, which only devices call: the CPU has a loop of its own.
struct count_one {
    template <class... Args>
    void operator()(const Args&...) const
    {
    }
};

template <class X, class List, class Count>
struct histogram_node;
template <class X, class... U, class Count>
struct histogram_node<X, type_list<U...>, Count> {
    using type = map_expression<without_result<count_one>, X, uniform_leaf<U>..., accumulator_leaf<Count>>;
};

template <class N, class X, class Bins, class Count>
call_site& histogram_site(const N& node)
{
    static call_site& site = [](const N& n) -> call_site& {
        auto& s = describe_accumulate(n, "histogram");
        s.what.cpu.fold = &count_block<N, X, Bins, Count>;
        s.what.cpu.probe = [](const cpu_block& b) {
            const std::size_t bins = b.slots[leaf_count<N>::value - 1].cols;
            const zeros<Count> own(bins);
            if (own) count_block<N, X, Bins, Count>(b, own.get(), true);
        };
        if constexpr (makes_indices<X>)
            if (checks_bounds()) s.what.cpu.fold = in_checked_call<&count_block<N, with_checks<X>, Bins, Count>>;
        return s;
    }(node);
    return site;
}

template <class X, class Bins, class Count>
void run_histogram(const X& x, const extent& shape, const Bins& bins, const vector<Count>& to)
{
    if constexpr (is_call<X>)
        if (!fuses()) {
            return run_histogram(settled(x, shape), shape, bins, to);
        }
    using node = typename histogram_node<X, typename Bins::uniforms, Count>::type;
    const function_source source{Bins::text, __FILE__, __LINE__};
    const node e = std::apply(
        [&](const auto&... v) {
            return node(source, extent{}, x, uniform_leaf<std::remove_cvref_t<decltype(v)>>{v}...,
                        accumulator_leaf<Count>{to.storage(), 0, to.size()});
        },
        bins.values());
    run_accumulate_at(histogram_site<node, X, Bins, Count>(e), e, shape);
}

/// Integers: exact, whatever the bounds' types are.
template <class X, class Count, class Low, class High>
void integer_histogram(const X& x, const extent& shape, const histogram_request& r, Low low, High high,
                       const vector<Count>& to)
{
    using T = typename X::value;
    using bound = std::conditional_t<std::is_unsigned_v<T> && sizeof(T) == 8, std::uint64_t, std::int64_t>;
    if (!std::in_range<bound>(low) || !std::in_range<bound>(high)) throw_bound(r);
    const auto first = static_cast<std::uint64_t>(static_cast<bound>(low));
    const std::uint64_t range = static_cast<std::uint64_t>(static_cast<bound>(high)) - first;
    const auto from = static_cast<std::int64_t>(first);
    if (range <= std::uint64_t{1} << 32) run_histogram(x, shape, integer_bins_from(r, from, range), to);
    else run_histogram(x, shape, wide_integer_bins_from(r, from, range), to);
}

template <class Count, class X, class Low, class High>
vector<Count> make_histogram(const X& x, std::size_t bins, Low low, High high)
{
    using T = typename X::value;
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::histogram counts integers or floating-point numbers");
    extent shape;
    std::size_t argument = 0;
    join_extent(x, shape, argument, histogram_recipe());
    if (!shape.known()) throw_no_shape(histogram_recipe());
    const histogram_request r{shape.rows * shape.cols, bins, static_cast<double>(low), static_cast<double>(high)};
    if constexpr (std::is_integral_v<T> && std::is_integral_v<Low> && std::is_integral_v<High>) {
        check_histogram(r, std::cmp_less(+low, +high), std::numeric_limits<Count>::max());
        vector<Count> counts(bins, 0);
        integer_histogram(x, shape, r, +low, +high, counts);
        return counts;
    } else {
        using F = std::conditional_t<std::is_same_v<T, float>, float, double>;
        const F from = static_cast<F>(low), to = static_cast<F>(high);
        check_histogram(r, from < to, std::numeric_limits<Count>::max());
        const auto equal = bins_between(r, from, to);
        vector<Count> counts(bins, 0);
        run_histogram(x, shape, equal, counts);
        return counts;
    }
}

} // namespace detail

/// Counts the elements of x in `bins` equal bins between low and high: element i of the result is how many elements lie
/// in [low + i * width, low + (i + 1) * width), width = (high - low) / bins. As cub::DeviceHistogram::HistogramEven,
/// and as numpy.histogram but for its last bin, which is closed.
///
/// Low belongs to the first bin, high to none. Elements outside are not counted; NaN is outside.
/// x: a vector, matrix, tensor or view of any numbers, or a map call, which fuses. Integers with integer bounds are
/// counted exactly, the bounds of bins need not be whole numbers. Floats are computed in float, all others in double:
/// element x is in bin (x - low) * (bins / (high - low)), rounded down; which bin an element is in that lies within a
/// rounding error of a bound is the same on all devices. Count: unsigned, or unsigned long for more than 2^32 - 1
/// elements.
/// Asynchronous: the vector that it returns is waited for where it is read. O(size of x), and O(bins) for each core and
/// GPU that takes part; up to 12 288 bins of `unsigned` are counted in the shared memory of a CUDA device. Errors
/// (sk::error): no bins; low not below high; bounds that are not finite, or that the elements' type cannot count
/// between; more elements than a Count holds.
template <class Count = unsigned, class X, class Low, class High>
vector<Count> histogram(const X& x, std::size_t bins, Low low, High high)
{
    static_assert(std::is_unsigned_v<Count> && (sizeof(Count) == 4 || sizeof(Count) == 8),
                  "skelrt: sk::histogram counts in unsigned or unsigned long");
    static_assert(std::is_arithmetic_v<Low> && std::is_arithmetic_v<High>,
                  "skelrt: the bounds of sk::histogram are numbers");
    return detail::make_histogram<Count>(detail::fused_or_stored(x), bins, low, high);
}

} // namespace skelrt
