// SPDX-License-Identifier: BSD-3-Clause
#include "tests/misuse/misuse.hpp"

#include "src/lowering/engine.hpp"
#include "src/runtime/policy.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>
#include <starpu.h>

#include <atomic>
#include <cmath>
#include <thread>

/// How a runtime gets its policy, and what it has from ours.

namespace
{

std::string running_policy() { return starpu_sched_get_sched_policy()->policy_name; }

sk::options cpu_only(const char* policy)
{
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    o.policy = policy;
    return o;
}

const auto times_three = sk::map(SKELRT_FN((int a) { return 3 * a; }));

void require_work()
{
    sk::vector<int> x(10'000, 1);
    x = times_three(x);
    REQUIRE(values(x) == std::vector<int>(10'000, 3));
}

} // namespace

TEST_CASE("without a choice the planner places tasks", "[policy]")
{
    const sk::runtime rt(cpu_only(""));
    REQUIRE(running_policy() == "skelrt");
    REQUIRE_FALSE(sk::detail::engine::current()->devices().policy_places());
    require_work();
}

TEST_CASE("a policy of ours by its name, in the options or in the environment, which wins", "[policy]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    {
        const sk::runtime rt(cpu_only("smpss"));
        REQUIRE(running_policy() == "smpss");
        REQUIRE(sk::detail::engine::current()->devices().policy_places());
        require_work();
    }
    const with_variable chosen("STARPU_SCHED", "heft-tmdp"); // StarPU alone would make dmda of it
    for (int round = 0; round < 2; ++round) {
        const sk::runtime rt(cpu_only("smpss"));
        REQUIRE(running_policy() == "heft-tmdp");
        REQUIRE(std::string(std::getenv("STARPU_SCHED")) == "heft-tmdp"); // for the next runtime
        require_work();
    }
    const with_variable planner("STARPU_SCHED", "skelrt");
    const sk::runtime rt(cpu_only("smpss"));
    REQUIRE(running_policy() == "skelrt");
    REQUIRE_FALSE(sk::detail::engine::current()->devices().policy_places());
}

TEST_CASE("StarPU's own policies as before, an empty name is none", "[policy]")
{
    {
        const with_variable chosen("STARPU_SCHED", "eager");
        const sk::runtime rt(cpu_only("smpss"));
        REQUIRE(running_policy() == "eager");
        REQUIRE(sk::detail::engine::current()->devices().policy_places());
    }
    const with_variable empty("STARPU_SCHED", "");
    const char* option = GENERATE("", "smpss", "prio");
    const sk::runtime rt(cpu_only(option));
    REQUIRE(running_policy() == (*option ? option : "skelrt"));
}

TEST_CASE("a policy that nobody knows is replaced by one of StarPU's, and one tile is a task", "[policy]")
{
    const with_variable chosen("STARPU_SCHED", "no-such-policy");
    const sk::runtime rt(cpu_only(""));
    REQUIRE(running_policy() == "lws");
    REQUIRE(sk::detail::engine::current()->devices().policy_places());
    require_work();
}

TEST_CASE("what only one GPU can do it does, whatever StarPU's policies think of it", "[policy]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::options o = cpu_only(GENERATE("modular-gemm", "modular-eager", "dmda", "lws"));
    o.opencl_on_cpu = true;
    o.opencl_devices = 1;
    const sk::runtime rt(o);
    if (rt.devices().size() < 2) {
        WARN("no OpenCL device");
        return;
    }
    const sk::only only(sk::device::opencl);
    require_work();
}

TEST_CASE("a kind of device that does not exist is told", "[policy]")
{
    const with_variable device("SKELRT_STATIC_DEVICE", "gpu");
    REQUIRE_THROWS_WITH(sk::runtime(cpu_only("static-device")), Contains("SKELRT_STATIC_DEVICE=gpu"));
}

TEST_CASE("our policies are listed", "[policy]")
{
    REQUIRE(sk::detail::own_policies() == "skelrt, smpss, heft-tm, heft-tm-pr, heft-tmdp, heft-tmdp-pr, static-device");
}

// --- a GPU that does not come to its part of a call ---------------------------------------------------------------

namespace
{

std::atomic<bool> blocked{false};

void block(void*[], void*)
{
    while (blocked) std::this_thread::yield();
}

/// Keeps a worker busy while it lives.
class blocked_worker
{
public:
    explicit blocked_worker(const sk::detail::target& t)
    {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = codelet_.opencl_funcs[0] = block;
        blocked = true;
        starpu_task* task = starpu_task_create();
        task->cl = &codelet_;
        task->sched_data = const_cast<skelrt::schedulers::placement_hint*>(&t.fixed);
        task->destroy = 0;
        task->detach = 0;
        REQUIRE(starpu_task_submit(task) == 0);
        task_ = task;
    }
    ~blocked_worker() noexcept(false)
    {
        blocked = false;
        REQUIRE(starpu_task_wait(task_) == 0);
        starpu_task_destroy(task_);
    }
    blocked_worker(const blocked_worker&) = delete;
    blocked_worker& operator=(const blocked_worker&) = delete;

private:
    starpu_codelet codelet_;
    starpu_task* task_ = nullptr;
};

/// Dear enough that two devices share it.
const auto dear = sk::map(SKELRT_FN((float a) {
    float x = a;
    for (int i = 0; i < 400; ++i) x = x * 0.999f + 0.001f * a;
    return x + 1.0f;
}));

float dear_of(float a)
{
    float x = a;
    for (int i = 0; i < 400; ++i) x = x * 0.999f + 0.001f * a;
    return x + 1.0f;
}

void require_all(const sk::vector<float>& x, float expected)
{
    for (const float v : values(x))
        if (std::abs(v - expected) > 1e-4f * expected) REQUIRE(v == expected);
}

} // namespace

TEST_CASE("what was planned for a device that is blocked the other one does, and the next calls are right", "[steal]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    // The device's worker moves its data, too: nothing may be on its way there while it is blocked.
    const with_variable no_prefetch("STARPU_PREFETCH", "0");
    sk::options o;
    o.cpu_cores = 2;
    o.cuda_devices = 0;
    o.opencl_on_cpu = true;
    o.tiles = 16;
    const sk::runtime rt(o);
    if (rt.devices().size() < 2) {
        WARN("no OpenCL device: nothing to steal from");
        return;
    }
    const std::vector<sk::detail::target>& targets = sk::detail::engine::current()->devices().targets();
    constexpr std::size_t n = 40'000;
    sk::vector<float> x(n, 1.0f), y(n);
    for (int i = 0; i < 8; ++i)
        for (const sk::device d : {sk::device::cpu, sk::device::opencl}) { // models of both
            const sk::only only(d);
            y = dear(x);
            sk::wait(y);
        }
    const float once = dear_of(1.0f);
    {
        const blocked_worker busy(targets.back());
        y = dear(x);
        sk::wait(y); // without stealing: never, if the device had a part
        y = dear(y);
        require_all(y, dear_of(once));
        REQUIRE(blocked);
    }
    y = dear(y);
    require_all(y, dear_of(dear_of(once)));
}
