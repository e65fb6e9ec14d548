// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "folds.hpp"
#include "zeros.hpp"

#include <array>
#include <cstdint>

/// Equal bins: which one an element is in, on the host and, as text, on devices, in the same arithmetic; and the CPU's
/// loop.
namespace skelrt::detail
{

/// More bins would not be counted with 32-bit numbers of bins.
inline constexpr std::size_t most_bins = std::size_t{1} << 30;

/// Of floating-point numbers: (x - low) * scale, rounded down.
template <class F>
struct float_bins {
    F low, high, scale;
    std::uint32_t count;
    using uniforms = type_list<F, F, F>;
    static constexpr const char* text =
        "(auto x, auto low, auto high, auto scale, auto counts) { if (x >= low && x < high) "
        "{ const unsigned b = (unsigned)((x - low) * scale); counts.add(b < counts.size() "
        "? b : counts.size() - 1, 1); } }";

    float_bins(F from, F to, F s, std::uint32_t n) : low(from), high(to), scale(s), count(n) {}
    float_bins(const slot_view* u, std::uint32_t n) : float_bins(at(u, 0), at(u, 1), at(u, 2), n) {}
    std::tuple<F, F, F> values() const { return {low, high, scale}; }

    /// `count` for elements that no bin has, NaN among them.
    template <class T>
    std::uint32_t operator()(T v) const noexcept
    {
        const F x = static_cast<F>(v);
        const bool inside = x >= low && x < high;
        const auto b = static_cast<std::int32_t>(inside ? (x - low) * scale : F{0});
        const auto last = static_cast<std::int32_t>(count - 1); // where (x - low) * scale is rounded up
        return inside ? static_cast<std::uint32_t>(b < last ? b : last) : count;
    }

private:
    static F at(const slot_view* u, std::size_t k) { return *static_cast<const F*>(u[k].data); }
};

/// Of integers in a range of at most 2^32 values: d * bins / range, exactly, where d = x - low. `whole` is bins / range
/// and `part` the rest's, in units of 2^-64 and rounded up, which makes up for less than 1 / range as d < 2^32.
struct integer_bins {
    std::int64_t low;
    std::uint64_t range, whole, part;
    std::uint32_t count;
    using uniforms = type_list<std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
    static constexpr const char* text =
        "(auto x, auto low, auto range, auto whole, auto part, auto counts) { const size_t d = (size_t)x - "
        "(size_t)low; "
        "if (d < range) counts.add(d * whole + ((d * (part >> 32) + (d * (part & 0xffffffff) >> 32)) >> 32), 1); }";

    integer_bins(std::int64_t from, std::uint64_t r, std::uint64_t w, std::uint64_t p, std::uint32_t n)
        : low(from), range(r), whole(w), part(p), count(n)
    {
    }
    integer_bins(const slot_view* u, std::uint32_t n)
        : integer_bins(*static_cast<const std::int64_t*>(u[0].data), at(u, 1), at(u, 2), at(u, 3), n)
    {
    }
    std::tuple<std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t> values() const
    {
        return {low, range, whole, part};
    }

    template <class T>
    std::uint32_t operator()(T x) const noexcept
    {
        const std::uint64_t d = static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(low);
        const std::uint64_t b = d * whole + ((d * (part >> 32) + (d * (part & 0xffffffff) >> 32)) >> 32);
        return d < range ? static_cast<std::uint32_t>(b) : count;
    }

private:
    static std::uint64_t at(const slot_view* u, std::size_t k) { return *static_cast<const std::uint64_t*>(u[k].data); }
};

/// Of integers in a larger range, with a division; range * bins < 2^64.
struct wide_integer_bins {
    std::int64_t low;
    std::uint64_t range, bins;
    std::uint32_t count;
    using uniforms = type_list<std::int64_t, std::uint64_t, std::uint64_t>;
    static constexpr const char* text =
        "(auto x, auto low, auto range, auto bins, auto counts) { const size_t d = (size_t)x - (size_t)low; "
        "if (d < range) counts.add(d * bins / range, 1); }";

    wide_integer_bins(std::int64_t from, std::uint64_t r, std::uint32_t n) : low(from), range(r), bins(n), count(n) {}
    wide_integer_bins(const slot_view* u, std::uint32_t n)
        : wide_integer_bins(*static_cast<const std::int64_t*>(u[0].data), *static_cast<const std::uint64_t*>(u[1].data),
                            n)
    {
    }
    std::tuple<std::int64_t, std::uint64_t, std::uint64_t> values() const { return {low, range, bins}; }

    template <class T>
    std::uint32_t operator()(T x) const noexcept
    {
        const std::uint64_t d = static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(low);
        return d < range ? static_cast<std::uint32_t>(d * bins / range) : count;
    }
};

/// One more at bin b each time. Neighbours that are in the same bin would wait for each other's sums: where bins are
/// few, they count in copies, which also have a bin for elements outside.
template <class Count>
class bin_counts
{
public:
    bin_counts(Count* to, std::uint32_t bins, std::size_t elements)
        : to_(to), bins_(bins), copies_(bins <= few && elements >= 4 * ways * bins ? ways * (bins + std::size_t{1}) : 0)
    {
    }

