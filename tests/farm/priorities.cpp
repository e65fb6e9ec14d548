// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <starpu.h>

#include <atomic>
#include <climits>
#include <span>
#include <string>
#include <thread>

/// What farms say of their items holds for their calls and tasks: as StarPU hears it.

namespace sk = skelrt;

namespace
{

int priority_here() { return starpu_task_get_current() ? starpu_task_get_current()->priority : INT_MIN; }

/// Of a task that is made here.
int priority_of_task(int own = 0)
{
    return sk::task({.priority = own}, [] { return priority_here(); }).get();
}

std::atomic<int> seen{INT_MIN};
std::atomic<bool> go{false};

float note_priority(float x)
{
    if (starpu_task_get_current()) seen = priority_here();
    return x;
}

/// Of a call that is made here, on data that a task still writes: so it is a task, too.
int priority_of_call()
{
    seen = INT_MIN;
    go = false;
    sk::vector<float> x(1000);
    sk::task(
        [](std::span<float>) {
            while (!go) std::this_thread::yield();
        },
        sk::out(x));
    const sk::only here(sk::device::cpu);
    const auto note = sk::map(SKELRT_FN((float v) { return note_priority(v); }));
    x = note(x);
    go = true;
    sk::wait(x);
    return seen;
}

} // namespace

TEST_CASE("a task's priority is beside that of its item", "[priorities]")
{
    const skelrt::runtime rt;
    CHECK(priority_of_task(3) == 3);
    int in_item = 0, more = 0, nested = 0, most = 0;
    sk::farm([&] { in_item = priority_of_task(); }, [&] { more = priority_of_task(2); },
             [&] { sk::farm([&] { nested = priority_of_task(); }, [] {}).priority(10)(); },
             [&] { most = priority_of_task(INT_MAX); })
        .priority(5)();
    CHECK(in_item == 5);
    CHECK(more == 7);
    CHECK(nested == 15);
    CHECK(most == INT_MAX);
    CHECK(priority_of_task() == 0);
}

TEST_CASE("a call has its item's priority", "[priorities]")
{
    const skelrt::runtime rt;
    CHECK(priority_of_call() == 0);
    int in_item = 0, below = 0;
    sk::farm([&] { in_item = priority_of_call(); }, [] {}).priority(4)();
    sk::farm([&] { below = priority_of_call(); }, [] {}).priority(-4)();
    CHECK(in_item == 4);
    CHECK(below == -4);
    CHECK(priority_of_call() == 0);
}

TEST_CASE("tasks of urgent items go first", "[priorities]")
{
    skelrt::runtime rt;
    std::string order; // written by tasks on one core
    go = false;
    const auto blocker = sk::task([] {
        while (!go) std::this_thread::yield();
    });
    const auto note = [&order](char name) { sk::task([&order, name] { order += name; }); };
    sk::farm([&] { note('a'); }, [&] { note('a'); }).priority(1)();
    sk::farm([&] { note('b'); }, [&] { sk::farm([&] { note('b'); }, [&] { note('b'); })(); }).priority(2)();
    note('c');
    go = true;
    sk::wait_all();
    rt.wait();
    CHECK(order == "bbbaac");
}
