// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "folds.hpp"

/// The CPU's loops with the indices of user functions checked. A tree in with_checks<> goes through the same loops as
/// the tree itself; what its functions see knows its operand. Instantiated for functions that see more than elements,
/// and nowhere else; taken where SKELRT_CHECK says `bounds`.
namespace skelrt::detail
{

template <class List>
inline constexpr bool any_sees_more = false;
template <class... L>
inline constexpr bool any_sees_more<type_list<L...>> = (sees_more<typename L::value> || ...);

/// Whether a tree has functions that make indices.
template <class N>
inline constexpr bool makes_indices = any_sees_more<leaves_of<N>>;

/// Says for the calling thread that indices are made for a call of this recipe (null: no more); returns what was said
/// before.
SKELRT_API const recipe* set_checked_call(const recipe* what) noexcept;
/// The function is about to be called for that position.
SKELRT_API void enter_position(std::size_t row, std::size_t col, const index_widths& width) noexcept;
/// It has returned: throws bounds_error if one of its indices asked for what is not there.
SKELRT_API void leave_position();

template <class Leaf, unsigned Slot>
struct checked_leaf {
    using value = typename Leaf::value;
    static constexpr slot_kind kind = Leaf::kind;
};
template <class Leaf, unsigned Slot>
inline constexpr bool is_checked<checked_leaf<Leaf, Slot>> = true;

template <class Leaf, unsigned Slot, bool Linear>
struct column_reader<checked_leaf<Leaf, Slot>, Linear> : column_reader<Leaf, Linear> {
    using column_reader<Leaf, Linear>::column_reader;
    typename Leaf::value get(std::size_t col) const
    {
        return typename Leaf::value(column_reader<Leaf, Linear>::get(col), checked_operand(Slot));
    }
};

template <class Leaf, unsigned Slot>
struct leaf_with_checks {
    using type = Leaf;
};
template <class Leaf, unsigned Slot>
    requires(sees_more<typename Leaf::value>)
struct leaf_with_checks<Leaf, Slot> {
    using type = checked_leaf<Leaf, Slot>;
};

template <class List, unsigned FirstSlot, class Sequence>
struct leaves_with_checks;
template <class... L, unsigned FirstSlot, std::size_t... K>
struct leaves_with_checks<type_list<L...>, FirstSlot, std::index_sequence<K...>> {
    using type = type_list<typename leaf_with_checks<L, FirstSlot + unsigned{K}>::type...>;
};

/// A tree whose slots begin with that number.
template <class N, unsigned FirstSlot = 0>
struct with_checks {
    static constexpr std::size_t leaves = leaf_count<N>::value;
    using value = typename N::value;
    using leaf_types =
        typename leaves_with_checks<leaves_of<N>, FirstSlot, typename indices_of<leaves_of<N>>::type>::type;

    /// One copy of the functions, for all loops.
    template <std::size_t First, class Reader>
    [[gnu::noinline]] static value apply(const Reader& read, const position& at)
    {
        enter_position(at.row, at.col0 + at.c, at.width);
        const value v = evaluate<N, First>(read, at);
        leave_position();
        return v;
    }
};

template <class N, unsigned FirstSlot>
inline constexpr bool uses_index<with_checks<N, FirstSlot>> = uses_index<N>;

class checked_call
{
public:
    explicit checked_call(const recipe* what) noexcept : before_(set_checked_call(what)) {}
    checked_call(const checked_call&) = delete;
    checked_call& operator=(const checked_call&) = delete;
    ~checked_call() { set_checked_call(before_); }

private:
    const recipe* before_;
};

// Loops that look at every index are no loops for vectors, and clang++ says so of each `omp simd`.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
template <auto Trampoline>
struct checked_trampoline;
template <class Result, class Block, class... Rest, Result (*Trampoline)(const Block&, Rest...)>
struct checked_trampoline<Trampoline> {
    static Result run(const Block& b, Rest... rest)
    {
        const checked_call now(b.what);
        return Trampoline(b, rest...);
    }
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif

/// The trampoline of a tree with_checks<>, for a recipe's cpu_functions.
template <auto Trampoline>
inline constexpr auto in_checked_call = &checked_trampoline<Trampoline>::run;

} // namespace skelrt::detail
