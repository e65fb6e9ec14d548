// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/hint.hpp"
#include "schedulers/policies.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/queues/group_queue.hpp"
#include "schedulers/queues/worker_queue.hpp"
#include "schedulers/transfers.hpp"
#include "schedulers/workers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cmath>
#include <utility>
#include <vector>

/// The planner's hand: a task goes where its hint says; an open one to a GPU or to the cores, who have a queue in
/// common, where it ends first. Higher priorities go first. The data of the next tasks is sent for ahead. A worker
/// without work takes the last task of who is behind most, if it would end it sooner, the way of the data there and
/// back counted.
namespace skelrt::schedulers
{

namespace
{

constexpr std::size_t most_ahead = 8; ///< tasks of a worker whose data may be under way
constexpr double patience_us = 20;    ///< a thief that found nothing worth taking looks again after that

thread_local unsigned begun_here = 0;
thread_local bool between_tasks = false; ///< a core's worker: it has ended one, and looks for the next
thread_local bool owes_wake = false;     ///< it is to take the next of those that are for any core itself
std::atomic<const core_keeper*> cores_of{nullptr};

/// For tasks of one core that others than this policy share the cores with.
bool take_core(int worker)
{
    const core_keeper* const keeper = cores_of.load(std::memory_order_acquire);
    return !keeper || keeper->take(worker);
}
void leave_core(int worker)
{
    if (const core_keeper* const keeper = cores_of.load(std::memory_order_acquire)) keeper->leave(worker);
}
void wake_cores(int tasks)
{
    if (const core_keeper* const keeper = cores_of.load(std::memory_order_acquire)) keeper->wake(tasks);
}

bool is_core(int worker) { return starpu_worker_get_type(worker) == STARPU_CPU_WORKER; }

/// Workers of a kind may differ in whether they can run it.
bool asks_each_worker(const starpu_task& task) { return task.workerids_len > 0 || task.cl->can_execute; }

/// So many tasks of this one's size, for data that was fetched must stay: where memory is full, StarPU makes room for
/// results with what was not used yet, and fetches it again. Of large tasks none: StarPU itself sends for the data of
/// the next.
std::size_t look_ahead(const starpu_task& task, unsigned node)
{
    constexpr std::size_t part_of_memory = 10;
    const starpu_ssize_t memory = starpu_memory_get_total(node);
    if (memory <= 0) return most_ahead; // nobody set a limit
    std::size_t bytes = 0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&task); ++i)
        bytes += starpu_data_get_size(STARPU_TASK_GET_HANDLE(&task, i));
    return std::min(static_cast<std::size_t>(memory) / part_of_memory / std::max<std::size_t>(bytes, 1), most_ahead);
}

class planners_hand
{
public:
    void add(std::span<const int> workers)
    {
        groups_.add(workers);
        count_cores();
    }
    void remove(std::span<const int> workers)
    {
        groups_.remove(workers);
        count_cores();
    }

    void push(starpu_task& task)
    {
        const placement_hint* hint = read_hint(task.sched_data);
        worker_queue::entry e{&task, 0};
        e.priority = task.priority;
        e.watched = hint;
        e.movable = !hint || hint->movable();
        if (!is_open(hint) && can_run(hint->worker, task)) {
            e.us = hint->expected_us;
            queue_up(e, hint->worker, queue(hint->worker));
            return;
        }
        const candidate best = earliest(task, hint);
        e.us = best.length_us;
        const int wakes = asks_each_worker(task) ? INT_MAX : 1; // the task may be gone afterwards
        queue_up(e, best.worker, is_core(best.worker) ? shared(best.worker).waiting() : queue(best.worker));
        if (wakes > 1 || !takes_next_itself(best.worker)) wake_cores(wakes);
    }

    starpu_task* pop(int worker)
    {
        if (is_core(worker)) return pop_on_core(worker);
        if (starpu_task* const task = pop_own(worker)) return task;
        return steal(worker);
    }

