// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/policies.hpp"

#include <starpu.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

/// A StarPU of CPU workers, and of OpenCL devices, PoCL among them, under one of our policies; no skelrt.
class starpu_run
{
public:
    starpu_run(std::string_view policy, int workers, int opencl = 0)
    {
        starpu_conf conf;
        starpu_conf_init(&conf);
        conf.precedence_over_environment_variables = 1; // STARPU_NCPU may be set
        conf.ncpus = workers;
        conf.ncuda = 0;
        conf.nopencl = opencl;
        if (opencl > 0) setenv("STARPU_OPENCL_ON_CPUS", "1", 0);
        conf.sched_policy = skelrt::schedulers::find_policy(policy);
        REQUIRE(conf.sched_policy);
        REQUIRE(starpu_init(&conf) == 0);
        REQUIRE(policy == starpu_sched_get_sched_policy()->policy_name);
    }
    ~starpu_run() { starpu_shutdown(); }
    starpu_run(const starpu_run&) = delete;
    starpu_run& operator=(const starpu_run&) = delete;
};

/// Tasks that are submitted while it lives start together when it goes.
class paused
{
public:
    /// A worker that looked just before would still take a task.
    paused()
    {
        starpu_pause();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ~paused() { starpu_resume(); }
    paused(const paused&) = delete;
    paused& operator=(const paused&) = delete;
};
