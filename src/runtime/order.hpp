#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKELRT_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SKELRT_THREAD_SANITIZER 1
#endif

/// ThreadSanitizer does not see how StarPU and libgomp put threads in order: neither is instrumented. These say it, where the
/// order is theirs; elsewhere they are nothing.
#if defined(SKELRT_THREAD_SANITIZER)
extern "C" void __tsan_release(void*);
extern "C" void __tsan_acquire(void*);
#endif

namespace skelrt::detail
{

#if defined(SKELRT_THREAD_SANITIZER)
inline constexpr bool order_is_watched = true;
#else
inline constexpr bool order_is_watched = false;
#endif

/// What this thread did so far comes before whatever follows comes_after(what) in another.
inline void comes_before([[maybe_unused]] const void* what) noexcept
{
#if defined(SKELRT_THREAD_SANITIZER)
    __tsan_release(const_cast<void*>(what));
#endif
}
inline void comes_after([[maybe_unused]] const void* what) noexcept
{
#if defined(SKELRT_THREAD_SANITIZER)
    __tsan_acquire(const_cast<void*>(what));
#endif
}

} // namespace skelrt::detail
