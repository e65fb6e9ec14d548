// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace skelrt::detail
{

namespace
{

/// A container's extents, as a storage has them.
struct shape_of_storage {
    std::size_t rows = 1, cols = 0;
    std::array<std::size_t, 3> inner{};
    bool whole_rows = false;

    bool operator==(const shape_of_storage&) const = default;
};

shape_of_storage shape_of(const storage& s) { return {s.shape_rows, s.shape_cols, s.inner, s.whole_rows}; }

/// The caller knows that their product is a number of elements that there are.
shape_of_storage shape_of(std::span<const std::size_t> extents)
{
    if (extents.size() == 1) return {1, extents[0], {}, false};
    shape_of_storage x{extents[0], 1, {}, true};
    for (const std::size_t e : extents.subspan(1)) x.cols *= e;
    if (extents.size() > 2) std::copy(extents.begin() + 1, extents.end(), x.inner.begin());
    return x;
}

bool have_product(std::span<const std::size_t> extents, std::size_t wanted)
{
    std::size_t product = 1;
    if (std::ranges::find(extents, std::size_t{0}) != extents.end()) return wanted == 0;
    for (const std::size_t e : extents)
        if (__builtin_mul_overflow(product, e, &product)) return false;
    return product == wanted;
}

storage_ref create_of_shape(const shape_of_storage& x, std::size_t element_size)
{
    storage_ref made(create_storage(x.rows, x.cols, static_cast<std::uint32_t>(element_size), x.whole_rows));
    made->inner = x.inner;
    return made;
}

/// Each rank has the whole on its host for a while.
storage_ref dealt_anew(storage& from, const shape_of_storage& x, const caller& where)
{
    storage_ref made = create_of_shape(x, from.element_size);
    const opened_on_host read(from, access::read, all_ranks, where);
    const opened_on_host written(*made, access::write);
    const std::size_t size = made->element_size;
    if (made->count() > 0) std::memcpy(written.data(), read.data() + made->first * size, made->count() * size);
    return made;
}

void note_shape(storage& s, const shape_of_storage& x)
{
    set_part(s, all_held(x.rows, x.cols));
    s.inner = x.inner;
    s.whole_rows = x.whole_rows;
}

bool tiles_fit(const managed_state& m, const shape_of_storage& x)
{
    return !x.whole_rows || m.tile_count() == 1 || m.tile_elements % x.cols == 0;
}

/// The handles stay as they are: tasks under way know them, and not the shape. False: tiles would end within rows.
bool keeps_tiles(storage& s, const shape_of_storage& x)
{
    running& r = *running::current();
    managed_state& m = *s.managed.load(std::memory_order_acquire);
    const auto lock = r.order.lock_when_unused([&] { return m.is_worked_on(true); });
    r.order.flush_locked(m.batch);
    if (m.parts) give_tiles_back(m);
    if (!tiles_fit(m, x)) return false;
    if (m.tile_count() == 1) std::atomic_ref(m.tile_elements).store(s.count(), std::memory_order_relaxed);
    note_shape(s, x);
    return true;
}

/// Waits: nobody uses the data while it is cut.
void cut_for(storage& s, const shape_of_storage& x)
{
    release(s, access::read_write, acquire(s, access::read_write));
    const std::lock_guard lock(running::current()->order);
    const shape_of_storage before = shape_of(s);
    note_shape(s, x);
    try {
        cut_again(*s.managed.load(std::memory_order_acquire), tile_elements_for(s, 0), true);
    } catch (...) {
        note_shape(s, before);
        throw;
    }
}

void change_shape(storage& s, const shape_of_storage& x)
{
    if (!s.managed.load(std::memory_order_acquire)) return note_shape(s, x);
    const call_visit visit("sk::reshape");
    if (!keeps_tiles(s, x)) cut_for(s, x);
}

} // namespace

storage_ref reshape_storage(const data_ref& from, std::span<const std::size_t> extents, std::size_t element_size,
                            const caller& where)
{
    const std::size_t count = from ? from->shape_rows * from->shape_cols : 0;
    if (!have_product(extents, count))
        throw error(
            fmt::format("{}sk::reshape: {} elements are not {}; give extents whose product is {}, or change the "
                        "size by resize",
                        place_text(where), count, fmt::join(extents, " x "), count));
    const shape_of_storage x = shape_of(extents);
    if (count == 0) return create_of_shape(x, element_size);
    if (shape_of(*from) == x) return from;
    refuse_open_views(*from, where, "sk::reshape");
    if (from->dealt) return dealt_anew(*from, x, where);
    const bool others_see_it = from.is_shared() || from->watched;
    storage_ref target = others_see_it ? storage_ref(clone_storage(*from)) : storage_ref(from);
    change_shape(*target, x);
    return target;
}

std::size_t size_after(std::size_t size, std::size_t first, std::size_t erased, std::size_t added, const char* call,
                       const caller& where)
{
    if (first > size)
        throw error(fmt::format("{}{}: position {} is behind the last of {} elements; positions go from 0 to {}",
                                place_text(where), call, first, size, size));
    if (erased > size - first)
        throw error(
            fmt::format("{}{}: {} elements from number {} on are not there, for the vector has {}; at most {} are",
                        place_text(where), call, erased, first, size, size - first));
    std::size_t n = 0;
    if (__builtin_add_overflow(size - erased, added, &n))
        throw error(fmt::format("{}{}: {} elements and {} more are larger than any memory", place_text(where), call,
                                size, added));
    return n;
}

} // namespace skelrt::detail
