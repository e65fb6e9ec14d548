// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/sort.hpp"
#include "reduce.hpp"

#include <bit>

namespace skelrt
{

namespace detail
{

/// What an element costs: the comparisons of a merge sort.
inline std::size_t comparisons(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n)); }

template <class T, class Less>
constexpr bool check_order()
{
    if constexpr (std::is_same_v<Less, ascending>) {
        static_assert(std::numeric_limits<T>::is_specialized, // sk::half is a number, too
                      "skelrt: sk::sort without a comparator takes numbers; pass a function (T, T) -> bool");
        return std::numeric_limits<T>::is_specialized;
    } else {
        static_assert(std::is_invocable_r_v<bool, Less, T, T>,
                      "skelrt: the comparator of sk::sort is a function (T, T) -> bool");
        return std::is_invocable_r_v<bool, Less, T, T>;
    }
}

template <class T>
void describe_sort(recipe& r, const sort_functions& cpu, const function_source* less)
{
    r.combine = less ? keep_source(*less) : nullptr;
    add_slot(r, slot_of<T>(slot_kind::element));
    set_result<T>(r);
    r.cpu.sort = &cpu;
    register_recipe(r);
}

/// A sort that waits to be assigned. `Less` is a user function's lambda, or ascending, which has no source.
template <class Less, class N>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] sort_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_sort = void;
    static constexpr std::size_t leaves = leaf_count<N>::value;
    using leaf_types = leaves_of<N>;
    using value = typename N::value;

    sort_expression(std::optional<function_source> less, N node) : less_(less), node_(std::move(node)) {}

    const N& node() const noexcept { return node_; }
    /// The same sort of another operand.
    template <class M>
    auto of(M other) const
    {
        return sort_expression<Less, M>(less_, std::move(other));
    }
    static std::size_t depth(std::size_t n) { return comparisons(n); }
    call_site& site() const
    {
        static call_site& s = describe_once(*this);
        return s;
    }

private:
    [[gnu::cold]] static call_site& describe_once(const sort_expression& e)
    {
        call_site& s = new_call_site(skeleton::sort);
        s.what.root = describe(e.node_, s.what);
        const sort_functions* cpu = &value_sort<N, Less>;
        if constexpr (makes_indices<N>)
            if (checks_bounds()) cpu = &checked_value_sort<N, Less>;
        describe_sort<value>(s.what, *cpu, e.less_ ? &*e.less_ : nullptr);
        return s;
    }

    std::optional<function_source> less_;
    N node_;
};

template <class Less, class N>
inline constexpr bool has_nested_calls<sort_expression<Less, N>> = is_call<N>;

template <class Less, class N>
auto unfused(const sort_expression<Less, N>& s, const extent& x)
{
    return s.of(leaf_expression<element_leaf<typename N::value>>(settled(s.node(), x)));
}

template <class Less, class N>
void join_extent(const sort_expression<Less, N>& s, extent& e, std::size_t& argument, const recipe& r)
{
    join_extent(s.node(), e, argument, r);
    if (e.rank > 1) throw_not_a_vector(r, e);
}
template <class Less, class N>
void collect_operands(const sort_expression<Less, N>& s, operand*& out)
{
    collect_operands(s.node(), out);
}

template <class Less, class N, index_use Use>
inline constexpr bool uses<sort_expression<Less, N>, Use> = uses<N, Use>;

template <class Argument>
inline constexpr bool sorts_vector = true;
template <container Argument>
inline constexpr bool sorts_vector<Argument> = Argument::rank == 1;

template <class Less, class Argument>
auto make_sort(std::optional<function_source> less, const Argument& a)
{
    auto node = reduction_node(a);
    if constexpr (is_refused<decltype(node)>) {
        return node;
    } else {
        static_assert(sorts_vector<Argument>, "skelrt: sk::sort takes a vector; pass m.row(i) or m.column(j)");
        if constexpr (sorts_vector<Argument> && check_order<typename decltype(node)::value, Less>())
            return sort_expression<Less, decltype(node)>(less, std::move(node));
        else return refused_call{};
    }
}

template <class K, class V, class Less>
call_site& key_sort_site(const function_source* less)
{
    static call_site& site = [](const function_source* f) -> call_site& {
        call_site& s = new_call_site(skeleton::sort);
        s.what.slots = {slot_of<K>(slot_kind::element), slot_of<V>(slot_kind::element), slot_of<V>(slot_kind::output)};
        describe_sort<K>(s.what, key_sort<K, V, Less>, f);
        return s;
    }(less);
    return site;
}

template <class C>
inline constexpr bool is_part = requires
{
    typename std::remove_const_t<C>::skelrt_view;
};

/// Views refer to what they show, so they may be const.
template <class C>
inline constexpr bool may_sort = !std::is_const_v<C> || is_part<C>;

template <class C>
concept vector_like = container<C> && C::rank == 1;

template <class Less, class Keys, class Values>
void sort_vectors(const function_source* less, Keys& keys, Values& values);

template <class Part>
auto as_vector(const Part& part)
{
    vector<typename Part::value_type> all;
    assign_map_to_container(all, copy_of(part));
    return all;
}

template <class Part, class T>
void put_back(Part& to, const vector<T>& sorted)
{
    if constexpr (is_part<Part>) assign_to_view(to, copy_of(sorted));
    else assign_map_to_container(to, copy_of(sorted));
}

