// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/control/pieces.hpp"
#include "src/data/managed.hpp"
#include "src/data/parts/arrivals.hpp"
#include "src/data/parts/held_here.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/residence.hpp>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

struct device_memory {
    unsigned node;
    device kind;
    int number;
};

/// The host's first.
std::vector<device_memory> memories_of(const starpu_devices& all)
{
    std::vector<device_memory> found{{STARPU_MAIN_RAM, device::cpu, 0}};
    for (const target& t : all.targets())
        if (std::ranges::find(found, t.node, &device_memory::node) == found.end())
            found.push_back({t.node, t.kind, t.number});
    return found;
}

residence look_at(const device_memory& where, const std::vector<piece>& pieces)
{
    residence there{where.kind, where.number, 0, 0, 0};
    for (const piece& p : pieces) {
        int allocated = 0, valid = 0, loading = 0, requested = 0;
        starpu_data_query_status2(p.handle, static_cast<int>(where.node), &allocated, &valid, &loading, &requested);
        if (valid) {
            ++there.tiles;
            there.bytes += p.bytes;
        } else if (loading || requested) {
            ++there.arriving;
        }
    }
    return there;
}

std::vector<residence> all_at_home(const storage& s, const placement& part)
{
    const std::size_t bytes = held_here(s, part).size() * s.element_size;
    if (bytes == 0) return {};
    return {{device::cpu, 0, 1, bytes, 0}};
}

/// A container's pieces, that no call and no sk::evict made so far will change any more. Of one that the host writes,
/// as they are.
class settled_pieces
{
public:
    settled_pieces(running& r, storage& s, const placement& part) : held_(s.writers == 0)
    {
        managed_state& m = *s.managed.load(std::memory_order_acquire);
        {
            const auto lock = r.order.lock_when_unused([&] { return m.is_worked_on(false); });
            r.order.flush_locked(m.batch);
            pieces_ = pieces_under(m, held_here(s, part));
            std::vector<starpu_data_handle_t> handles;
            for (const piece& p : pieces_) handles.push_back(p.handle);
            if (held_) coming_.ask(handles, STARPU_ACQUIRE_NO_NODE, STARPU_R);
        }
        if (!held_) return;
        r.order.flush();
        const falls_asleep away;
        coming_.wait();
    }
    ~settled_pieces()
    {
        if (!held_) return;
        for (const piece& p : pieces_) starpu_data_release_on_node(p.handle, STARPU_ACQUIRE_NO_NODE);
    }
    settled_pieces(const settled_pieces&) = delete;
    settled_pieces& operator=(const settled_pieces&) = delete;

    const std::vector<piece>& all() const noexcept { return pieces_; }

private:
    const bool held_;
    std::vector<piece> pieces_;
    arrivals coming_;
};

} // namespace

std::vector<residence> residences(const storage_ref& data, const placement& part)
{
    if (!data || data->count() == 0) return {};
    storage& s = *data;
    if (s.writers == 0) wait_for(s, part);
    if (!s.managed.load(std::memory_order_acquire)) return all_at_home(s, part);
    const call_visit visit("sk::where");
    const settled_pieces pieces(visit.runtime(), s, part);
    std::vector<residence> all;
    for (const device_memory& memory : memories_of(visit.runtime().devices()))
        if (const residence there = look_at(memory, pieces.all()); there.tiles + there.arriving > 0)
            all.push_back(there);
    return all;
}

} // namespace skelrt::detail
