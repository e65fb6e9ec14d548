// SPDX-License-Identifier: BSD-3-Clause
#include "tests/misuse/misuse.hpp"

#include "src/lowering/engine.hpp"
#include "src/runtime/cores/team.hpp"

#include <pthread.h>
#include <sched.h>
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <future>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

/// Regions of the team beside tasks of one core, which may not wait for each other.

using namespace skelrt::detail;

namespace
{

std::atomic<int> started{0};
std::atomic<bool> blocked{false};

/// The program's own tasks, which keep some cores busy while it lives.
class busy_cores
{
public:
    /// So many of the last workers.
    explicit busy_cores(int n)
    {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = [](void**, void*) {
            ++started;
            blocked.wait(true);
        };
        started = 0;
        blocked = true;
        const auto& workers = engine::current()->devices().cpu_workers();
        masks_.assign(static_cast<std::size_t>(n), std::vector<std::uint32_t>(STARPU_NMAXWORKERS / 32));
        for (int k = 0; k < n; ++k) {
            auto& mask = masks_[static_cast<std::size_t>(k)];
            const int worker = workers[workers.size() - 1 - static_cast<std::size_t>(k)];
            mask[static_cast<std::size_t>(worker) / 32] |= 1u << worker % 32;
            starpu_task* const t = starpu_task_create();
            t->cl = &codelet_;
            t->workerids = mask.data();
            t->workerids_len = static_cast<unsigned>(mask.size());
            REQUIRE(starpu_task_submit(t) == 0);
        }
        while (started < n) std::this_thread::yield();
    }
    ~busy_cores()
    {
        end();
        starpu_task_wait_for_all();
    }
    busy_cores(const busy_cores&) = delete;
    busy_cores& operator=(const busy_cores&) = delete;

    static void end()
    {
        blocked = false;
        blocked.notify_all();
    }

private:
    starpu_codelet codelet_;
    std::vector<std::vector<std::uint32_t>> masks_;
};

int core_count() { return static_cast<int>(engine::current()->devices().cores()); }

/// 1, 2 and all of the cores, as far as there are so many.
std::set<int> some_busy() { return {1, std::min(2, core_count()), core_count()}; }

void require_region_beside(int busy)
{
    // The leader is there, whether its core is free or not. Idle workers that look for tasks leave their cores soon.
    while (team_lead(leader::caller).members() < std::max(1, core_count() - busy)) std::this_thread::yield();
    team_lead lead(leader::caller);
    REQUIRE(lead);
    REQUIRE(lead.members() <= core_count() - busy + 1);
    REQUIRE_FALSE(lead.has_all());
    std::vector<int> times(static_cast<std::size_t>(lead.members()), 0);
    for (int k = 1; k <= 200; ++k) {
        lead.run([&](int member, int members) {
            if (members == lead.members()) ++times[static_cast<std::size_t>(member)];
        });
        REQUIRE(times == std::vector<int>(times.size(), k));
    }
}

void require_region_of_all()
{
    while (!team_lead(leader::caller).has_all()) std::this_thread::yield(); // workers leave their cores soon
    std::atomic<int> there{0};
    team_lead(leader::caller).run([&](int, int members) { there += members == core_count(); });
    REQUIRE(there == core_count());
}

} // namespace

TEST_CASE("a region takes the cores that are free, and all when tasks have ended", "[team][cores]")
{
    const skelrt::runtime rt;
    for (int round = 0; round < 3; ++round)
        for (const int busy : some_busy()) {
            {
                const busy_cores cores(busy);
                require_region_beside(busy);
                REQUIRE(blocked);
            }
            require_region_of_all();
        }
}

TEST_CASE("a task waits for its core until the region ends, and regions in a row do not keep it waiting",
          "[team][cores]")
{
    const skelrt::runtime rt;
    starpu_codelet count;
    starpu_codelet_init(&count);
    static std::atomic<int> done;
    done = 0;
    count.cpu_funcs[0] = [](void**, void*) { ++done; };
    {
        team_lead lead(leader::caller);
        REQUIRE(lead.has_all());
        starpu_task* const t = starpu_task_create();
        t->cl = &count;
        REQUIRE(starpu_task_submit(t) == 0);
        for (int k = 0; k < 100; ++k) lead.run([](int, int) {});
        REQUIRE(done == 0); // nobody may begin
    }
    while (done == 0) team_lead(leader::caller).run([](int, int) {});
}