/// Of parts of containers that are dealt out to ranks in other ways: as vectors, which lie together.
template <class Less, class Keys, class Values>
void sort_copies(const function_source* less, Keys& keys, Values& values)
{
    auto sorted_keys = as_vector(keys);
    auto sorted_values = as_vector(values);
    sort_vectors<Less>(less, sorted_keys, sorted_values);
    put_back(keys, sorted_keys);
    put_back(values, sorted_values);
}

template <class Less, class Keys, class Values>
void sort_vectors(const function_source* less, Keys& keys, Values& values)
{
    using K = typename Keys::value_type;
    using V = typename Values::value_type;
    call_site& site = key_sort_site<K, V, Less>(less);
    const auto operand_of = [](const auto& c) {
        const placement p = c.place();
        return operand{c.storage().get(), nullptr, p.offset, 1, p.cols, p.ld, p.stride};
    };
    const operand k = operand_of(keys), v = operand_of(values);
    check_keys_and_values(site.what, k, v);
    if constexpr (is_part<Keys> || is_part<Values>) // vectors of one length are dealt out alike
        if (!lie_together(k, v)) return sort_copies<Less>(less, keys, values);
    const operand operands[] = {k, v, v, k};
    call c;
    c.site = &site;
    c.set_space({1, 1, k.cols});
    c.operands = operands;
    c.depth = comparisons(k.cols);
    execute(c);
}

template <class Less, class Keys, class Values>
void sort_in_place(const function_source* less, Keys& keys, Values& values)
{
    constexpr bool vectors = vector_like<Keys> && vector_like<Values>;
    constexpr bool writable = may_sort<Keys> && may_sort<Values>;
    static_assert(vectors, "skelrt: sk::sort_by_key takes two vectors, or ranges, rows and columns");
    static_assert(writable, "skelrt: sk::sort_by_key sorts in place, but one of its operands is const");
    if constexpr (vectors && writable)
        if constexpr (check_order<typename Keys::value_type, Less>()) sort_vectors<Less>(less, keys, values);
}

} // namespace detail

/// The elements in ascending order, or in that of `less`, a user function (T, T) -> bool that says whether its first
/// argument comes in front of the second; stable: elements of which neither comes first stay in their order.
///
/// y = sk::sort(x); x = sk::sort(x) sorts in place; sk::sort(x, SKELRT_FN((particle a, particle b) { return a.cell <
/// b.cell; })). x is a vector, a range, a row or column of a matrix, or a map call on these, which fuses. The call is
/// lazy: assigning it to a vector or a view evaluates it, asynchronously. `less` must be a strict weak ordering; with
/// one that is none the order is unspecified, and elements may be lost, but nothing else is touched. Without it numbers
/// are in order even if some elements are none (NaN): these come behind them. GPUs that sort by radix go by bits: -0.0
/// comes in front of 0.0 there, and NaNs are in the order of their bits. One device sorts all: O(n log n) comparisons.
/// CPU: a stable sort on each core (numbers without comparator byte by byte), then merges in which each core does an
/// equal part ("merge path": Odeh, Green, Mwassi, Shmueli and Birk, IPDPS workshops 2012). CUDA: numbers without
/// comparator by radix, cub::DeviceRadixSort, where skelrt was built with nvcc; all else, and OpenCL, by merging tiles
/// that were sorted in shared memory. Memory besides: twice that of the elements; a sort that does not fit into a GPU's
/// memory goes to the CPU. Errors (sk::error): no vector. Where `less` throws, the destination has no value, and who
/// waits for it gets the exception.
template <class Argument>
[[nodiscard("skelrt: sk::sort gives a call: x = sk::sort(x) sorts")]] auto sort(const Argument& x)
{
    return detail::make_sort<detail::ascending>(std::nullopt, x);
}
template <class Argument, class Less>
[[nodiscard("skelrt: sk::sort gives a call: x = sk::sort(x) sorts")]] auto sort(const Argument& x,
                                                                                const function<Less>& less)
{
    if constexpr (std::is_same_v<detail::checked<Less>, Less>) return detail::make_sort<Less>(less.source(), x);
    else return detail::refuse(less);
}
template <class Argument, class Less>
detail::refused_call sort(const Argument&, const Less& less)
{
    return detail::refuse(less);
}

/// Sorts `keys` as sk::sort does, and moves the elements of `values` along. In place, both: vectors, ranges, rows or
/// columns of as many elements, different ones. At once, asynchronously. GPUs sort keys with 32-bit positions and then
/// fetch the values: more than 2^32 - 1 elements go to the CPU.
/// Errors (sk::error): another number of values than of keys; both in the same memory.
template <class Keys, class Values>
void sort_by_key(Keys&& keys, Values&& values)
{
    detail::sort_in_place<detail::ascending>(nullptr, keys, values);
}
template <class Keys, class Values, class Less>
void sort_by_key(Keys&& keys, Values&& values, const function<Less>& less)
{
    if constexpr (std::is_same_v<detail::checked<Less>, Less>)
        detail::sort_in_place<Less>(&less.source(), keys, values);
    else detail::refuse(less);
}
template <class Keys, class Values, class Less>
void sort_by_key(Keys&&, Values&&, const Less& less)
{
    detail::refuse(less);
}

} // namespace skelrt
