#include "schedulers/hint.hpp"
#include "schedulers/policies.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/transfers.hpp"
#include "schedulers/worker_queue.hpp"
#include "schedulers/workers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

/// The planner's hand: a task goes where its hint says, one without a hint where it ends first. The data of a worker's next
/// tasks is sent for ahead. A worker without work takes the last task of the worker that is behind most, if it would end it
/// sooner, the way of the data there and back counted.
namespace skelrt::schedulers
{

namespace
{

constexpr std::size_t most_ahead = 8; ///< tasks of a worker whose data may be under way
constexpr double patience_us = 20;    ///< a thief that found nothing worth taking looks again after that

thread_local unsigned begun_here = 0;
std::atomic<void (*)() noexcept> wake_cores{nullptr};

/// So many tasks of this one's size, for data that was fetched must stay: where memory is full, StarPU makes room for results with
/// what was not used yet, and fetches it again. Of large tasks none: StarPU itself sends for the data of the next.
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
    void add(std::span<const int> workers) { groups_.add(workers); }
    void remove(std::span<const int> workers) { groups_.remove(workers); }

    void push(starpu_task& task)
    {
        const placement_hint* hint = read_hint(task.sched_data);
        worker_queue::entry e{&task, 0};
        e.watched = hint;
        e.movable = !hint || hint->movable();
        int worker = -1;
        if (hint && can_run(hint->worker, task)) {
            worker = hint->worker;
            e.us = hint->expected_us;
        } else {
            const candidate best = earliest(task);
            worker = best.worker;
            e.us = best.length_us;
        }
        task.predicted = e.us;
        starpu_sched_task_break(&task);
        worker_queue& q = queue(worker);
        e.fetched = several_memories() && q.size() < look_ahead(task, node_of(worker));
        if (e.fetched) fetch(task, worker); // before it is in the queue, from where it may be run and gone
        const bool movable = e.movable;
        q.push(e);
        if (movable) wake_all(groups_, ~0u);
        else wake(worker);
        if (hint) return;
        if (const auto wake_sleepers = wake_cores.load(std::memory_order_relaxed)) wake_sleepers();
    }

    starpu_task* pop(int worker)
    {
        worker_queue& q = queue(worker);
        starpu_task* task = q.pop(worker);
        if (!task) return steal(worker);
        if (!several_memories()) return task;
        if (starpu_task* next = q.hold_unfetched(look_ahead(*task, node_of(worker)))) {
            fetch(*next, worker);
            q.release(*next);
        }
        return task;
    }

    void starting(starpu_task& task)
    {
        ++begun_here;
        arrived(task, starpu_worker_get_id());
    }
    void ended(starpu_task& task) { forget(queues_, task); }

private:
    worker_queue& queue(int worker) { return queues_[static_cast<std::size_t>(worker)]; }

    static unsigned node_of(int worker) { return starpu_worker_get_memory_node(static_cast<unsigned>(worker)); }

    static bool several_memories() { return starpu_memory_nodes_get_count() > 1; }

    /// For tasks without a hint.
    candidate earliest(starpu_task& task)
    {
        static thread_local std::vector<candidate> found;
        const double now = starpu_timing_now();
        const auto load = [&](int worker, candidate& c) {
            c.busy_us = queue(worker).busy_us(now);
            c.tasks = queue(worker).tasks();
        };
        find_candidates(
            groups_, task, load, [&](int worker) { return transfers_.expected_us(task, worker); }, found);
        STARPU_ASSERT_MSG(!found.empty(), "no worker can run the task");
        const candidate best = found[earliest_end(found)];
        starpu_task_set_implementation(&task, best.implementation);
        return best;
    }

    /// What the task's worker does not have, on the way there.
    void fetch(starpu_task& task, int worker)
    {
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
    void arrived(starpu_task& task, int worker)
    {
        if (task.predicted_transfer > 0) transfers_.end(node_of(worker));
        task.predicted_transfer = 0;
    }

    starpu_task* steal(int thief)
    {
        double& next_look_us = next_look_us_[static_cast<std::size_t>(thief)];
        const unsigned n = starpu_worker_get_count();
        int victim = -1;
        double now = 0, latest = 0;
        for (unsigned w = 0; w < n; ++w) {
            if (static_cast<int>(w) == thief || !queues_[w].has_movable()) continue;
            if (victim < 0 && (now = starpu_timing_now()) < next_look_us) return nullptr;
            const double busy = queues_[w].busy_us(now);
            if (victim >= 0 && busy <= latest) continue;
            victim = static_cast<int>(w);
            latest = busy;
        }
        if (victim < 0) return nullptr;
        double us = 0;
        const double own_us = queue(thief).busy_us(now); // GPUs ask for more while they work
        starpu_task* const task =
            queue(victim).take_from_end(now, [&](const worker_queue::entry& e, double wait_us, bool only) {
                us = length_on(thief, *e.task);
                // A worker with nothing else to do takes its only task itself.
                return !only && worth_taking({wait_us - own_us, us, transfers_.expected_us(*e.task, thief)}) &&
                       can_run(thief, *e.task);
            });
        if (!task) {
            next_look_us = now + patience_us;
            return nullptr;
        }
        arrived(*task, victim); // its data is not awaited there any more
        if (several_memories()) count_as_under_way(*task, thief);
        task->predicted = us;
        queue(thief).start(thief, {task, us, read_hint(task->sched_data) != nullptr});
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
        return cost_elsewhere(*hint, worker);
    }

    worker_groups groups_;
    std::array<worker_queue, STARPU_NMAXWORKERS> queues_;
    std::array<double, STARPU_NMAXWORKERS> next_look_us_{}; ///< each its worker's
    transfers transfers_;
};

} // namespace

unsigned tasks_begun_here() noexcept { return begun_here; }
void call_for_own_tasks(void (*wake)() noexcept) noexcept { wake_cores.store(wake); }

starpu_sched_policy& skelrt_policy()
{
    static auto policy = adapted<planners_hand>::make(
        "skelrt", "obeys the planner's hints, fetches ahead, steals from workers that are late", true);
    return policy;
}

} // namespace skelrt::schedulers
