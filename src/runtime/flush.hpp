#pragma once

/// Calls that were planned may wait to be sent together (src/lowering/pending.hpp). Whatever else goes to StarPU, or waits for
/// it, comes after them.
namespace skelrt::detail
{

class engine;

/// For whoever waits next: gives StarPU what was called so far, and tells a policy that collects tasks until somebody waits
/// (graph_test) that they are all there. Cheap when there is nothing. Not for who holds engine::submission.
void flush(engine& e) noexcept;
/// Only gives, for who holds it.
void flush_locked(engine& e) noexcept;
/// Until all that was called is done.
void wait_for_all_tasks(engine& e) noexcept;

} // namespace skelrt::detail
