#pragma once

/// The host waits for what was called; what lies between two waits is an episode (src/lowering/episodes.hpp).
namespace skelrt::detail
{

class engine;
struct storage;

/// The host has the data of this storage now; null: all that was called is done.
void note_wait(engine& e, const storage* data);

} // namespace skelrt::detail
