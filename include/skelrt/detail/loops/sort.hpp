// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "checked.hpp"
#include "merge.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

/// The CPU side of sorts: sequential work on items, which lie one after the other.
namespace skelrt::detail
{

/// The order of sorts without a comparator: <, and what is no number (NaN) behind all numbers, or it would be no order.
struct ascending {
    template <class T>
    bool operator()(const T& a, const T& b) const
    {
        if constexpr (std::numeric_limits<T>::has_quiet_NaN) return a < b || (b != b && a == a);
        else return a < b;
    }
};

/// The item of a sort by key.
template <class K, class V>
struct keyed {
    K key;
    V value;
};

template <class T>
const T& key_of(const T& item)
{
    return item;
}
template <class K, class V>
const K& key_of(const keyed<K, V>& item)
{
    return item.key;
}

/// A number as a word whose order is that of `ascending`.
template <class T>
auto ordered_bits(T x)
{
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
        using wide = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        using word = std::conditional_t<sizeof(T) == 2, std::uint16_t, wide>;
        constexpr word sign = static_cast<word>(word{1} << (8 * sizeof(T) - 1));
        const word bits = std::bit_cast<word>(x == T{0} ? T{0} : x);
        return static_cast<word>(x != x ? ~word{0} : bits & sign ? ~bits : bits | sign);
    } else if constexpr (std::is_same_v<T, bool>) {
        return static_cast<unsigned char>(x);
    } else {
        using word = std::make_unsigned_t<T>;
        constexpr word flip = std::is_signed_v<T> ? word{1} << (8 * sizeof(T) - 1) : 0;
        return static_cast<word>(static_cast<word>(x) ^ flip);
    }
}

/// Room for items; their values come later.
template <class Item>
struct item_memory {
    explicit item_memory(std::size_t count)
        : items(static_cast<Item*>(::operator new (count * sizeof(Item), std::align_val_t{alignof(Item)})))
    {
    }
    item_memory(const item_memory&) = delete;
    ~item_memory() { ::operator delete (items, std::align_val_t{alignof(Item)}); }
    Item* const items;
};

/// Sorts byte by byte from the lowest, each a stable distribution to 256 places (Knuth, TAOCP 3, 5.2.5). Bytes in which
/// all keys agree cost nothing.
template <class Item>
void sort_by_bytes(Item* const items, std::size_t count)
{
    constexpr std::size_t bytes = sizeof(key_of(*items));
    const auto byte_of = [](const Item& item, std::size_t b) {
        return static_cast<unsigned char>(ordered_bits(key_of(item)) >> (8 * b));
    };
    std::array<std::array<std::size_t, 256>, bytes> places{};
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t b = 0; b < bytes; ++b) ++places[b][byte_of(items[i], b)];
    const item_memory<Item> memory(count);
    Item *from = items, *to = memory.items;
    for (std::size_t b = 0; b < bytes; ++b) {
        auto& place = places[b];
        if (std::find(place.begin(), place.end(), count) != place.end()) continue;
        std::size_t first = 0;
        for (std::size_t& p : place) first += std::exchange(p, first);
        for (std::size_t i = 0; i < count; ++i) to[place[byte_of(from[i], b)]++] = from[i];
        std::swap(from, to);
    }
    if (from != items) std::copy_n(from, count, items);
}

/// Typed parts of a sort of `Item`s whose keys `Less` compares.
template <class Item, class Less>
struct item_sort {
    static bool before(const Item& a, const Item& b) { return Less{}(key_of(a), key_of(b)); }
    static bool comes_before(const void* item, const void* other)
    {
        return before(*static_cast<const Item*>(item), *static_cast<const Item*>(other));
    }

    static void sort(void* items, std::size_t count)
    {
        constexpr std::size_t few = 512; // distributions to 256 places do not pay
        Item* const first = static_cast<Item*>(items);
        if constexpr (std::is_same_v<Less, ascending>)
            if (count > few) return sort_by_bytes(first, count);
        if constexpr (alignof(Item) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) sort_by_merges(first, count);
        else std::stable_sort(first, first + count, before);
    }