    void starting(starpu_task& task)
    {
        ++begun_here;
        between_tasks = false;
        if (std::exchange(owes_wake, false)) wake_cores(1); // StarPU gave it another one
        arrived(task, node_of(starpu_worker_get_id()));
    }
    void ended(starpu_task& task)
    {
        const int worker = starpu_worker_get_id();
        between_tasks = worker >= 0 && is_core(worker);
        forget(queues_, task);
    }
    static void given(int worker)
    {
        if (is_core(worker)) wake_cores(INT_MAX); // one of them has it
    }

private:
    worker_queue& queue(int worker) { return queues_[static_cast<std::size_t>(worker)]; }
    group_queue& shared(int core) { return shared_[node_of(core)]; }

    void count_cores()
    {
        for (group_queue& q : shared_) q.set_workers(0);
        for (const worker_group& g : groups_.all())
            if (g.kind == STARPU_CPU_WORKER) shared_[g.node].set_workers(g.workers.size());
    }

    void queue_up(worker_queue::entry& e, int worker, worker_queue& q)
    {
        starpu_task& task = *e.task;
        task.predicted = e.us;
        starpu_sched_task_break(&task);
        e.fetched = several_memories() && q.size() < look_ahead(task, node_of(worker));
        if (e.fetched) fetch(task, worker); // before it is in the queue, from where it may be run and gone
        const bool several_may = e.movable || &q != &queue(worker);
        q.push(e);
        if (several_may) wake_all(groups_, ~0u);
        else wake(worker);
    }

    /// Who has just ended a task, and with it what this one waited for, comes for it next: nobody else is woken, but
    /// for more of them, and if it does not take it.
    static bool takes_next_itself(int core)
    {
        const bool takes =
            between_tasks && !owes_wake && is_core(core) && node_of(core) == node_of(starpu_worker_get_id());
        owes_wake = owes_wake || takes;
        return takes;
    }

    /// Single tasks want the worker's core for themselves; those that were planned for it bring their own cores.
    starpu_task* pop_on_core(int worker)
    {
        const bool common = common_goes_first(worker);
        starpu_task* task = common ? pop_common(worker) : nullptr;
        const bool owed = std::exchange(owes_wake, false);
        if (task) return task;
        if (owed && shared(worker).waiting().size() > 0) wake_cores(1);
        shared(worker).ask(worker);
        task = pop_own(worker);
        if (!task) task = steal(worker);
        const bool wants_core = task ? is_open(read_hint(task->sched_data)) : common;
        if (!wants_core) leave_core(worker);
        return task;
    }

    bool common_goes_first(int worker)
    {
        worker_queue &common = shared(worker).waiting(), &own = queue(worker);
        if (common.size() == 0) return false;
        if (own.size() == 0) return true;
        const double now = starpu_timing_now();
        const auto theirs = common.first(now), its = own.first(now);
        return theirs && (!its || goes_before(*theirs, *its));
    }

    starpu_task* pop_common(int worker)
    {
        const double now = starpu_timing_now();
        bool has_core = true; // unless it was refused
        const auto e = shared(worker).take(worker, now, [&] { return has_core = take_core(worker); });
        if (!e) {
            if (has_core) leave_core(worker);
            return nullptr;
        }
        queue(worker).start(worker, *e, now);
        fetch_next(shared(worker).waiting(), worker, *e->task);
        return e->task;
    }

    starpu_task* pop_own(int worker)
    {
        starpu_task* const task = queue(worker).pop(worker);
        if (task) fetch_next(queue(worker), worker, *task);
        return task;
    }

    /// Sends for the data of one more of those that wait, now that this task does no longer.
    void fetch_next(worker_queue& q, int worker, const starpu_task& task)
    {
        if (!several_memories()) return;
        starpu_task* const next = q.hold_unfetched(look_ahead(task, node_of(worker)));
        if (!next) return;
        fetch(*next, worker);
        q.release(*next);
    }

    static unsigned node_of(int worker) { return starpu_worker_get_memory_node(static_cast<unsigned>(worker)); }

    static bool several_memories() { return starpu_memory_nodes_get_count() > 1; }

