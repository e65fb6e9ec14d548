// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/partings/container_copies.hpp"

#include "src/cluster/faults.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"

#include <algorithm>

namespace skelrt::detail
{

storage* container_copies::of(storage& s, const held_part& here, const use& how)
{
    auto known = std::ranges::find(all_, &s, &copy::original);
    if (known == all_.end()) {
        storage_ref made = or_tell([&] { return create_held(here, s.element_size, s.whole_rows); });
        made->inner = s.inner;
        known = all_.insert(known, {&s, std::move(made), {}});
    }
    known->how.read |= how.read;
    known->how.written |= how.written;
    return known->there.get();
}

void container_copies::fill()
{
    for (const copy& k : all_)
        if (k.how.read) messages_.redistribute(*k.original, *k.there);
}

void container_copies::bring_home()
{
    for (const copy& k : all_)
        if (k.how.written) messages_.redistribute(*k.there, *k.original);
}

bool has_all_elements(const operand& o) { return o.rows * o.cols == o.data->shape_rows * o.data->shape_cols; }

} // namespace skelrt::detail
