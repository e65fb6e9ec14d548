// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/simulated_wait.hpp"

#include <starpu.h>

namespace skelrt::detail
{

namespace
{

struct bell {
    starpu_pthread_mutex_t mutex;
    starpu_pthread_cond_t rings;
    bell()
    {
        starpu_pthread_mutex_init(&mutex, nullptr);
        starpu_pthread_cond_init(&rings, nullptr);
    }
};

/// One for all: few wait.
bell& the_bell()
{
    static auto& b = *new bell;
    return b;
}

} // namespace

void wait_until(const std::function<bool()>& holds)
{
    bell& b = the_bell();
    starpu_pthread_mutex_lock(&b.mutex);
    while (!holds()) starpu_pthread_cond_wait(&b.rings, &b.mutex);
    starpu_pthread_mutex_unlock(&b.mutex);
}

void ring()
{
    bell& b = the_bell();
    starpu_pthread_mutex_lock(&b.mutex);
    starpu_pthread_cond_broadcast(&b.rings);
    starpu_pthread_mutex_unlock(&b.mutex);
}

} // namespace skelrt::detail
