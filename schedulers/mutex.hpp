// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

namespace skelrt::schedulers
{

/// A mutex as StarPU wants it in policies: a worker that has to wait for it may be looked at by others meanwhile.
class mutex
{
public:
    mutex() { starpu_pthread_mutex_init(&mutex_, nullptr); }
    ~mutex() { starpu_pthread_mutex_destroy(&mutex_); }
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    void lock()
    {
        if (try_lock()) return;
        starpu_worker_relax_on();
        starpu_pthread_mutex_lock(&mutex_);
        starpu_worker_relax_off();
    }
    bool try_lock() { return starpu_pthread_mutex_trylock(&mutex_) == 0; }
    void unlock() { starpu_pthread_mutex_unlock(&mutex_); }

private:
    starpu_pthread_mutex_t mutex_;
};

/// A worker that sleeps looks for tasks again; those of most builds of StarPU never sleep.
inline void wake([[maybe_unused]] int worker)
{
#if !defined(STARPU_NON_BLOCKING_DRIVERS) || defined(STARPU_SIMGRID)
    starpu_wake_worker_relax_light(worker);
#endif
}

} // namespace skelrt::schedulers
