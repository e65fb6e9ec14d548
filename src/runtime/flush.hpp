#pragma once

/// Calls that were planned may wait to be sent together (src/lowering/pending.hpp). Whatever else goes to StarPU, or waits for
/// it, comes after them.
namespace skelrt::detail
{

class engine;

/// Gives StarPU what was called so far. Cheap when there is nothing. Not for who holds engine::submission.
void flush(engine& e) noexcept;
/// The same for who holds it.
void flush_locked(engine& e) noexcept;
/// Until all that was called is done.
void wait_for_all_tasks(engine& e) noexcept;

} // namespace skelrt::detail
