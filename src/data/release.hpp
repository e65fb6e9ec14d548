// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What nobody uses any more is freed.
namespace skelrt::detail
{

struct storage;

/// For workers, which may not free: reap() does it later.
void bury(storage* s) noexcept;
/// Frees what workers, and calls that have ended, let go of. Cheap when there is nothing.
void reap() noexcept;

/// The runtime's end: every storage's data comes home and is no longer managed.
void release_all_managed() noexcept;

} // namespace skelrt::detail
