// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include "../stderr_of.hpp"

#include <starpu.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Calls from tasks and callbacks that the program gave to StarPU itself: nothing may wait there.

namespace
{

std::string said;

void call_something(void*)
{
    try {
        const sk::vector<int> x(10, 1);
        said = "the call gave " + std::to_string(sum(twice(x)).get());
    } catch (const sk::error& e) {
        said = e.what();
    }
}

void in_task(void**, void* argument) { call_something(argument); }

void act_and_tell(void* act)
{
    said = "nothing";
    try {
        (*static_cast<std::function<void()>*>(act))();
    } catch (const sk::error& e) {
        said = e.what();
    }
}

/// The last: of a task that runs nowhere, so it may be the submitting thread's.
enum class place { task, callback, callback_here };

/// `act` in a task of the program's own, or in a callback.
void act_in(place where, std::function<void()> act)
{
    starpu_codelet how;
    starpu_codelet_init(&how);
    how.cpu_funcs[0] = [](void**, void*) {};
    if (where == place::task) how.cpu_funcs[0] = [](void**, void* what) { act_and_tell(what); };
    if (where == place::callback_here) how.where = STARPU_NOWHERE;
    starpu_task* const t = starpu_task_create();
    t->cl = &how;
    t->cl_arg = &act;
    t->cl_arg_size = sizeof act;
    if (where != place::task) {
        t->callback_func = &act_and_tell;
        t->callback_arg = &act;
    }
    t->detach = 0;
    t->destroy = 0;
    REQUIRE(starpu_task_submit(t) == 0);
    REQUIRE(starpu_task_wait(t) == 0);
    starpu_task_destroy(t);
}

} // namespace

TEST_CASE("a call in a task or callback of the program's own", "[nested]")
{
    for (const char* limit : {"0", "1000000"}) {
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt;
        starpu_codelet how;
        starpu_codelet_init(&how);
        how.cpu_funcs[0] = &in_task;
        said.clear();
        REQUIRE(starpu_task_insert(&how, 0) == 0);
        starpu_task_wait_for_all();
        REQUIRE_THAT(said, Contains("task"));
        said.clear();
        how.cpu_funcs[0] = [](void**, void*) {};
        REQUIRE(starpu_task_insert(&how, STARPU_CALLBACK, &call_something, 0) == 0);
        starpu_task_wait_for_all();
        REQUIRE_THAT(said, Contains("task"));
        REQUIRE(sum(twice(sk::vector<int>(10, 1))).get() == 20);
    }
}

TEST_CASE("what may wait is refused in a task or callback of the program's own", "[nested]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::runtime rt;
    const place where = GENERATE(place::task, place::callback, place::callback_here);
    sk::vector<int> x(1000, 1), y(1000, 0);
    x = twice(x);
    sk::scalar<int> s = sum(x);
    std::vector<int> memory(1000, 1);
    sk::vector<int> borrowed(sk::borrow, memory.data(), memory.size());
    borrowed = twice(borrowed);
    const std::pair<const char*, std::function<void()>> acts[] = {
        {"call", [&] { y = twice(x); }},
        {"view", [&] { static_cast<void>(sk::host_read(x)[0]); }},
        {"view to write", [&] { sk::host(x)[0] = 3; }},
        {"wait", [&] { sk::wait(x); }},
        {"wait for all", [&] { rt.wait(); }},
        {"get", [&] { static_cast<void>(s.get()); }},
        {"value", [&] { static_cast<void>(sum(x).get()); }},
        {"copy", [&] { const sk::vector<int> copy(x); }},
        {"assign", [&] { y = x; }},
        {"assign to borrowed", [&] { borrowed = x; }},
        {"resize", [&] { x.resize(10); }},
        {"devices", [&] { static_cast<void>(rt.devices()); }},
        {"only", [&] { const sk::only cpu(sk::device::cpu); }},
        {"forget", [&] { sk::forget_models(); }},
        {"part", [&] { y.range(0, 10) = x.range(0, 10); }},
    };
    for (const auto& [name, act] : acts) {
        act_in(where, act);
        INFO(name);
        CHECK_THAT(said, Contains("task"));
    }
    CHECK(values(x) == std::vector<int>(1000, 2));
    CHECK(values(borrowed) == std::vector<int>(1000, 2));
    CHECK(s.get() == 2000);
    y = twice(x);
    CHECK(values(y) == std::vector<int>(1000, 4));
}

TEST_CASE("what does not wait is allowed in a task or callback of the program's own", "[nested]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const place where = GENERATE(place::task, place::callback, place::callback_here);
    sk::runtime rt;
    sk::vector<int> made;
    act_in(where, [&] {
        sk::vector<int> x(1000, 1);
        sk::host(x)[3] = 5;
        const sk::vector<int> copy = x;
        sk::wait(copy);
        made = copy;
    });
    CHECK(said == "nothing");
    made = twice(made);
    CHECK(values(made)[3] == 10);

    sk::vector<int> goes = twice(made), moved = twice(made);
    act_in(where, [&] {
        goes = {};
        const sk::vector<int> to = std::move(moved);
    });
    CHECK(said == "nothing");
    rt.wait();
    made = twice(made);
    CHECK(values(made)[3] == 20);
}

TEST_CASE("borrowed memory that a task lets go of: the log says so", "[nested]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const place where = GENERATE(place::task, place::callback, place::callback_here);
    std::vector<int> memory(1000, 1);
    const std::string told = stderr_of([&] {
        sk::runtime rt;
        sk::vector<int> borrowed(sk::borrow, memory.data(), memory.size());
        borrowed = twice(borrowed);
        act_in(where, [&] { borrowed.clear(); });
        rt.wait();
    });
    CHECK(said == "nothing");
    CHECK_THAT(told, Contains("borrowed memory"));
    CHECK(memory == std::vector<int>(1000, 2));
}

TEST_CASE("a view that ends in a task or callback of the program's own", "[nested]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const place where = GENERATE(place::task, place::callback, place::callback_here);
    const bool writes = GENERATE(false, true);
    const int next = GENERATE(0, 1, 2, 3);
    sk::runtime rt;
    sk::vector<int> x(1000, 1), y(1000, 0);
    x = twice(x);
    if (writes) {
        auto view = std::make_optional(sk::host(x));
        (*view)[0] = 2;
        act_in(where, [&] { view.reset(); });
    } else {
        auto view = std::make_optional(sk::host_read(x));
        act_in(where, [&] { view.reset(); });
    }
    CHECK(said == "nothing");
    if (next == 0) CHECK(values(x) == std::vector<int>(1000, 2));
    if (next == 1) sk::wait(x);
    if (next == 2) rt.wait();
    x = twice(x);
    if (next == 3) x = sk::vector<int>(1000, 4);
    y = twice(x);
    CHECK(values(y) == std::vector<int>(1000, 8));
}