    /// For open tasks, by their hints or by StarPU's models.
    candidate earliest(starpu_task& task, const placement_hint* hint)
    {
        static thread_local std::vector<candidate> found;
        find_open(task, hint && hint->worker < 0 ? hint : nullptr, found);
        STARPU_ASSERT_MSG(!found.empty(), "no worker can run the task");
        const candidate best = found[earliest_end(found)];
        starpu_task_set_implementation(&task, best.implementation);
        return best;
    }
    void find_open(starpu_task& task, const placement_hint* hint, std::vector<candidate>& found)
    {
        // Where there is no choice nobody is asked how busy it is: all workers want the locks that this takes.
        const bool may_choose = hint ? hint->others.size() > 1 : groups_.all().size() > 1;
        const double now = starpu_timing_now();
        const auto load = [&](int worker, candidate& c) {
            c.busy_us = std::max(queue(worker).busy_us(now), unseen_us(hint, worker, now));
            c.tasks = queue(worker).tasks();
        };
        const auto pick = [&](const worker_group& g, candidate& c) {
            if (hint && !found_in_group(*hint, g.workers.front())) return 0u;
            if (g.kind != STARPU_CPU_WORKER) return freest_worker(g, task, load, c);
            if (may_choose) {
                group_queue& q = shared_[g.node];
                c.busy_us = std::max(q.busy_us(now), unseen_us(hint, g.workers.front(), now));
                c.tasks = q.tasks() / g.workers.size();
            }
            return first_able_worker(g, task, c.worker);
        };
        const auto transfer_us = [&](int worker) { return may_choose ? transfers_.expected_us(task, worker) : 0; };
        const auto length_us = [&](int worker, unsigned implementation) {
            return hint ? cost_in_group(*hint, worker) : expected_us(task, worker, implementation);
        };
        find_candidates(groups_, pick, transfer_us, length_us, found);
        if (hint && found.empty()) find_open(task, nullptr, found); // those that it names are not of this run
    }

    /// What an open task's hint says of workers like this one; null: they shall not have it.
    static const worker_cost* found_in_group(const placement_hint& hint, int worker)
    {
        for (const worker_cost& c : hint.others)
            if (starpu_worker_get_type(c.worker) == starpu_worker_get_type(worker) &&
                node_of(c.worker) == node_of(worker))
                return &c;
        return nullptr;
    }
    static double cost_in_group(const placement_hint& hint, int worker)
    {
        const worker_cost* const known = found_in_group(hint, worker);
        return known ? hint.cost_us(*known) : placement_hint::unknown;
    }

    /// How long workers like this one have work that no queue here tells of, as an open task's hint has it.
    static double unseen_us(const placement_hint* hint, int worker, double now)
    {
        const worker_cost* const known = hint && is_open(hint) ? found_in_group(*hint, worker) : nullptr;
        return known ? known->free_us - now : 0;
    }

    /// What the task's worker does not have, on the way there. Of a library's open task nothing: others may take it,
    /// and StarPU would end with copies left that nobody waits for; it fetches itself what the worker begins next.
    void fetch(starpu_task& task, int worker)
    {
        if (const placement_hint* const hint = read_hint(task.sched_data); hint && is_open(hint)) return;
        if (count_as_under_way(task, worker) && starpu_get_prefetch_flag())
            starpu_prefetch_task_input_for(&task, static_cast<unsigned>(worker));
    }
    /// False if all is there. predicted_transfer remembers it.
    bool count_as_under_way(starpu_task& task, int worker)
    {
        const bool missing = transfers::missing(task, node_of(worker));
        task.predicted_transfer = missing ? 1 : 0;
        if (missing) transfers_.begin(node_of(worker));
        return missing;
    }
    void arrived(starpu_task& task, unsigned node)
    {
        if (task.predicted_transfer > 0) transfers_.end(node);
        task.predicted_transfer = 0;
    }

    /// Whose tasks a thief may look at: a worker's, or those that the cores of a memory node have in common.
    struct victim {
        worker_queue* own = nullptr;
        group_queue* common = nullptr;
        unsigned node = 0;
        double busy_us = 0;
        bool exists() const { return own || common; }
    };

