// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../expression.hpp"

#include <cstddef>
#include <type_traits>

/// Stencils whose functions loop over what their hoods see as far as an argument says. Compilers vectorise the loop
/// over positions only where they know how often the loops in it go round, and how far apart the rows are that these
/// read. So for some counts the positions' loop is there once more, in which all that are constants.
namespace skelrt::detail
{

/// The counts for which there is a loop: 1 to this. g++ unrolls no loop of more than 16 rounds.
inline constexpr unsigned most_known_count = 7;
/// Loops for larger ones need to know the rows' distance.
inline constexpr unsigned far_count = 2;
/// That distance. A dozen such rows lie in a core's first cache, and begin in different sets of it.
inline constexpr std::size_t known_pitch = 288;

template <class L>
inline constexpr bool is_whole_number = false;
template <class T>
inline constexpr bool is_whole_number<uniform_leaf<T>> = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class L>
inline constexpr bool is_plain_hood2 = false;
template <class T, class Source>
inline constexpr bool is_plain_hood2<hood_leaf<T, 2, Source>> = true;

/// Where a list's first whole number, first matrix, and the first leaf that is neither a hood of two dimensions nor
/// without one are; the list's size: there is none.
template <class List>
struct counting_leaves {
    static constexpr bool any_hood2 = false;
};
template <class... L>
struct counting_leaves<type_list<L...>> {
    static constexpr std::size_t size = sizeof...(L);
    static constexpr std::size_t first_of(const bool (&is)[size + 1])
    {
        std::size_t k = 0;
        while (k < size && !is[k]) ++k;
        return k;
    }
    static constexpr bool hoods[] = {is_plain_hood2<L>..., false};
    static constexpr std::size_t number = first_of({is_whole_number<L>..., false});
    static constexpr std::size_t matrix = first_of({(L::kind == slot_kind::mat)..., false});
    static constexpr bool any_hood2 = (is_plain_hood2<L> || ...);
    static constexpr bool other_hoods = ((sees_hood(L::kind) && !is_plain_hood2<L>) || ...);
};

/// Whether a tree has loops for known counts: its functions see hoods of two dimensions, and an integer or a matrix.
template <class N>
inline constexpr bool has_known_counts = false;
template <class N>
    requires(has_hoods<N>&& counting_leaves<leaves_of<N>>::any_hood2 && !counting_leaves<leaves_of<N>>::other_hoods)
inline constexpr bool has_known_counts<N> = counting_leaves<leaves_of<N>>::number < leaf_count<N>::value ||
                                            counting_leaves<leaves_of<N>>::matrix < leaf_count<N>::value;

/// Whether a matrix is one of weights for hoods that reach `count` far, without gaps.
inline bool has_weights_for(const slot_view& s, std::size_t count)
{
    return s.rows == 2 * count + 1 && s.cols == s.rows && s.ld == s.cols;
}

/// The count of a call, if there is a loop for it; else 0. It is the first whole number, or else that of the weights;
/// where there are both, they agree.
template <class N>
unsigned known_count(const slot_view* slots)
{
    using at = counting_leaves<leaves_of<N>>;
    std::size_t n = 0;
    if constexpr (at::number < at::size) {
        using T = typename nth<at::number, leaves_of<N>>::type::value;
        const T value = *static_cast<const T*>(slots[at::number].data);
        if (value > T{0} && value <= T{most_known_count}) n = static_cast<std::size_t>(value);
    } else {
        n = slots[at::matrix].cols / 2;
    }
    if constexpr (at::matrix < at::size)
        if (!has_weights_for(slots[at::matrix], n)) return 0;
    return n <= most_known_count ? static_cast<unsigned>(n) : 0;
}

/// Whether the rows of all hoods are known_pitch apart.
template <class N>
bool is_pitched(const slot_view* slots)
{
    using at = counting_leaves<leaves_of<N>>;
    for (std::size_t k = 0; k < at::size; ++k)
        if (at::hoods[k] && slots[k].ld != known_pitch) return false;
    return true;
}

/// For a recipe's cpu_functions.
template <class N>
std::size_t wanted_pitch(const slot_view* slots)
{
    return known_count<N>(slots) > far_count ? known_pitch : 0;
}

/// What a tree reads where the count is known, and, of a far one, the distance of the rows.
template <class N, class Reader, unsigned Count>
struct known_reader {
    using places = counting_leaves<leaves_of<N>>;
    static constexpr bool checked = Reader::checked;
    const Reader& inner;

    template <std::size_t I>
    decltype(auto) get(std::size_t col) const
    {
        if constexpr (I == places::number || I == places::matrix || (places::hoods[I] && Count > far_count))
            return known(inner.template get<I>(col));
        else return inner.template get<I>(col);
    }

private:
    static constexpr std::size_t width = 2 * Count + 1;
    template <class T>
    static mat<T> known(const mat<T>& weights)
    {
        return mat<T>(weights.data(), width, width, width);
    }
    template <class T>
    static hood2<T> known(const hood2<T>& u)
    {
        return hood2<T>(&u(0, 0), known_pitch);
    }
    template <class T>
    static T known(const T&)
    {
        return static_cast<T>(Count);
    }
};

} // namespace skelrt::detail