    template <class Index>
    void add(const Index* b, std::size_t n) noexcept
    {
        if (!copies_) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i] < bins_) ++to_[b[i]];
            return;
        }
        std::uint32_t* const c = copies_.get();
        const std::size_t step = bins_ + std::size_t{1};
        std::size_t i = 0;
        for (; i + ways <= n; i += ways)
            for (std::size_t k = 0; k < ways; ++k) ++c[k * step + b[i + k]];
        for (; i < n; ++i) ++c[b[i]];
        since_ += n;
        if (since_ > most) flush();
    }

    void flush() noexcept
    {
        if (!copies_) return;
        const std::size_t step = bins_ + std::size_t{1};
        for (std::size_t k = 0; k < ways; ++k)
            for (std::size_t i = 0; i < bins_; ++i) to_[i] += copies_.get()[k * step + i];
        std::fill_n(copies_.get(), ways * step, 0u);
        since_ = 0;
    }

private:
    static constexpr std::size_t few = 1024, ways = 4, most = std::size_t{1} << 30;
    Count* to_;
    std::uint32_t bins_;
    zeros<std::uint32_t> copies_;
    std::size_t since_ = 0;
};

/// Elements of one byte have few values: they are counted by value, and each value's bin is asked for once.
template <class X>
inline constexpr bool has_few_values = std::is_integral_v<typename X::value> && sizeof(typename X::value) == 1;
inline constexpr std::size_t byte_values = 256;

template <class X, class Bins, class Count, bool Linear>
void count_byte_values(const cpu_block& b, const segment& s, const Bins& bins, Count* acc)
{
    std::array<Count, byte_values> seen{};
    bin_counts<Count> counts(seen.data(), byte_values, s.rows * s.cols);
    std::exception_ptr what;
    std::array<std::uint8_t, 512> some;
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<X, Linear> read(b.slots, r);
        const auto value = row_values<X, typename X::value>(read, {s.row0 + r, s.col0, b.width, 0}, what);
        for (std::size_t c = 0; c < s.cols; c += some.size()) {
            const std::size_t here = std::min(some.size(), s.cols - c);
#pragma omp simd
            for (std::size_t i = 0; i < here; ++i) some[i] = static_cast<std::uint8_t>(value(c + i));
            rethrow(what);
            counts.add(some.data(), here);
        }
    }
    counts.flush();
    for (std::size_t v = 0; v < byte_values; ++v) {
        const std::uint32_t bin = bins(static_cast<typename X::value>(v));
        if (bin < bins.count) acc[bin] += seen[v];
    }
}

/// Adds the block to the counts; these begin as zeros unless `started`. N: the whole call, whose first operands are
/// those of X, then the uniforms of the bins, then the counts.
template <class N, class X, class Bins, class Count, bool Linear>
void count_rows(const cpu_block& b, const segment& s, Count* acc)
{
    constexpr std::size_t inputs = leaf_count<X>::value;
    const auto n = static_cast<std::uint32_t>(b.slots[leaf_count<N>::value - 1].cols);
    const Bins bins(b.slots + inputs, n);
    if constexpr (has_few_values<X>)
        if (s.rows * s.cols >= 4 * byte_values) return count_byte_values<X, Bins, Count, Linear>(b, s, bins, acc);
    bin_counts<Count> counts(acc, n, s.rows * s.cols);
    std::exception_ptr what;
    std::array<std::uint32_t, 512> bin;
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<X, Linear> read(b.slots, r);
        const position at{s.row0 + r, s.col0, b.width, 0};
        const auto value = row_values<X, typename X::value>(read, at, what);
        for (std::size_t c = 0; c < s.cols; c += bin.size()) {
            const std::size_t here = std::min(bin.size(), s.cols - c);
#pragma omp simd
            for (std::size_t i = 0; i < here; ++i) bin[i] = bins(value(c + i));
            rethrow(what);
            counts.add(bin.data(), here);
        }
    }
    counts.flush();
}

template <class N, class X, class Bins, class Count>
void count_block(const cpu_block& b, void* acc, bool started)
{
    auto* const counts = static_cast<Count*>(acc ? acc : b.slots[leaf_count<N>::value - 1].data);
    if (!started) std::fill_n(counts, b.slots[leaf_count<N>::value - 1].cols, Count{0});
    const segment s = joined<X>(b, false);
    if (is_linear<X>(b.slots, false)) count_rows<N, X, Bins, Count, true>(b, s, counts);
    else count_rows<N, X, Bins, Count, false>(b, s, counts);
}

} // namespace skelrt::detail
