// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/merge_sort.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace skelrt::detail
{
namespace
{

constexpr std::size_t shared_bytes = 32 << 10; ///< of a group, for two tiles; every device has them
constexpr std::size_t most_keys = 2048, most_run = 8;

/// Stable, and within the bounds of memory whatever BEFORE says: a merge takes as many keys as it writes.
constexpr const char* text = R"(
#define SORT_TILE (SORT_RUN * SORT_LANES)
#define SORT_MOVE(to, i, from, k) { (to).keys[i] = (from).keys[k]; if (SORT_BY_KEY) (to).order[i] = (from).order[k]; }
#define SORT_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define SORT_LANE(l) for (unsigned l = THREAD; l < SORT_LANES; l += THREADS)

typedef struct { GLOBAL KEY* keys; GLOBAL unsigned* order; } global_items;
typedef struct { SHARED KEY* keys; SHARED unsigned* order; } shared_items;

/* How many of the first `count` keys of two merged runs come from the left one. The prefix is for C++,
   which also looks for users' functions of that name, beside the type of the keys. */
#define SORT_SEARCH(INDEX)                                                                            \
    INDEX low = count > rights ? count - rights : 0, high = SORT_LEAST(count, lefts);                 \
    while (low < high) {                                                                              \
        const INDEX middle = low + (high - low) / 2;                                                  \
        if (BEFORE(right[count - 1 - middle], left[middle])) high = middle;                           \
        else low = middle + 1;                                                                        \
    }                                                                                                 \
    return low;
static inline unsigned skelrt_taken_here(SHARED KEY* left, unsigned lefts, SHARED KEY* right, unsigned rights,
                                         unsigned count)
{
    SORT_SEARCH(unsigned)
}
static inline size_t skelrt_taken(GLOBAL KEY* left, size_t lefts, GLOBAL KEY* right, size_t rights, size_t count)
{
    SORT_SEARCH(size_t)
}

/* Elements first .. last of the merged runs from[at .. at + lefts) and `rights` behind it, to the same places of `to`. */
static inline void merge_run(shared_items from, unsigned at, unsigned lefts, unsigned rights, unsigned first,
                             unsigned last, shared_items to)
{
    SHARED KEY* left = from.keys + at;
    SHARED KEY* right = left + lefts;
    unsigned i = skelrt_taken_here(left, lefts, right, rights, first), k = first - i;
    for (unsigned n = first; n < last; ++n) {
        const bool other = i >= lefts || (k < rights && BEFORE(right[k], left[i]));
        const unsigned source = at + (other ? lefts + k : i);
        if (other) ++k;
        else ++i;
        SORT_MOVE(to, at + n, from, source)
    }
}

static inline void sort_run(shared_items a, unsigned first, unsigned last)
{
    for (unsigned i = first + 1; i < last; ++i) {
        const KEY key = a.keys[i];
        const unsigned place = SORT_BY_KEY ? a.order[i] : 0;
        unsigned k = i;
        for (; k > first && BEFORE(key, a.keys[k - 1]); --k) SORT_MOVE(a, k, a, k - 1)
        a.keys[k] = key;
        if (SORT_BY_KEY) a.order[k] = place;
    }
}

/* The group's tile of n items, sorted. */
static inline void sort_tile(global_items items, size_t n, shared_items a, shared_items b)
{
    const size_t begin = (size_t)GROUP * SORT_TILE;
    const unsigned count = (unsigned)SORT_LEAST(n - begin, (size_t)SORT_TILE);
    for (unsigned i = THREAD; i < count; i += THREADS) SORT_MOVE(a, i, items, begin + i)
    BARRIER;
    SORT_LANE(l) sort_run(a, l * SORT_RUN, SORT_LEAST((l + 1) * SORT_RUN, count));
    BARRIER;
    for (unsigned width = SORT_RUN; width < count; width *= 2) {
        SORT_LANE(l)
        {
            const unsigned first = l * SORT_RUN, last = SORT_LEAST(first + SORT_RUN, count);
            if (first < count) {
                const unsigned at = first & ~(2 * width - 1), lefts = SORT_LEAST(width, count - at);
                merge_run(a, at, lefts, SORT_LEAST(width, count - at - lefts), first - at, last - at, b);
            }
        }
        BARRIER;
        const shared_items merged = b;
        b = a;
        a = merged;
    }
    for (unsigned i = THREAD; i < count; i += THREADS) SORT_MOVE(items, begin + i, a, i)
}

/* The group's tile of what becomes of n items when runs of `width`, a power of two, are merged in pairs. `split` has
   two elements. */
static inline void merge_tile(global_items from, global_items to, size_t n, size_t width, shared_items a, shared_items b,
                              SHARED size_t* split)
{
    const size_t begin = (size_t)GROUP * SORT_TILE, at = begin & ~(2 * width - 1);
    const unsigned count = (unsigned)SORT_LEAST(n - begin, (size_t)SORT_TILE);
    const size_t lefts = SORT_LEAST(width, n - at), rights = SORT_LEAST(width, n - at - lefts);
    GLOBAL KEY* left = from.keys + at;
    if (THREAD == 0) split[0] = skelrt_taken(left, lefts, left + lefts, rights, begin - at);
    if (THREAD == THREADS - 1) split[1] = skelrt_taken(left, lefts, left + lefts, rights, begin - at + count);
    BARRIER;
    const size_t i = split[0], k = begin - at - i;
    const unsigned taken_left = split[1] < i ? 0 : (unsigned)SORT_LEAST(split[1] - i, (size_t)count);
    for (unsigned e = THREAD; e < count; e += THREADS)
        SORT_MOVE(a, e, from, at + (e < taken_left ? i + e : lefts + k + (e - taken_left)))
    BARRIER;
    SORT_LANE(l)
    {
        const unsigned first = l * SORT_RUN, last = SORT_LEAST(first + SORT_RUN, count);
        if (first < count) merge_run(a, 0, taken_left, count - taken_left, first, last, b);
    }
    BARRIER;
    for (unsigned e = THREAD; e < count; e += THREADS) SORT_MOVE(to, begin + e, b, e)
}
)";

std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

} // namespace

