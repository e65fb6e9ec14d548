// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/engine.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/program/program.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <mutex>
#include <span>
#include <thread>

/// Tasks on the load board: where others' calls see them.

namespace sk = skelrt;
using namespace skelrt::detail;

namespace
{

double cores_of_others()
{
    engine& e = *engine::current();
    const std::lock_guard lock(e.order);
    return e.loads().of_others(0, program::current()); // the cores are the first target
}

} // namespace

TEST_CASE("tasks that wait keep the cores busy for others, until they have ended", "[task][concurrent]")
{
    const skelrt::runtime rt;
    if (rt.devices().front().kind != sk::device::cpu || engine::current()->devices().policy_places()) return;
    CHECK(cores_of_others() == 0); // and this thread has a program
    std::atomic<int> step{0};
    sk::vector<int> x(10, 0);
    std::thread other([&] {
        const auto wait = [&step](std::span<int> v) {
            while (step < 2) std::this_thread::yield();
            ++v[0];
        };
        for (int k = 0; k < 5; ++k) sk::task({.on = sk::device::cpu}, wait, sk::inout(x));
        step = 1;
        sk::wait_all();
        step = 3;
    });
    while (step < 1) std::this_thread::yield();
    CHECK(cores_of_others() > 0);
    step = 2;
    while (step < 3) std::this_thread::yield();
    CHECK(cores_of_others() == 0);
    other.join();
    CHECK(sk::host_read(x)[0] == 5);
}

TEST_CASE("a program's own tasks are not in the way of its calls", "[task][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> go{false};
    sk::vector<int> x(10, 0);
    sk::task(
        {.work = 1e6},
        [&](std::span<int>) {
            while (!go) std::this_thread::yield();
        },
        sk::inout(x));
    CHECK(cores_of_others() == 0);
    go = true;
}