namespace
{

/// Cores are taken for good only where each thread may have its own, and some are left.
bool cores_can_be_held() { return core_count() >= 3; }

/// Threads that hold a core each, until they are to leave, or its worker wants it.
class holders
{
public:
    explicit holders(int n)
    {
        for (int k = 0; k < n; ++k) threads_.emplace_back([this] { hold(); });
        while (tried_ < n) std::this_thread::yield();
    }
    ~holders()
    {
        leave_ = true;
        for (std::thread& t : threads_) t.join();
    }
    holders(const holders&) = delete;
    holders& operator=(const holders&) = delete;
    int holding() const { return holding_; }

private:
    void hold()
    {
        held_core core;
        const bool mine = core.take();
        holding_ += mine;
        ++tried_;
        while (mine && !leave_ && !core.is_wanted()) std::this_thread::yield();
        core.leave();
        core.leave(); // is fine
        holding_ -= mine;
    }

    std::atomic<int> tried_{0}, holding_{0};
    std::atomic<bool> leave_{false};
    std::vector<std::thread> threads_;
};

} // namespace

TEST_CASE("regions leave out the cores that threads hold", "[team][cores]")
{
    const skelrt::runtime rt;
    if (!cores_can_be_held()) return;
    for (const int n : {1, core_count() - 1}) {
        require_region_of_all(); // no worker has its core any more
        {
            const holders threads(n);
            REQUIRE(threads.holding() == n);
            REQUIRE(free_cores() == core_count() - n);
            require_region_beside(n);
        }
        REQUIRE(free_cores() == core_count());
    }
    require_region_of_all();
}

TEST_CASE("no more threads hold cores than there are", "[team][cores]")
{
    const skelrt::runtime rt;
    if (!cores_can_be_held()) return;
    require_region_of_all();
    const holders threads(core_count() + 2);
    REQUIRE(threads.holding() == core_count());
    REQUIRE(free_cores() == 0);
}

TEST_CASE("a thread that holds a core leads regions there, of all cores if the others are free", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    held_core mine;
    REQUIRE(mine.take());
    require_region_of_all();
    mine.leave();
    require_region_of_all();
}

namespace
{

/// Whether each member of a region was there, once.
bool all_members_come(team_lead& lead)
{
    const int n = lead.members();
    std::atomic<int> there{0}, sum{0};
    lead.run([&](int member, int members) {
        there += members == n;
        sum += member;
    });
    return there == n && sum == n * (n - 1) / 2;
}

} // namespace

TEST_CASE("threads that hold a core each lead in turns, also with the leading worker", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    std::atomic<int> wrong{0};
    const auto lead_often = [&] {
        held_core core;
        while (!core.take()) std::this_thread::yield(); // a region has them all just now
        for (int led = 0; led < 300; std::this_thread::yield()) {
            team_lead lead(leader::caller);
            if (!lead) continue;
            wrong += !all_members_come(lead);
            ++led;
        }
    };
    std::vector<std::thread> threads;
    for (int k = 0; k < std::min(3, core_count()); ++k) threads.emplace_back(lead_often);
    for (int k = 0; k < 100; ++k) {
        team_lead lead(leader::worker);
        wrong += !all_members_come(lead);
    }
    for (std::thread& t : threads) t.join();
    REQUIRE(wrong == 0);
    require_region_of_all();
}

TEST_CASE("single tasks get the cores that threads hold, for these leave them when they are wanted", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    for (int round = 0; round < 3; ++round) {
        const holders threads(core_count());
        const busy_cores tasks(core_count()); // begin on every core, or this waits for ever
        if (cores_can_be_held()) REQUIRE(free_cores() == 0);
    }
    require_region_of_all();
}

