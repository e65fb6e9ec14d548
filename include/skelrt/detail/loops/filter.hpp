// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../for_each.hpp"

/// The CPU side of filters: sequential loops over one block.
namespace skelrt::detail
{

/// An element, and whether the predicate keeps it.
template <class T>
struct selected {
    T value;
    bool keep;
};

/// A predicate as a node of an expression tree: gives its first operand back, too, which is evaluated once.
template <class Predicate>
struct with_element {
    template <class First, class... Rest>
    auto operator()(const First& first, const Rest&... rest) const
    {
        if constexpr (index_of<Predicate>() == index_use::none)
            return selected<First>{first, static_cast<bool>(Predicate{}(first, rest...))};
        else return of_second(first, rest...);
    }

private:
    template <class Index, class First, class... Rest>
    static auto of_second(const Index& i, const First& first, const Rest&... rest)
    {
        return selected<First>{first, static_cast<bool>(Predicate{}(i, first, rest...))};
    }
};
template <class Predicate>
struct signature<with_element<Predicate>> : signature<Predicate> {
};

/// The same in two steps, for the CPU's loops: compilers do not take the struct apart, and would not vectorise.
template <class N>
struct selection;
template <class Predicate, class First, class... Rest>
struct selection<map_expression<with_element<Predicate>, First, Rest...>> {
    using first = First;
    using value = typename First::value;

    template <class Reader>
    static bool keeps(const value& first, const Reader& read, const position& at)
    {
        return call(first, read, at, std::index_sequence_for<Rest...>{});
    }

private:
    /// Leaves in front of those of the K-th of the rest.
    template <std::size_t K>
    static constexpr std::size_t leaves_before()
    {
        constexpr std::array<std::size_t, sizeof...(Rest) + 1> counts{leaf_count<Rest>::value..., 0};
        std::size_t n = leaf_count<First>::value;
        for (std::size_t i = 0; i < K; ++i) n += counts[i];
        return n;
    }

    template <class Reader, std::size_t... K>
    static bool call(const value& first, const Reader& read, const position& at, std::index_sequence<K...>)
    {
        constexpr index_use index = index_of<Predicate>();
        static_cast<void>(read);
        if constexpr (index == index_use::none)
            return static_cast<bool>(Predicate{}(first, evaluate<Rest, leaves_before<K>()>(read, at)...));
        else
            return static_cast<bool>(
                Predicate{}(index_at<index>(at), first, evaluate<Rest, leaves_before<K>()>(read, at)...));
    }
};

template <class N>
struct selection<with_checks<N>> {
    using first = with_checks<typename selection<N>::first>;
    using value = typename first::value;

    template <class Reader>
    [[gnu::noinline]] static bool keeps(const value& v, const Reader& read, const position& at)
    {
        enter_position(at.row, at.col0 + at.c, at.width);
        const bool kept = selection<N>::keeps(v, read, at);
        leave_position();
        return kept;
    }
};

/// Hands the elements of the block on, some at a time, with what the predicate says: see(values, keep, count). They are
/// evaluated by the vectoriser.
template <class N, bool Linear, class See>
void select_rows(const cpu_block& b, const segment& s, const See& see)
{
    using T = typename selection<N>::value;
    constexpr std::size_t some = sizeof(T) <= 32 ? 512 : 16;
    alignas(64) alignas(T) std::byte room[some * sizeof(T)]; // T may have no default constructor
    T* const value = reinterpret_cast<T*>(room);
    unsigned char keep[some];
    std::exception_ptr what;
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<N, Linear> read(b.slots, r);
        const index_widths width = b.width;
        const std::size_t row = s.row0 + r, col0 = s.col0, n = s.cols;
        for (std::size_t c = 0; c < n; c += some) {
            const std::size_t here = n - c < some ? n - c : some;
#pragma omp simd
            for (std::size_t i = 0; i < here; ++i)
                guarded(what, [&] {
                    const position at{row, col0, width, c + i};
                    const T first = evaluate<typename selection<N>::first, 0>(read, at);
                    value[i] = first;
                    keep[i] = selection<N>::keeps(first, read, at) ? 1 : 0;
                });
            rethrow(what);
            see(value, keep, here);
        }
    }
}

template <class N, class See>
void select_block(const cpu_block& b, const See& see)
{
    const segment s = joined<N>(b, false);
    if (is_linear<N>(b.slots, false)) select_rows<N, has_linear_loops<N>>(b, s, see);
    else select_rows<N, false>(b, s, see);
}

/// Whether none of `count` flags is set.
inline bool keeps_none(const unsigned char* keep, std::size_t count)
{
    unsigned char any = 0;
#pragma omp simd reduction(| : any)
    for (std::size_t i = 0; i < count; ++i) any = static_cast<unsigned char>(any | keep[i]);
    return any == 0;
}

/// Writes the kept elements of the block; returns how many. They are copied without a branch that nobody could guess:
/// what is not kept is overwritten by the next. Where none is kept, none is copied.
template <class N>
std::size_t filter_block(const cpu_block& b, void* results)
{
    using T = typename selection<N>::value;
    auto* const to = static_cast<T*>(results);
    std::size_t kept = 0;
    select_block<N>(b, [&](const T* value, const unsigned char* keep, std::size_t n) {
        if (keeps_none(keep, n)) return;
        for (std::size_t i = 0; i < n; ++i) {
            to[kept] = value[i];
            kept += keep[i];
        }
    });
    return kept;
}

/// The same, with the other elements at `rest`.
template <class N>
std::size_t partition_block(const cpu_block& b, void* results, void* rest)
{
    using T = typename selection<N>::value;
    auto *const to = static_cast<T*>(results), *const others = static_cast<T*>(rest);
    std::size_t kept = 0, left = 0;
    select_block<N>(b, [&](const T* value, const unsigned char* keep, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            to[kept] = value[i];
            others[left] = value[i];
            kept += keep[i];
            left += 1u - keep[i];
        }
    });
    return kept;
}

template <class N>
std::size_t count_kept_in_block(const cpu_block& b)
{
    using T = typename selection<N>::value;
    std::size_t kept = 0;
    select_block<N>(b, [&](const T*, const unsigned char* keep, std::size_t n) {
        unsigned of_some = 0;
#pragma omp simd reduction(+ : of_some)
        for (std::size_t i = 0; i < n; ++i) of_some += keep[i];
        kept += of_some;
    });
    return kept;
}

/// What becomes of the elements that a predicate is not true for.
enum class left_out { dropped, behind };

template <class N, left_out Others>
void describe_filter(cpu_functions& to)
{
    to.filter = &filter_block<N>;
    to.probe = &probe_block<N>;
    if constexpr (Others == left_out::behind) {
        to.count_kept = &count_kept_in_block<N>;
        to.partition = &partition_block<N>;
    }
    if constexpr (makes_indices<N>)
        if (checks_bounds()) {
            using checked = with_checks<N>;
            to.filter = in_checked_call<&filter_block<checked>>;
            to.probe = in_checked_call<&probe_block<checked>>;
            if constexpr (Others == left_out::behind) {
                to.count_kept = in_checked_call<&count_kept_in_block<checked>>;
                to.partition = in_checked_call<&partition_block<checked>>;
            }
        }
}

} // namespace skelrt::detail
