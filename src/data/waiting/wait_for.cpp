// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"
#include "src/data/parts/arrivals.hpp"
#include "src/data/parts/held_here.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/waiting/watching.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/view.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Wherever they lie. Tasks may have ended before their kernels did.
void wait_for_tiles(managed_state& m)
{
    const falls_asleep away;
    const watching tiles(m, access::read);
    for (starpu_data_handle_t h : m.tiles) {
        starpu_data_acquire_on_node(h, STARPU_ACQUIRE_NO_NODE, STARPU_R);
        wait_for_kernels(h);
        starpu_data_release_on_node(h, STARPU_ACQUIRE_NO_NODE);
    }
}

/// The atoms under a part. They are asked for with the lock: who cuts them afterwards goes behind.
class awaited_atoms
{
public:
    awaited_atoms(const storage& s, managed_state& m, const rectangle& part)
    {
        for (const atom_id a : m.parts->under(part)) {
            part_table::atom& one = (*m.parts)[a];
            past_.push_back(one.past);
            if (!is_held_for_writing(s, one.handle)) handles_.push_back(one.handle); // else nothing is left to wait for
        }
        coming_.ask(handles_, STARPU_ACQUIRE_NO_NODE, STARPU_R);
    }
    void wait() noexcept
    {
        coming_.wait();
        for (const starpu_data_handle_t h : handles_) {
            wait_for_kernels(h);
            starpu_data_release_on_node(h, STARPU_ACQUIRE_NO_NODE);
        }
    }
    std::exception_ptr fault() const noexcept
    {
        for (const fault_state& p : past_)
            if (std::exception_ptr what = find_fault(p, UINT64_MAX)) return what;
        return nullptr;
    }

private:
    std::vector<starpu_data_handle_t> handles_;
    std::vector<fault_state> past_;
    arrivals coming_;
};

} // namespace

void wait_for(storage& s, const placement& part)
{
    managed_state* m = s.managed.load(std::memory_order_acquire);
    if (!m) return acquire_unmanaged(s, access::read);
    const call_visit visit("sk::wait");
    running& e = visit.runtime();
    std::vector<std::shared_ptr<const progress>> writers;
    std::optional<awaited_atoms> atoms;
    bool copied_into = false;
    {
        const auto lock = e.order.lock_when_unused([&] { return m->is_worked_on(false); });
        e.order.flush_locked(m->batch);
        writers = m->writers;
        if (m->parts) atoms.emplace(s, *m, held_here(s, part));
        copied_into = m->copied_into;
    }
    e.order.flush();
    for (const auto& w : writers) w->wait();
    if (atoms) atoms->wait();
    else if (copied_into && !is_written_as_a_whole(s)) wait_for_tiles(*m);
    e.order.note_wait(&s);
    if (std::exception_ptr what = atoms ? atoms->fault() : find_fault(*m, UINT64_MAX)) throw_noted(what);
    for (const auto& w : writers)
        if (std::exception_ptr what = w->fault()) throw_noted(what);
}

} // namespace skelrt::detail
