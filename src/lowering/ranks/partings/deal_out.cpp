// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/dealt_as.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/detail/items/dealing.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace skelrt::detail
{

namespace
{

[[noreturn]] void refuse(const caller& where, std::string_view what)
{
    throw error(fmt::format("{}sk::distribute: {}", place_text(where), what));
}

/// Null: on every rank.
const parting* wanted_parting(const storage& s, const dealing& wish, int rank, unsigned ranks)
{
    switch (wish.how) {
    case dealing::form::as_it_is:
        return s.dealt;
    case dealing::form::copy:
        return nullptr;
    default:
        return intern(dealt_as(wish, s.shape_rows, s.shape_cols, rank, ranks));
    }
}

storage_ref shared(storage& s)
{
    s.references.fetch_add(1, std::memory_order_relaxed);
    return storage_ref(&s);
}

void record(peers& others, const storage& s, const parting* wanted, const caller& where)
{
    others.refuse_other_threads("sk::distribute", where);
    std::uint64_t hash = hash_combine(s.shape_rows, s.shape_cols);
    if (wanted)
        for (const axis_split& a : {wanted->rows, wanted->cols})
            hash = hash_combine(hash_combine(hash, a.parts), a.block);
    others.calls.record(hash, "sk::distribute", where, s.shape_rows, s.shape_cols);
}

} // namespace

storage_ref deal_out(storage& s, const dealing& wish, int rank, std::size_t tiles, const caller& where)
{
    const visit here;
    peers* const others = here.runtime() ? here.runtime()->cluster : nullptr;
    const parting* wanted = nullptr;
    try {
        check_blocks(wish);
        if (!others) return {};
        wanted = wanted_parting(s, wish, rank, static_cast<unsigned>(others->size()));
    } catch (const error& e) {
        refuse(where, e.what());
    }
    if (wanted == s.dealt && tiles == s.wanted_tiles) return shared(s);
    if (s.borrowed && wanted == s.dealt) return {};
    if (s.borrowed)
        refuse(where, fmt::format("a container of {} x {} elements lies in borrowed memory, a part of which belongs to "
                                  "each rank; distribute a copy of it",
                                  s.shape_rows, s.shape_cols));
    if (s.writers > 0) refuse(where, "a host view of the container is open; let it go out of scope first");
    record(*others, s, wanted, where);
    const held_part part =
        wanted ? held_by(*wanted, static_cast<unsigned>(others->rank())) : all_held(s.shape_rows, s.shape_cols);
    storage_ref made = or_tell([&] { return create_held(part, s.element_size, s.whole_rows); });
    made->inner = s.inner;
    if (tiles > 0) set_tiles(*made, tiles);
    transfer(engine::of(*here.runtime())).redistribute(s, *made);
    return made;
}

} // namespace skelrt::detail
