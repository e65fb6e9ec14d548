// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

/// The policies within StarPU: who runs what, in which order.

namespace
{

/// Notes names as tasks run.
struct log {
    std::mutex guard;
    std::string order;
    std::vector<int> workers;
};

struct named {
    log* to;
    char name;
};

void note(void*[], void* argument)
{
    const auto& t = *static_cast<const named*>(argument);
    const std::lock_guard lock(t.to->guard);
    t.to->order += t.name;
    t.to->workers.push_back(starpu_worker_get_id());
}

starpu_codelet make_codelet()
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = note;
    c.name = "note";
    return c;
}

/// Tasks that note their names.
class noted_tasks
{
public:
    starpu_task* make(char name, int priority = 0)
    {
        names_.push_back({&log_, name});
        starpu_task* t = starpu_task_create();
        t->cl = &codelet_;
        t->cl_arg = &names_.back();
        t->cl_arg_size = sizeof(named);
        t->priority = priority;
        return t;
    }
    void submit(char name, int priority = 0) { send(make(name, priority)); }
    static void send(starpu_task* t) { REQUIRE(starpu_task_submit(t) == 0); }

    const std::string& order() const { return log_.order; }
    std::size_t run_by(int worker) const
    {
        return static_cast<std::size_t>(std::count(log_.workers.begin(), log_.workers.end(), worker));
    }

    starpu_codelet codelet_ = make_codelet();

private:
    log log_;
    std::deque<named> names_;
};

} // namespace

TEST_CASE("smpss: high priority first, the others as they came", "[smpss]")
{
    noted_tasks tasks;
    const starpu_run run("smpss", 1);
    {
        const paused hold;
        tasks.submit('a');
        tasks.submit('B', 1);
        tasks.submit('c');
        tasks.submit('D', 2); // there is one high queue: no order among priorities
        tasks.submit('e', -3);
        tasks.submit('F', 1);
    }
    starpu_task_wait_for_all();
    REQUIRE(tasks.order() == "BDFace");
}

TEST_CASE("smpss: what a worker made ready it runs next, newest first; but high priority goes before", "[smpss]")
{
    noted_tasks tasks;
    const starpu_run run("smpss", 1);
    {
        const paused hold;
        starpu_task* parent = tasks.make('p');
        std::vector<starpu_task*> children;
        for (const auto& [name, priority] : {std::pair{'1', 0}, {'2', 0}, {'H', 1}, {'3', 0}}) {
            children.push_back(tasks.make(name, priority));
            starpu_task_declare_deps_array(children.back(), 1, &parent);
        }
        for (starpu_task* c : children) noted_tasks::send(c);
        noted_tasks::send(parent);
        tasks.submit('x');
        tasks.submit('y');
    }
    starpu_task_wait_for_all();
    REQUIRE(tasks.order() == "pH321xy");
}

TEST_CASE("heft and static-device keep the order of arrival on a worker, whatever the priorities", "[heft][static]")
{
    const char* name = GENERATE("heft-tm", "heft-tm-pr", "heft-tmdp", "heft-tmdp-pr", "static-device");
    noted_tasks tasks;
    const starpu_run run(name, 1);
    {
        const paused hold;
        for (char c = 'a'; c <= 'h'; ++c) tasks.submit(c, c % 3);
    }
    starpu_task_wait_for_all();
    REQUIRE(tasks.order() == "abcdefgh");
}

TEST_CASE("heft and static-device share equal tasks among equal workers", "[heft][static]")
{
    const char* name = GENERATE("heft-tm", "heft-tmdp-pr", "static-device");
    static starpu_perfmodel model = [] {
        starpu_perfmodel m{};
        m.type = STARPU_PER_WORKER;
        m.worker_cost_function = [](starpu_task*, unsigned, unsigned) { return 1e6; };
        m.symbol = "of_equal_workers";
        return m;
    }();
    noted_tasks tasks;
    tasks.codelet_.model = &model;
    const starpu_run run(name, 2);
    {
        const paused hold;
        for (char c = 'a'; c <= 'h'; ++c) tasks.submit(c);
    }
    starpu_task_wait_for_all();
    REQUIRE(tasks.run_by(0) == 4);
    REQUIRE(tasks.run_by(1) == 4);
}

TEST_CASE("static-device: what the kind cannot run goes to one that can", "[static]")
{
    REQUIRE(setenv("SKELRT_STATIC_DEVICE", "cuda", 1) == 0);
    noted_tasks tasks;
    const starpu_run run("static-device", 1);
    for (char c = 'a'; c <= 'd'; ++c) tasks.submit(c);
    starpu_task_wait_for_all();
    unsetenv("SKELRT_STATIC_DEVICE");
    REQUIRE(tasks.order() == "abcd");
}

namespace
{

void add(void* buffers[], void*)
{
    auto& to = *reinterpret_cast<long*>(STARPU_VARIABLE_GET_PTR(buffers[0]));
    const auto from = *reinterpret_cast<const long*>(STARPU_VARIABLE_GET_PTR(buffers[1]));
    to = (3 * to + from) % 1000003;
}

} // namespace

TEST_CASE("every policy runs every task once, in the order of its data", "[all]")
{
    const char* name =
        GENERATE("skelrt", "smpss", "heft-tm", "heft-tm-pr", "heft-tmdp", "heft-tmdp-pr", "static-device");
    CAPTURE(name);
    constexpr std::size_t values = 16;
    std::array<long, values> data{}, expected{};
    for (std::size_t i = 0; i < values; ++i) data[i] = expected[i] = static_cast<long>(i);
    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = add;
    codelet.nbuffers = 2;
    codelet.modes[0] = STARPU_RW;
    codelet.modes[1] = STARPU_R;
    codelet.name = "add";
    const starpu_run run(name, 2);
    std::array<starpu_data_handle_t, values> handles{};
    for (std::size_t i = 0; i < values; ++i)
        starpu_variable_data_register(&handles[i], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&data[i]),
                                      sizeof(long));
    std::uint32_t seed = 1;
    const auto random = [&](std::uint32_t n) { return (seed = seed * 1664525u + 1013904223u) >> 8 & (n - 1); };
    for (int i = 0; i < 3000; ++i) {
        const std::size_t to = random(values), from = (to + 1 + random(8)) % values;
        starpu_task* t = starpu_task_create();
        t->cl = &codelet;
        t->handles[0] = handles[to];
        t->handles[1] = handles[from];
        t->priority = static_cast<int>(random(4)) - 2;
        REQUIRE(starpu_task_submit(t) == 0);
        expected[to] = (3 * expected[to] + expected[from]) % 1000003;
    }
    starpu_task_wait_for_all();
    for (starpu_data_handle_t h : handles) starpu_data_unregister(h);
    REQUIRE(data == expected);
}
