// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include <array>
#include <atomic>
#include <thread>

/// The policy smpss: what one worker made ready another one takes, which has nothing to do.

namespace
{

constexpr int count = 11;
std::atomic<bool> keeper_begun{false};
std::atomic<int> done{0};

struct note {
    int worker = -1, order = -1;
};

void make_ready(void*[], void* argument) { static_cast<note*>(argument)->worker = starpu_worker_get_id(); }
void wait_for_keeper(void*[], void*)
{
    while (!keeper_begun) std::this_thread::yield();
}
/// Until all others are done: whoever runs this runs none of them.
void keep_worker(void*[], void* argument)
{
    static_cast<note*>(argument)->worker = starpu_worker_get_id();
    keeper_begun = true;
    while (done < count) std::this_thread::yield();
}
void take_note(void*[], void* argument)
{
    auto& n = *static_cast<note*>(argument);
    n.worker = starpu_worker_get_id();
    n.order = done++;
}

struct kind {
    kind(starpu_cpu_func_t what, const char* name)
    {
        starpu_codelet_init(&codelet);
        codelet.cpu_funcs[0] = what;
        codelet.name = name;
    }
    starpu_task* make(note* argument)
    {
        starpu_task* t = starpu_task_create();
        t->cl = &codelet;
        t->cl_arg = argument;
        t->cl_arg_size = sizeof(note);
        return t;
    }
    starpu_codelet codelet;
};

void send(starpu_task* t) { REQUIRE(starpu_task_submit(t) == 0); }

} // namespace

TEST_CASE("smpss: an idle worker steals what another one made ready, oldest first", "[smpss][steal]")
{
    kind parent(make_ready, "parent"), other(wait_for_keeper, "other"), keeper(keep_worker, "keeper"),
        child(take_note, "child");
    note of_parent, of_other, of_keeper;
    std::array<note, count> of_children;
    const starpu_run run("smpss", 2);
    {
        const paused hold;
        starpu_task* const first = parent.make(&of_parent);
        starpu_task* before = first;
        std::array<starpu_task*, count + 1> children{};
        for (int i = 0; i < count; ++i)
            children[static_cast<std::size_t>(i)] = child.make(&of_children[static_cast<std::size_t>(i)]);
        children[count] = keeper.make(&of_keeper); // the newest: the parent's worker runs it next
        for (starpu_task* c : children) starpu_task_declare_deps_array(c, 1, &before);
        for (starpu_task* c : children) send(c);
        send(other.make(&of_other));
        send(first);
    }
    starpu_task_wait_for_all(); // hangs, were the children not stolen
    REQUIRE(of_keeper.worker == of_parent.worker);
    for (int i = 0; i < count; ++i) {
        const note& n = of_children[static_cast<std::size_t>(i)];
        CHECK(n.worker == 1 - of_parent.worker);
        CHECK(n.order == i);
    }
}
