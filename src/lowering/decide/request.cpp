#include "src/lowering/decide/request.hpp"

#include "src/lowering/decide/trial_log.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/program/program.hpp"

namespace skelrt::detail
{

request request_of(const engine& e, const call& c, std::size_t uses)
{
    const device_set all = e.devices().available();
    request r;
    r.may_use.kinds = program::current().wishes.kinds & all;
    r.obeyed = range_for(e, c);
    r.uses = uses;
    r.free = !r.obeyed && r.may_use.kinds == all;
    if (r.obeyed || e.devices().policy_places() || is_trial()) r.by = placed_by::orders;
    else if (!r.free) r.by = placed_by::kinds;
    return r;
}

} // namespace skelrt::detail
