// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A process that ends without ending its runtime: by std::exit, std::terminate, SIGINT or SIGTERM. Handlers of the
/// program's are left alone: signals are watched only where nobody has asked for them, and its terminate handler is
/// called after ours.
namespace skelrt::detail
{

/// Before drivers are loaded, which take signals, too: those that are free by now may be watched.
void find_free_signals() noexcept;
/// From now on `say` is called before such an end: once, by any thread. Throws std::system_error.
void watch_endings(void (*say)() noexcept);
/// No longer. After it, signals do what they did before.
void ignore_endings() noexcept;

} // namespace skelrt::detail