namespace
{

/// The logical CPUs of the team's threads; the calling one's in the place where it leads.
std::vector<int> cpus_of_team()
{
    team_lead lead(leader::caller);
    std::vector<int> cpus(static_cast<std::size_t>(lead.members()));
    lead.run([&](int member, int) { cpus[static_cast<std::size_t>(member)] = sched_getcpu(); });
    return cpus;
}

/// The calling thread does not leave that CPU while this lives.
class stays_on
{
public:
    explicit stays_on(int cpu)
    {
        pthread_getaffinity_np(pthread_self(), sizeof before_, &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    }
    ~stays_on() { pthread_setaffinity_np(pthread_self(), sizeof before_, &before_); }
    stays_on(const stays_on&) = delete;
    stays_on& operator=(const stays_on&) = delete;

private:
    cpu_set_t before_;
};

/// A thread that is a guest on that CPU while this lives.
class guest_on
{
public:
    explicit guest_on(int cpu)
        : thread_([this, cpu] {
              const stays_on there(cpu);
              {
                  const as_guest computes;
                  is_there_.set_value();
                  go_.get_future().wait();
              }
              leave_as_guest();
              leave_as_guest(); // is fine
          })
    {
        is_there_.get_future().wait();
    }
    ~guest_on()
    {
        go_.set_value();
        thread_.join();
    }
    guest_on(const guest_on&) = delete;
    guest_on& operator=(const guest_on&) = delete;

private:
    std::promise<void> is_there_, go_;
    std::thread thread_;
};

/// Some work for each element, so that a call takes some microseconds and all cores take less.
const auto step = sk::map(SKELRT_FN((float x) {
    for (int k = 0; k < 8; ++k) x = x * 0.5f + 1.0f;
    return x;
}));

/// Calls in a row on a container that nobody else has: from anything towards 2, exactly.
bool make_calls(std::size_t n, int calls)
{
    sk::vector<float> x(n, 3.0f);
    for (int k = 0; k < calls; ++k) x = step(x);
    const auto got = values(x);
    return got.size() == n && std::ranges::all_of(got, [](float v) { return v == 2.0f; });
}

} // namespace

TEST_CASE("regions leave out the core where another thread is a guest, and take it when that one goes", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    const int here = sched_getcpu();
    const stays_on same(here);
    const std::vector<int> cpus = cpus_of_team();
    const auto other = std::ranges::find_if(cpus, [here](int cpu) { return cpu != here; });
    if (other == cpus.end()) return;
    for (int round = 0; round < 3; ++round) {
        {
            const guest_on there(*other);
            team_lead lead(leader::caller);
            REQUIRE(lead.members() == core_count() - 1);
            REQUIRE_FALSE(lead.has_all());
            std::vector<int> times(static_cast<std::size_t>(lead.members()), 0);
            for (int k = 0; k < 100; ++k) lead.run([&](int member, int) { ++times[static_cast<std::size_t>(member)]; });
            REQUIRE(times == std::vector<int>(times.size(), 100));
        }
        REQUIRE(cpus_of_team().size() == cpus.size());
        require_region_of_all();
    }
}

TEST_CASE("regions leave out the core of a thread that makes calls, where there are many", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    const int here = sched_getcpu();
    const stays_on same(here);
    const std::vector<int> cpus = cpus_of_team();
    const auto other = std::ranges::find_if(cpus, [here](int cpu) { return cpu != here; });
    if (other == cpus.end()) return;
    int members = 0;
    for (int look = 0; look < 100 && members != core_count() - 1; ++look) { // a lease is short
        std::thread([&] {
            const stays_on there(*other);
            caller_is_here();
        }).join();
        members = team_lead(leader::caller).members();
    }
    constexpr int many = 4;
    CHECK(members == core_count() - (core_count() >= many ? 1 : 0));
}

TEST_CASE("who leads as a guest has all cores", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    const stays_on same(sched_getcpu());
    {
        const as_guest computes;
        require_region_of_all();
    }
    require_region_of_all();
    leave_as_guest();
    require_region_of_all();
}

TEST_CASE("a thread whose calls run inline is a guest while there are others", "[team][cores]")
{
    const skelrt::runtime rt;
    require_region_of_all();
    const int here = sched_getcpu();
    const stays_on same(here);
    const std::vector<int> cpus = cpus_of_team();
    const auto other = std::ranges::find_if(cpus, [here](int cpu) { return cpu != here; });
    if (other == cpus.end()) return;
    REQUIRE(make_calls(10, 100)); // two threads make calls from now on
    std::atomic<bool> seen{false};
    std::atomic<int> wrong{0};
    std::thread caller([&, cpu = *other] {
        const stays_on there(cpu);
        while (!seen) wrong += !make_calls(100'000, 30);
    });
    while (!seen) {
        team_lead lead(leader::caller);
        seen = lead && lead.members() == core_count() - 1;
        if (lead) lead.run([](int, int) {});
    }
    caller.join();
    REQUIRE(wrong == 0);
    require_region_of_all(); // soon after
}

TEST_CASE("threads make calls inline, lead regions and hold cores beside each other, and all values are right",
          "[team][cores]")
{
    const skelrt::runtime rt;
    std::atomic<int> wrong{0};
    std::atomic<bool> end{false};
    std::thread worker([&] {
        while (!end) {
            team_lead lead(leader::worker);
            wrong += !all_members_come(lead);
        }
    });
    std::vector<std::thread> callers;
    for (int k = 0; k < 6; ++k)
        callers.emplace_back([&, k] {
            held_core core;
            for (int round = 0; round < 10; ++round) {
                if (k == 0) static_cast<void>(core.take());
                wrong += !make_calls(static_cast<std::size_t>(20'000 * (k + 1)), 30);
                core.leave();
            }
        });
    for (std::thread& t : callers) t.join();
    end = true;
    worker.join();
    REQUIRE(wrong == 0);
    require_region_of_all();
}

TEST_CASE("threads take and leave cores while regions and single tasks run", "[team][cores]")
{
    const skelrt::runtime rt;
    std::atomic<bool> end{false};
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
        threads.emplace_back([&] {
            held_core core;
            while (!end) {
                static_cast<void>(core.take());
                std::this_thread::yield();
                core.leave();
            }
        });
    for (int round = 0; round < 20; ++round) {
        const busy_cores tasks(std::min(2, core_count()));
        for (int k = 0; k < 20; ++k) {
            team_lead lead(leader::caller);
            REQUIRE(all_members_come(lead));
        }
    }
    end = true;
    for (std::thread& t : threads) t.join();
    require_region_of_all();
}

namespace
{

/// What calls of all sorts give: those whose shares wait for each other, or are combined in order, above all.
struct results {
    std::vector<float> values;
    std::vector<std::uint32_t> sums;
    bool operator==(const results&) const = default;
};

results compute()
{
    constexpr std::size_t n = 300'000, rows = 128, cols = 100;
    std::vector<float> some(n);
    for (std::size_t i = 0; i < n; ++i) some[i] = static_cast<float>((i * 7919) % 1009) / 1009;
    const sk::vector<float> x(some.begin(), some.end());
    const auto scaled = sk::map(SKELRT_FN((float a) { return 1.0f + a * a; }));
    const auto relax = sk::stencil(
        SKELRT_FN((sk::hood2<float> h) { return 0.2f * h(0, 0) + 0.2f * (h(-1, 0) + h(1, 0) + h(0, -1) + h(0, 1)); }),
        sk::border::nearest());
    results r;
    const auto keep = [&](const auto& v) {
        const auto all = values(v);
        r.values.insert(r.values.end(), all.begin(), all.end());
    };
    const sk::vector<float> y = scaled(x), running = sk::scan(sk::plus)(y), sorted = sk::sort(y),
                            large = sk::filter(SKELRT_FN((float a) { return a > 1.25f; }))(y);
    for (const sk::vector<float>* v : {&y, &running, &sorted, &large}) keep(*v);
    const auto place = sk::generate(SKELRT_FN((sk::index2 i) { return 0.01f * (float)(i.row * 7919 % 101 + i.col); }));
    sk::matrix<float> m = place(sk::shape(rows, cols));
    m = relax.red_black(40, m);
    keep(m);
    const float total = sk::reduce(sk::plus, 0.0f)(y), products = sk::reduce(sk::plus, 0.0f)(y * running);
    r.sums = {std::bit_cast<std::uint32_t>(total), std::bit_cast<std::uint32_t>(products)};
    return r;
}

} // namespace

TEST_CASE("calls beside busy cores end without waiting for them, with the same bits", "[team][cores]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const skelrt::runtime rt;
    const results free = compute();
    REQUIRE(compute() == free);
    for (const int busy : some_busy()) {
        if (busy == core_count()) continue; // tasks of the team wait for the worker that leads
        const busy_cores cores(busy);
        REQUIRE(compute() == free);
        REQUIRE(blocked);
    }
    std::future<results> beside;
    {
        const busy_cores all(core_count());
        beside = std::async(std::launch::async, [] { return compute(); });
        beside.wait_for(std::chrono::milliseconds(100));
    }
    REQUIRE(beside.get() == free);
}
