#pragma once

namespace skelrt::detail
{

/// What links to devices were seen to bring. Who told their rates may be wrong by far, and for good: StarPU measures them once on
/// a machine, and what else used them then slowed them down. But a call that took so long for so many bytes proves that its
/// link brings no less. One wild call proves nothing: the second best of all counts. Thread-safe.
void note_copies(int worker, double bytes, double us) noexcept;
/// Bytes per microsecond to the device of a StarPU worker; 0: nothing was seen.
double seen_rate(int worker) noexcept;
void forget_links() noexcept;

} // namespace skelrt::detail