    /// Stays within the runs even where `Less` is no order.
    static void merge(const merge_part& p)
    {
        const Item* const left = static_cast<const Item*>(p.left);
        const Item* const right = static_cast<const Item*>(p.right);
        const auto in_front = [](const Item& a, const Item& b) { return before(a, b); };
        const auto taken = [&](std::size_t first) {
            return taken_from_left(left, p.left_count, right, p.right_count, first, in_front);
        };
        const std::size_t count = p.last - p.first, i = taken(p.first), j = p.first - i;
        const std::size_t n = std::clamp(taken(p.last), i, i + count) - i;
        merge_runs(left + i, n, right + j, count - n, static_cast<Item*>(p.out), in_front);
    }

private:
    /// std::stable_sort's buffer has no more than operator new's alignment in libstdc++ 12.
    static void sort_by_merges(Item* const items, std::size_t count)
    {
        constexpr std::size_t run = 16;
        for (std::size_t first = 0; first < count; first += run) insert(items + first, std::min(run, count - first));
        if (count <= run) return;
        const item_memory<Item> memory(count);
        Item *from = items, *to = memory.items;
        for (std::size_t width = run; width < count; width *= 2, std::swap(from, to))
            for (std::size_t left = 0; left < count; left += 2 * width) {
                const std::size_t middle = std::min(left + width, count), end = std::min(middle + width, count);
                merge({from + left, middle - left, from + middle, end - middle, 0, end - left, to + left});
            }
        if (from != items) std::copy_n(from, count, items);
    }

    static void insert(Item* const items, std::size_t count)
    {
        for (std::size_t i = 1; i < count; ++i) {
            const Item item = items[i];
            std::size_t at = i;
            for (; at > 0 && before(item, items[at - 1]); --at) items[at] = items[at - 1];
            items[at] = item;
        }
    }
};

/// The mapped values of a tree as items: the map's own loop, into the items.
template <class N>
void load_items(const cpu_block& b, void* items)
{
    slot_view slots[leaf_count<N>::value + 1];
    std::copy_n(b.slots, leaf_count<N>::value, slots);
    slots[leaf_count<N>::value] = {items, 0, 1, b.where.cols, b.where.cols, 1};
    map_block<N>(cpu_block{b.where, b.width, slots, b.what});
}

template <class T>
void store_items(const cpu_block& b, const void* items, std::size_t slot)
{
    const T* const from = static_cast<const T*>(items);
    const slot_view& to = b.slots[slot];
    T* const out = static_cast<T*>(to.data);
    for (std::size_t i = 0; i < b.where.cols; ++i) out[way(i, to.stride)] = from[i];
}

template <class N>
void store_items(const cpu_block& b, const void* items)
{
    store_items<typename N::value>(b, items, leaf_count<N>::value);
}

// Sorts by key have four slots: keys and values, and where the values and the keys go.

template <class K, class V>
void load_keyed(const cpu_block& b, void* items)
{
    const auto* const key = static_cast<const K*>(b.slots[0].data);
    const auto* const value = static_cast<const V*>(b.slots[1].data);
    auto* const to = static_cast<keyed<K, V>*>(items);
    for (std::size_t i = 0; i < b.where.cols; ++i)
        to[i] = {key[way(i, b.slots[0].stride)], value[way(i, b.slots[1].stride)]};
}

template <class K, class V>
void store_keyed(const cpu_block& b, const void* items)
{
    const auto* const from = static_cast<const keyed<K, V>*>(items);
    auto* const value = static_cast<V*>(b.slots[2].data);
    auto* const key = static_cast<K*>(b.slots[3].data);
    for (std::size_t i = 0; i < b.where.cols; ++i) {
        value[way(i, b.slots[2].stride)] = from[i].value;
        key[way(i, b.slots[3].stride)] = from[i].key;
    }
}

template <class N, class Less>
inline constexpr sort_functions value_sort{sizeof(typename N::value),
                                           true,
                                           &load_items<N>,
                                           &store_items<N>,
                                           &item_sort<typename N::value, Less>::sort,
                                           &item_sort<typename N::value, Less>::merge,
                                           &item_sort<typename N::value, Less>::comes_before};

template <class N, class Less>
inline constexpr sort_functions checked_value_sort = [] {
    sort_functions f = value_sort<N, Less>;
    f.load = in_checked_call<&load_items<with_checks<N>>>;
    return f;
}();

template <class K, class V, class Less>
inline constexpr sort_functions key_sort{sizeof(keyed<K, V>),
                                         false,
                                         &load_keyed<K, V>,
                                         &store_keyed<K, V>,
                                         &item_sort<keyed<K, V>, Less>::sort,
                                         &item_sort<keyed<K, V>, Less>::merge,
                                         &item_sort<keyed<K, V>, Less>::comes_before};

} // namespace skelrt::detail
