// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"
#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/faults/unwritten.hpp"
#include "src/data/managed.hpp"
#include "src/data/parts/arrivals.hpp"
#include "src/data/parts/dealt_part.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_copies.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/parts/region.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/detail/host_parts.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The host's views of parts of containers: they wait for who uses the part, and for nobody else.
namespace skelrt::detail
{

/// A view of a part; of all, if the part is all, or another view of all is open that reads as well.
class part_hold
{
public:
    explicit part_hold(open_part p) : part(std::move(p)) {}
    ~part_hold()
    {
        if (is_open) end();
    }
    part_hold(const part_hold&) = delete;
    part_hold& operator=(const part_hold&) = delete;

    open_part part;
    bool is_of_all = false, is_open = false;
    bool is_seen = false;              ///< its elements are there; before that none are written back
    managed_state* acquired = nullptr; ///< of all
    std::optional<region> brought;     ///< with several ranks: where it is seen

private:
    void end() noexcept
    {
        if (is_seen && brought && part.writes()) brought->keep_own();
        if (is_of_all) return release(*part.of, part.how, acquired);
        const patient_visit visit;
        close(part);
    }
};

namespace
{

std::string text_of(const rectangle& r) { return fmt::format("{} x {} at ({}, {})", r.rows, r.cols, r.row, r.col); }

[[noreturn]] void throw_view_open(const open_part& p, const caller& where)
{
    throw error(fmt::format("{}sk::host: a view is open of elements among {} of a container of {} x {}, or of all of "
                            "them, and one of both may write; let it go out of scope first",
                            place_text(where), text_of(p.where), p.of->shape_rows, p.of->shape_cols));
}

void check_may_be_read(storage& s, access how, const caller& where)
{
    const bool may_look = s.readers + s.writers == 0; // at all of it, else at what other views are of
    if (how == access::read && may_look && is_all_unwritten(s))
        throw error(fmt::format("{}sk::host reads part of a container of {} elements that nobody has written "
                                "(SKELRT_CHECK=unwritten)",
                                place_text(where), s.shape_rows * s.shape_cols));
}

/// What lies there when its elements have come.
class expected_part
{
public:
    expected_part(open_part& p, managed_state& m) : part_(p), data_(m) {}

    /// With the order's lock: cuts the part out of its container, and asks for it.
    void ask()
    {
        writers_ = data_.writers;
        part_table& atoms = parts_of(data_);
        const atom_use use = part_.writes() ? atom_use::writes : atom_use::reads;
        const part_table::used now =
            may_be_cut(data_) ? atoms.use(part_.here, {use, any_number}) : atoms.use_uncut(part_.here, use);
        atoms.pass_gates(now);
        std::vector<starpu_data_handle_t> handles;
        for (const atom_id a : now.atoms) handles.push_back(take(atoms[a], atoms.where(a)));
        atoms.forget_gates();
        if (part_.writes()) {
            ++data_.version;
            forget_past(data_);
        }
        coming_.ask(handles, STARPU_MAIN_RAM, mode());
        note_held(part_, std::move(handles));
    }
    void wait() noexcept { coming_.wait(); }

    std::exception_ptr fault() const noexcept
    {
        for (const fault_state& p : past_)
            if (std::exception_ptr what = find_fault(p, UINT64_MAX)) return what;
        for (const auto& w : writers_)
            if (w->done())
                if (std::exception_ptr what = w->fault()) return what;
        return nullptr;
    }

private:
    static constexpr std::size_t any_number = ~std::size_t{0}; ///< of atoms: they lie together in the host's memory

    /// An atom is the host's from now on.
    starpu_data_handle_t take(part_table::atom& a, const rectangle& where)
    {
        constexpr node_mask home = node_mask{1} << STARPU_MAIN_RAM;
        if (part_.how == access::write && contains(part_.here, where))
            heal(a.past, running::current()->order.calls_made + 1);
        past_.push_back(a.past);
        a.valid = part_.writes() ? home : a.valid | home;
        return a.handle;
    }

    /// Of several atoms some may reach further than the part.
    starpu_data_access_mode mode() const noexcept { return part_.writes() ? STARPU_RW : STARPU_R; }

