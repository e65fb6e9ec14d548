#include "src/cluster/other_ranks.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/faults/unwritten.hpp"
#include "src/data/managed.hpp"
#include "src/data/parts/arrivals.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/program/of_one_rank.hpp"
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
    open_part part;
    bool is_of_all = false;
    managed_state* acquired = nullptr; ///< of all
};

namespace
{

std::string text_of(const rectangle& r) { return fmt::format("{} x {} at ({}, {})", r.rows, r.cols, r.row, r.col); }

[[noreturn]] void throw_view_open(const open_part& p, const caller& where)
{
    throw error(fmt::format("{}sk::host: a view is open of elements among {} of a container of {} x {}, or of all of "
                            "them, and one of both may write; let it go out of scope first",
                            place_text(where), text_of(p.where), p.of->rows, p.of->cols));
}

void check_may_be_read(storage& s, access how, const caller& where)
{
    const bool may_look = s.readers + s.writers == 0; // at all of it, else at what other views are of
    if (how == access::read && may_look && is_all_unwritten(s))
        throw error(fmt::format("{}sk::host reads part of a container of {} elements that nobody has written "
                                "(SKELRT_CHECK=unwritten)",
                                place_text(where), s.count()));
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
            may_be_cut(data_) ? atoms.use(part_.where, {use, any_number}) : atoms.use_uncut(part_.where, use);
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
        if (part_.how == access::write && contains(part_.where, where))
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

void acquire_part_only(open_part& p, const caller& where)
{
    if (!try_open(p)) throw_view_open(p, where);
    try {
        managed_state* const m = p.of->managed.load(std::memory_order_acquire);
        if (m) acquire_managed(p, *m);
        else acquire_unmanaged(*p.of, access::read); // the error of all is not healed by a part
    } catch (...) {
        close(p);
        throw;
    }
}

} // namespace

part_hold* acquire_part(storage& s, const placement& part, access how, const caller& where)
{
    if (s.dealt && is_of_one_rank()) throw_dealt_in_item("sk::host of a part", where, s.shape_rows, s.shape_cols);
    if (s.dealt)
        throw error(fmt::format("not yet over several ranks: {}sk::host of a part of a container ({} x {} elements); "
                                "look at all of it, or at what this rank holds: sk::local(x)",
                                place_text(where), s.shape_rows, s.shape_cols));
    check_may_be_read(s, how, where);
    auto made = std::make_unique<part_hold>();
    made->part = {&s, part_at(s, part), how, {}};
    made->is_of_all = made->part.where == all_of(s) || (how == access::read && is_read_as_a_whole(s));
    if (made->is_of_all) {
        made->acquired = acquire(s, how, where);
        return made.release();
    }
    if (s.watched)
        check_races(s, made->part.where, how == access::read ? data_use::reads : data_use::writes,
                    place_text(where) + "sk::host");
    acquire_part_only(made->part, where);
    return made.release();
}

void release_part(part_hold* held) noexcept
{
    const std::unique_ptr<part_hold> gone(held);
    if (held->is_of_all) return release(*held->part.of, held->part.how, held->acquired);
    const patient_visit visit;
    close(held->part);
}

} // namespace skelrt::detail
