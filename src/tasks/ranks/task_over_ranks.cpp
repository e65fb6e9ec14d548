// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/ranks/task_over_ranks.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parts/part_copies.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/tasks/checks/futures.hpp"
#include "src/tasks/place_parts.hpp"
#include "src/tasks/ranks/end_over_ranks.hpp"
#include "src/tasks/ranks/part_messages.hpp"
#include "src/tasks/ranks/task_share.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// All of a task that decides what ranks tell each other.
std::uint64_t hash_of(const task_request& r)
{
    std::uint64_t hash = std::hash<std::string>()(r.what.name());
    const auto add = [&](std::uint64_t value) { hash = hash_combine(hash, value); };
    for (const task_part& p : r.parts) {
        add(static_cast<std::uint64_t>(p.use));
        for (const std::size_t n : {p.place.offset, p.place.rows, p.place.cols, p.place.ld, p.place.stride}) add(n);
        if (p.data)
            for (const std::size_t n : {p.data->shape_rows, p.data->shape_cols}) add(n);
    }
    add(r.futures.size());
    add(r.wishes.after.size());
    return hash;
}

void record(peers& others, const task_request& r)
{
    const caller where = place_of(r);
    others.refuse_other_threads("sk::task", where);
    const placement shape = r.parts.empty() ? placement{} : r.parts.front().place;
    others.calls.record(hash_of(r), "sk::task", where, shape.rows, shape.cols);
}

/// The same part of what lies here.
task_part local_part(const task_part& p, const rectangle& local)
{
    task_part here = p;
    const std::size_t ld = all_of(*p.data).cols;
    here.place = {local.row * ld + local.col, local.rows, local.cols, ld, 1};
    return here;
}

task_part with_use(task_part p, part_use use)
{
    p.use = use;
    return p;
}

std::vector<unsigned> all_but(unsigned rank, unsigned ranks)
{
    std::vector<unsigned> others;
    for (unsigned r = 0; r < ranks; ++r)
        if (r != rank) others.push_back(r);
    return others;
}

/// One task, on one of the ranks.
class task_over_ranks
{
public:
    task_over_ranks(engine& e, const task_request& r)
        : engine_(e), request_(r), me_(static_cast<unsigned>(e.cluster->rank())),
          ranks_(static_cast<unsigned>(e.cluster->size())), title_(task_title(r.what, r.wishes.name, place_of(r))),
          share_(r, title_), parts_(r.parts.begin(), r.parts.end())
    {
    }

    run_handle run(const run_task& run)
    {
        const auto end =
            std::make_shared<end_over_ranks>(request_.body, share_.runner(), title_, place_of(request_), ranks_);
        how wishes = request_.wishes;
        const std::vector<run_handle> futures = bring_ends(wishes);
        or_tell([&] {
            bring_parts();
            if (runs_here())
                end->set_here(std::static_pointer_cast<task_end>(
                    run({request_.what, wishes, request_.body, parts_, futures, request_.on_cores_only}).work()));
            share_results();
        });
        hand_on_faults(*end);
        return run_handle(end);
    }

private:
    bool runs_here() const { return share_.runner() == task_share::everybody || runner() == me_; }
    unsigned runner() const { return static_cast<unsigned>(share_.runner()); }

    /// What it waits for, on this rank. The futures whose values it takes.
    std::vector<run_handle> bring_ends(how& wishes)
    {
        std::vector<run_handle> futures;
        check_futures(request_, place_of(request_));
        for (const run_handle& f : request_.futures) futures.emplace_back(bring(f.work(), true));
        for (dependence& d : wishes.after) d.work = bring(d.work, false);
        return futures;
    }
    std::shared_ptr<started_work> bring(const std::shared_ptr<started_work>& work, bool with_result)
    {
        auto* const end = dynamic_cast<end_over_ranks*>(work.get());
        if (!end) return work;
        end->bring_to(engine_, share_.runner(), with_result, next_message_++, title_);
        if (with_result) faults_.add(end->foreign());
        return end->here();
    }

    /// Parts that lie here, or copies of what lies elsewhere, take the place of what the task was told.
    void bring_parts()
    {
        for (std::size_t k = 0; k < parts_.size(); ++k)
            if (const auto& there = share_.place(k); there && reads(parts_[k].use)) bring_part(k, *there);
        for (std::size_t k = 0; k < parts_.size(); ++k)
            if (const auto& there = share_.place(k)) take_place(k, *there);
    }
    void bring_part(std::size_t k, const dealt_part& there)
    {
        const unsigned number = next_message_++;
        if (there.owner() == runner()) return;
        task_part& p = parts_[k];
        part_copies& copies = copies_of(*p.data);
        const bool is_known = copies.use(there.whole, runner());
        if (!is_known && there.owner() == me_)
            send_part(engine_, local_part(p, there.local), std::vector{runner()}, number);
        if (runner() != me_) return;
        const storage_ref original = p.data;
        if (is_known) {
            p.data = copies.mine(there.whole);
        } else {
            p.data = create_held(all_held(there.whole.rows, there.whole.cols), p.element_size, there.whole.rows > 1);
            set_tiles(*p.data, 1);
            copies.mine(there.whole) = p.data;
        }
        p.place = {0, there.whole.rows, there.whole.cols, there.whole.cols, 1};
        if (!is_known) receive_part(engine_, with_use(p, part_use::out), there.owner(), number);
    }
    /// What this rank knows of what another one reads.
    void hand_on_faults(end_over_ranks& end)
    {
        for (const task_part& p : request_.parts)
            if (p.data && reads(p.use)) faults_.add_foreign(*p.data);
        end.set_foreign(faults_.all());
        for (const task_part& p : request_.parts)
            if (p.data && writes(p.use)) note_foreign_faults(*p.data, faults_, is_all(p));
    }
    static bool is_all(const task_part& p)
    {
        return p.place.rows * p.place.cols == p.data->shape_rows * p.data->shape_cols;
    }
    void take_place(std::size_t k, const dealt_part& there)
    {
        task_part& p = parts_[k];
        if (writes(p.use)) part_changes(*request_.parts[k].data, there.whole);
        if (there.owner() == runner() && runs_here()) p = local_part(p, there.local);
    }

    /// What every rank has, and one has written.
    void share_results()
    {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            if (!share_.is_shared_result(k)) continue;
            const unsigned number = next_message_++;
            if (runs_here()) send_part(engine_, with_use(parts_[k], part_use::in), all_but(me_, ranks_), number);
            else receive_part(engine_, with_use(parts_[k], part_use::out), runner(), number);
        }
    }

    engine& engine_;
    const task_request& request_;
    const unsigned me_, ranks_;
    const std::string title_;
    const task_share share_;
    std::vector<task_part> parts_;
    gathered_faults faults_;
    unsigned next_message_ = 0;
};

} // namespace

run_handle submit_over_ranks(engine& e, const task_request& r, const run_task& run)
{
    record(*e.cluster, r);
    return task_over_ranks(e, r).run(run);
}

} // namespace skelrt::detail
