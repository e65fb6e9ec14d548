// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/call_faults.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/partings/container_copies.hpp"

#include <skelrt/view.hpp>

namespace skelrt::detail
{

namespace
{

template <class Visit>
void for_each_read(const call& c, Visit visit)
{
    for_each_storage(c, [&](storage& s, bool written) {
        if (!written) visit(s);
    });
}

} // namespace

call_faults::call_faults(const call& c, bool has_share) : call_(c)
{
    for_each_read(c, [&](storage& s) {
        all_.add_foreign(s);
        if (!has_share) all_.add_own(s);
    });
}

void call_faults::hand_on() const
{
    const bool adds = call_.site->what.kind == skeleton::accumulate;
    for_each_container(call_, [&](const operand& o, bool written) {
        if (written) note_foreign_faults(*o.data, all_, !adds && has_all_elements(o));
    });
}

void check_operands(const call& c, bool has_share)
{
    for_each_read(c, [&](storage& s) {
        check_foreign_faults(s);
        if (!has_share) wait_for(s, {0, s.rows, s.cols, s.cols, 1});
    });
}

} // namespace skelrt::detail
