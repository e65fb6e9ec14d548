#pragma once

#include "src/lowering/at_once.hpp"
#include "src/lowering/call_state.hpp"
#include "src/lowering/devices.hpp"
#include "src/lowering/known_calls.hpp"

/// From a call, and the devices that may do it, to tasks; or to what the caller shall run at once, when it has given the lock back,
/// where no task is needed. For who holds the order's lock.
namespace skelrt::detail
{

/// The caller keeps one hold on the call's state. `free`: the user did not say where it should run; if it obeys a plan, it is an
/// episode's. `uses`: so many calls in a row, this one included, work on its data.
call_state& submit_to(engine& e, const call& c, device_choice may_use, bool free, std::vector<const target*> targets,
                      std::size_t uses, at_once_run& here);

/// The same for a call like one before it, where that went.
call_state& submit_like(engine& e, const call& c, device_choice may_use, bool free, const decision& known,
                        at_once_run& here);

} // namespace skelrt::detail