    /// Who is behind most. Nobody, also if the thief looked in vain just now.
    victim latest(int thief, double& now)
    {
        victim last;
        const auto look = [&](const victim& v) {
            if (!last.exists() || v.busy_us > last.busy_us) last = v;
        };
        const double next_look_us = next_look_us_[static_cast<std::size_t>(thief)];
        const auto is_to_look = [&] { return now > 0 || (now = starpu_timing_now()) >= next_look_us; };
        for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
            if (static_cast<int>(w) == thief || !queues_[w].has_movable()) continue;
            if (!is_to_look()) return {};
            look({&queues_[w], nullptr, node_of(static_cast<int>(w)), queues_[w].busy_us(now)});
        }
        for (const worker_group& g : groups_.all()) {
            if (g.kind != STARPU_CPU_WORKER || (is_core(thief) && g.node == node_of(thief))) continue;
            group_queue& q = shared_[g.node];
            if (!q.waiting().has_movable()) continue;
            if (!is_to_look()) return {};
            look({nullptr, &q, g.node, q.busy_us(now)});
        }
        return last;
    }

    starpu_task* steal(int thief)
    {
        double now = 0, us = 0;
        const victim late = latest(thief, now);
        if (!late.exists()) return nullptr;
        const double own_us = queue(thief).busy_us(now); // GPUs ask for more while they work
        const auto wanted = [&](const worker_queue::entry& e, double wait_us, bool only) {
            us = length_on(thief, *e.task);
            const double busy_us = std::max(own_us, unseen_us(read_hint(e.task->sched_data), thief, now));
            // A worker with nothing else to do takes its only task itself.
            return !only && worth_taking({wait_us - busy_us, us, transfers_.expected_us(*e.task, thief)}) &&
                   can_run(thief, *e.task) &&
                   (!is_core(thief) || !is_open(read_hint(e.task->sched_data)) || take_core(thief));
        };
        starpu_task* const task =
            late.own ? late.own->take_from_end(now, wanted) : late.common->take_from_end(now, wanted);
        if (!task) {
            next_look_us_[static_cast<std::size_t>(thief)] = now + patience_us;
            return nullptr;
        }
        arrived(*task, late.node); // its data is not awaited there any more
        if (several_memories()) count_as_under_way(*task, thief);
        task->predicted = us;
        queue(thief).start(thief, {task, us, 0, read_hint(task->sched_data) != nullptr}, now);
        return task;
    }

    /// What the task costs on a worker that asks for it; NaN: it shall not have it, or nobody knows.
    static double length_on(int worker, starpu_task& task)
    {
        const placement_hint* hint = read_hint(task.sched_data);
        unsigned implementation = 0;
        if (!hint) {
            if (!starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), &task, &implementation))
                return placement_hint::unknown;
            return starpu_task_worker_expected_length(&task, static_cast<unsigned>(worker), task.sched_ctx,
                                                      implementation);
        }
        if (hint->arrived && !hint->arrived->load(std::memory_order_acquire)) return placement_hint::unknown;
        return is_open(hint) ? cost_in_group(*hint, worker) : cost_elsewhere(*hint, worker);
    }

    worker_groups groups_;
    std::array<worker_queue, STARPU_NMAXWORKERS> queues_;   ///< what is for this worker
    std::array<group_queue, STARPU_MAXNODES> shared_;       ///< what is for any core of a memory node
    std::array<double, STARPU_NMAXWORKERS> next_look_us_{}; ///< each its worker's
    transfers transfers_;
};

} // namespace

unsigned tasks_begun_here() noexcept { return begun_here; }
void set_core_keeper(const core_keeper* keeper) noexcept { cores_of.store(keeper, std::memory_order_release); }

starpu_sched_policy& skelrt_policy()
{
    static auto policy = adapted<planners_hand>::make(
        "skelrt", "obeys the planner's hints, fetches ahead, steals from workers that are late", true);
    return policy;
}

} // namespace skelrt::schedulers
