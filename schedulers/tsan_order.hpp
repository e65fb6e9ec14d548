// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKELRT_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SKELRT_THREAD_SANITIZER 1
#endif

/// ThreadSanitizer does not see how StarPU and libgomp put threads in order: neither is instrumented. These say it,
/// where the order is theirs. A program that is built with it may use a library that is not: its functions are there
/// then, or nobody's.
#if defined(SKELRT_THREAD_SANITIZER)
extern "C" void __tsan_release(void*);
extern "C" void __tsan_acquire(void*);
#else
extern "C" __attribute__((weak)) void __tsan_release(void*);
extern "C" __attribute__((weak)) void __tsan_acquire(void*);
#endif

namespace skelrt::detail
{

inline bool order_is_watched() noexcept
{
#if defined(SKELRT_THREAD_SANITIZER)
    return true;
#else
    return __tsan_release != nullptr && __tsan_acquire != nullptr;
#endif
}

/// What this thread did so far comes before whatever follows comes_after(what) in another.
inline void comes_before(const void* what) noexcept
{
    if (order_is_watched()) __tsan_release(const_cast<void*>(what));
}
inline void comes_after(const void* what) noexcept
{
    if (order_is_watched()) __tsan_acquire(const_cast<void*>(what));
}

} // namespace skelrt::detail
