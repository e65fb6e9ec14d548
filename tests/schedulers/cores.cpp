// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include "schedulers/hint.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>

/// The policy skelrt and tasks that any core may run, within StarPU.

using namespace skelrt::schedulers;

namespace
{

std::atomic<int> started{0}, done{0};
std::atomic<bool> blocked{false};
std::mutex guard;
std::set<int> workers;
std::string order;

void note_worker()
{
    const std::lock_guard lock(guard);
    workers.insert(starpu_worker_get_id());
}

void block(void*[], void*)
{
    note_worker();
    ++started;
    blocked.wait(true);
}
void note(void*[], void* name)
{
    note_worker();
    const std::lock_guard lock(guard);
    if (name) order += *static_cast<const char*>(name);
    ++done;
}

starpu_codelet make(starpu_cpu_func_t what, const char* name)
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = what;
    c.name = name;
    return c;
}

/// Tasks of one core, under a StarPU of some.
class single_tasks
{
public:
    explicit single_tasks(int cores) : run_("skelrt", cores)
    {
        started = done = 0;
        blocked = true;
        workers.clear();
        order.clear();
    }
    ~single_tasks() { finish(); }
    single_tasks(const single_tasks&) = delete;
    single_tasks& operator=(const single_tasks&) = delete;

    void block_one(placement_hint* hint = nullptr) { send(*task(blocker, hint)); }
    /// Blocks so many workers, whichever.
    void block_workers(int n)
    {
        for (int k = 0; k < n; ++k) block_one();
        while (started < n) std::this_thread::yield();
    }
    void submit(char name, int priority = 0, placement_hint* hint = nullptr)
    {
        starpu_task* const t = task(noter, hint);
        t->cl_arg = &names_.emplace_back(name);
        t->cl_arg_size = 1;
        t->priority = priority;
        send(*t);
    }
    static void finish()
    {
        blocked = false;
        blocked.notify_all();
        starpu_task_wait_for_all();
    }

    starpu_codelet blocker = make(block, "block"), noter = make(note, "note");

private:
    static starpu_task* task(starpu_codelet& what, placement_hint* hint)
    {
        starpu_task* const t = starpu_task_create();
        t->cl = &what;
        t->sched_data = hint;
        return t;
    }
    static void send(starpu_task& t) { REQUIRE(starpu_task_submit(&t) == 0); }

    starpu_run run_;
    std::deque<char> names_;
};

} // namespace

TEST_CASE("tasks of one core run on all cores at the same time", "[cores]")
{
    const bool hinted = GENERATE(false, true);
    std::array<worker_cost, 1> cores{{{0, 10, 0}}}; // one worker stands for all of its kind
    placement_hint open;
    open.others = cores;
    single_tasks tasks(4);
    for (int k = 0; k < 4; ++k) tasks.block_one(hinted ? &open : nullptr);
    while (started < 4) std::this_thread::yield(); // hangs, did one wait for another
    single_tasks::finish();
    REQUIRE(workers == std::set<int>{0, 1, 2, 3});
}

TEST_CASE("what waits is taken by whoever is free, whatever the others do", "[cores]")
{
    single_tasks tasks(3);
    tasks.block_workers(2);
    for (int k = 0; k < 100; ++k) tasks.submit('a');
    while (done < 100) std::this_thread::yield();
    REQUIRE(blocked);
}

TEST_CASE("sixty-four workers on a few cores share hundreds of tasks", "[cores]")
{
    single_tasks tasks(64);
    tasks.block_workers(63);
    for (int k = 0; k < 500; ++k) tasks.submit('a');
    while (done < 500) std::this_thread::yield();
    REQUIRE(blocked);
    REQUIRE(workers.size() == 64);
}

TEST_CASE("higher priorities first, then as they came: of a worker's tasks, of those of all cores, and of both",
          "[cores]")
{
    const std::string own = GENERATE("", "abcdefg", "bdf"); // what is for worker 0
    placement_hint here;
    here.worker = 0;
    single_tasks tasks(1);
    tasks.block_workers(1);
    int priority[] = {0, 2, -1, 2, INT_MIN, INT_MAX, 0};
    for (char c = 'a'; c <= 'g'; ++c)
        tasks.submit(c, priority[c - 'a'], own.find(c) == std::string::npos ? nullptr : &here);
    single_tasks::finish();
    REQUIRE(order == "fbdagce");
}

TEST_CASE("only who can run a task takes it", "[cores]")
{
    single_tasks tasks(3);
    tasks.noter.can_execute = [](unsigned worker, starpu_task*, unsigned) { return int{worker == 2}; };
    for (int k = 0; k < 50; ++k) tasks.submit('a');
    while (done < 50) std::this_thread::yield();
    REQUIRE(workers == std::set<int>{2});
}

namespace
{

std::atomic<bool> others_have_core_0{false};

constexpr core_keeper keeper{[](int worker) noexcept { return worker != 0 || !others_have_core_0; },
                             [](int) noexcept {}, [](int) noexcept {}};

/// While it lives, the policy asks for cores.
struct kept_cores {
    kept_cores() { set_core_keeper(&keeper); }
    ~kept_cores() { set_core_keeper(nullptr); }
    kept_cores(const kept_cores&) = delete;
    kept_cores& operator=(const kept_cores&) = delete;
};

} // namespace

TEST_CASE("whose core others have takes no tasks of one core, but those for itself", "[cores]")
{
    const kept_cores kept;
    others_have_core_0 = true;
    placement_hint here;
    here.worker = 0;
    single_tasks tasks(2);
    for (int k = 0; k < 200; ++k) tasks.submit('a');
    while (done < 200) std::this_thread::yield();
    REQUIRE(workers == std::set<int>{1});
    tasks.submit('b', 0, &here);
    while (done < 201) std::this_thread::yield();
    REQUIRE(workers == std::set<int>{0, 1});
    tasks.block_one();
    tasks.block_one();
    while (started < 1) std::this_thread::yield();
    others_have_core_0 = false; // and back
    while (started < 2) std::this_thread::yield();
}
