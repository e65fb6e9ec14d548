// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include <sys/mman.h>

namespace bench
{

struct free_memory {
    void operator()(void* p) const { std::free(p); }
};
template <class T>
using host_array = std::unique_ptr<T[], free_memory>;

/// Untouched memory for a rival, on huge pages where the system gives them: who touches it first places it.
template <class T>
host_array<T> make_host_array(std::size_t n)
{
    constexpr std::size_t page = std::size_t(2) << 20;
    const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
    void* p = std::aligned_alloc(page, bytes);
    if (!p) throw std::bad_alloc();
    madvise(p, bytes, MADV_HUGEPAGE);
    return host_array<T>(static_cast<T*>(p));
}

} // namespace bench
