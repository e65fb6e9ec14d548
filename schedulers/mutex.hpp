// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace skelrt::schedulers
{

/// A mutex as StarPU wants it in policies: a worker that has to wait for it may be looked at by others meanwhile. Who
/// has it gives it back within a microsecond: it is waited for awake, and for longer only where cores are shared.
class mutex
{
public:
    mutex() { starpu_pthread_mutex_init(&mutex_, nullptr); }
    ~mutex() { starpu_pthread_mutex_destroy(&mutex_); }
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    void lock()
    {
        static_cast<void>(lock_unless([] { return false; }));
    }
    /// False: while it waited, what it wanted the lock for had gone.
    template <class Gone>
    bool lock_unless(Gone gone)
    {
        constexpr int longest = 32;
        for (int looks = 1; looks <= longest; looks *= 2) {
            if (gone()) return false;
            if (try_lock()) return true;
            pause(looks);
        }
        starpu_worker_relax_on();
        starpu_pthread_mutex_lock(&mutex_);
        starpu_worker_relax_off();
        return true;
    }
    bool try_lock() { return starpu_pthread_mutex_trylock(&mutex_) == 0; }
    void unlock() { starpu_pthread_mutex_unlock(&mutex_); }

private:
    static void pause([[maybe_unused]] int times)
    {
#if defined(__x86_64__)
        while (times-- > 0) _mm_pause();
#endif
    }

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
