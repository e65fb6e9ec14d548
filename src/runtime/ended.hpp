#pragma once

/// Calls that have ended keep what they held until a thread of the program lets it go (src/lowering/call_state.hpp).
namespace skelrt::detail
{

/// What these calls held goes. Cheap when there is nothing. For threads of the program: what nobody holds any more is freed.
void let_ended_calls_go() noexcept;

} // namespace skelrt::detail