std::string sort_tile::text() const
{
    return "#define SORT_RUN " + std::to_string(run) + "u\n#define SORT_LANES " + std::to_string(lanes) + "u\n";
}

sort_tile sort_tile_of(const recipe& what, unsigned group)
{
    const std::size_t item = what.result_size + (sorts_by_key(what) ? sizeof(std::uint32_t) : 0);
    const std::size_t keys = std::bit_floor(std::clamp<std::size_t>(shared_bytes / (2 * item), 2, most_keys));
    if (group > keys)
        throw error(what.name + ": a block of " + std::to_string(group) + " threads sorts as many elements of " +
                    std::to_string(item) + " bytes at least, and has memory for " + std::to_string(keys));
    const std::size_t run = std::min(most_run, group > 0 ? keys / group : keys / 2);
    return {static_cast<unsigned>(run), group > 0 ? group : static_cast<unsigned>(keys / run)};
}

std::string merge_sort_text(const recipe& what)
{
    return std::string("#define SORT_BY_KEY ") + (sorts_by_key(what) ? "1" : "0") + text;
}

sort_scratch::sort_scratch(const recipe& what, std::size_t elements, std::size_t key_size)
{
    const auto take = [&](std::size_t size) {
        const std::size_t at = end;
        end += rounded(elements * size);
        return at;
    };
    const bool by_key = sorts_by_key(what);
    for (std::size_t& k : keys) k = take(key_size);
    for (std::size_t& o : order) o = take(by_key ? sizeof(std::uint32_t) : 0);
    values = take(by_key ? what.slots[1].size : 0);
}

} // namespace skelrt::detail