    open_part& part_;
    managed_state& data_;
    std::vector<std::shared_ptr<const progress>> writers_;
    std::vector<fault_state> past_;
    arrivals coming_;
};

void acquire_managed(open_part& p, managed_state& m)
{
    const call_visit visit("sk::host");
    running& e = visit.runtime();
    expected_part expected(p, m);
    std::optional<falls_asleep> away;
    if (!m.is_idle()) away.emplace(); // who uses it is under way
    {
        const auto lock = e.order.lock_when_unused([&] { return m.is_worked_on(p.writes()); });
        e.order.flush_locked(m.batch);
        expected.ask();
    }
    e.order.flush();
    expected.wait();
    away.reset();
    e.order.note_wait(p.of);
    if (std::exception_ptr what = expected.fault()) throw_noted(what);
}

/// Of what is open: waits for what this rank has of it.
void acquire_open(open_part& p)
{
    if (p.here.size() == 0) return;
    managed_state* const m = p.of->managed.load(std::memory_order_acquire);
    if (m) acquire_managed(p, *m);
    else acquire_unmanaged(*p.of, access::read); // the error of all is not healed by a part
}

void check_use(const open_part& p, const caller& where)
{
    if (p.here.size() == 0) return;
    check_may_be_read(*p.of, p.how, where);
    if (p.of->watched)
        check_races(*p.of, p.here, p.writes() ? data_use::writes : data_use::reads, place_text(where) + "sk::host");
}

void open(part_hold& h, const caller& where)
{
    if (!try_open(h.part)) throw_view_open(h.part, where);
    h.is_open = true;
}

void open_all(part_hold& h, const caller& where)
{
    h.acquired = acquire(*h.part.of, h.part.how, where);
    h.is_open = true;
}

bool is_seen_as_a_whole(const open_part& p, const rectangle& all)
{
    return p.where == all || (!p.writes() && is_read_as_a_whole(*p.of));
}

/// Of the rectangle that a view lies in: what lies between its elements is to stay.
access access_around(const placement& part, const rectangle& where, access wanted)
{
    return wanted == access::write && where.size() != part.rows * part.cols ? access::read_write : wanted;
}

shown_part show_here(storage& s, const placement& part, access wanted, const caller& where)
{
    const rectangle here = part_at(s, part);
    const access how = access_around(part, here, wanted);
    auto made = std::make_unique<part_hold>(open_part{&s, here, here, how, {}});
    made->is_of_all = is_seen_as_a_whole(made->part, all_of(s));
    if (made->is_of_all) {
        check_may_be_read(s, how, where);
        open_all(*made, where);
    } else {
        check_use(made->part, where);
        open(*made, where);
        acquire_open(made->part);
    }
    shown_part shown = shown_in(s.data, s.element_size, part);
    shown.held = made.release();
    return shown;
}

void record(peers& others, const storage& s, const placement& part, access how, const caller& where)
{
    others.refuse_other_threads("sk::host", where);
    std::uint64_t hash = static_cast<std::uint64_t>(how);
    for (const std::size_t n : {part.offset, part.rows, part.cols, part.ld, part.stride, s.shape_rows, s.shape_cols})
        hash = (hash ^ n) * 0x9e3779b97f4a7c15u;
    others.calls.record(hash, "sk::host", where, part.rows, part.cols);
}

/// Opens it on all ranks. What one of them alone finds wrong all throw: at once if they wait for each other anyhow.
void open_together(peers& others, part_hold& h, const caller& where)
{
    open_part& p = h.part;
    const auto acquire_it = [&] {
        if (h.is_of_all) open_all(h, where);
        else acquire_open(p);
        h.brought.emplace(*p.of, p.where);
    };
    if (p.how == access::write) {
        if (is_viewed_anywhere(*p.of, p.where, true)) throw_view_open(p, where); // on all ranks
        if (!h.is_of_all) open(h, where);
        return or_tell(acquire_it);
    }
    together(others, [&] {
        check_use(p, where);
        if (!h.is_of_all) open(h, where);
        check_foreign_faults(*p.of);
        acquire_it();
    });
}

shown_part show_to_all(storage& s, const placement& part, access wanted, const caller& where)
{
    peers& others = ranks_of_dealt("sk::host of a part", where, s.shape_rows, s.shape_cols);
    record(others, s, part, wanted, where);
    const rectangle whole = part_at(whole_of(s), part);
    const access how = access_around(part, whole, wanted);
    const rectangle here = held_part_of(*s.dealt, static_cast<unsigned>(others.rank()), whole);
    if (how != access::read) part_changes(s, whole);
    auto made = std::make_unique<part_hold>(open_part{&s, whole, here, how, {}});
    made->is_of_all = is_seen_as_a_whole(made->part, whole_of(s));
    open_together(others, *made, where);
    running::current()->order.flush(); // others may wait for these calls
    if (how != access::write) made->brought->gather(others);
    if (how == access::read && !made->is_of_all) give_back(made->part); // what is seen are copies
    made->is_seen = true;
    shown_part shown = made->brought->shown(part);
    shown.held = made.release();
    return shown;
}

} // namespace

shown_part acquire_part(storage& s, const placement& part, access how, const caller& where)
{
    return s.dealt ? show_to_all(s, part, how, where) : show_here(s, part, how, where);
}

void release_part(part_hold* held) noexcept { delete held; }

} // namespace skelrt::detail
