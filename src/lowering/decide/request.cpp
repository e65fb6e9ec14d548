// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/request.hpp"

#include "src/lowering/plan/told.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/program/program.hpp"

namespace skelrt::detail
{

request request_of(const engine& e, const call& c, std::size_t uses)
{
    const device_set all = e.devices().available();
    const call_wishes& wishes = program::current().wishes;
    const bool some_plan = c.use || wishes.followed || e.wanted.plans;
    request r;
    r.may_use.kinds = wishes.kinds & all;
    r.obeyed = some_plan ? range_for(e, c) : nullptr;
    r.uses = uses;
    r.free = !r.obeyed && r.may_use.kinds == all;
    if (r.obeyed || e.devices().policy_places() || e.wanted.is_trial) r.by = placed_by::orders;
    else if (!r.free) r.by = placed_by::kinds;
    else if (const run_way* const run = wishes.run.get(); run && run->kinds() == device_set(device::cpu))
        r.may_use.kinds = run->kinds(); // of GPUs some calls may be unable to use any
    return r;
}

} // namespace skelrt::detail
