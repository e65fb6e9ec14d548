// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/scan_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/reductions/recipes.hpp"

#include "codelets/element_memory.hpp"

#include <skelrt/detail/user_code.hpp>

#include <cstring>
#include <span>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// What the share reduces to; `room` has a byte more, which says whether there is a value.
void reduce_share(const call_share& share, std::byte* room, const run_local& run)
{
    const recipe& scan = share.mine().site->what;
    room[scan.result_size] = std::byte{!share.empty()};
    if (share.empty()) return;
    call sum = share.mine();
    sum.site = &reduction_of(scan);
    sum.start = nullptr;
    sum.value = room;
    run(sum);
}

} // namespace

void run_scan(engine& e, const call& c, const call_share& share, const run_local& run)
{
    const recipe& r = c.site->what;
    const std::size_t bytes = r.result_size, message = bytes + 1;
    const element_memory sum(message), front(bytes), next(bytes);
    peers& others = *e.cluster;
    together(others, [&] {
        check_operands(c, !share.empty());
        reduce_share(share, sum.data(), run);
    });
    const std::vector<std::byte> sums = all_gather(others, {sum.data(), message});
    if (share.empty()) return;

    run_for_results(e, share.mine(), [&](const call& mine) {
        bool any = c.start != nullptr;
        if (any) std::memcpy(front.data(), c.start, bytes);
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(others.rank()); ++rank) {
            const std::byte* const at = sums.data() + rank * message;
            if (at[bytes] == std::byte{0}) continue;
            std::memcpy(next.data(), at, bytes); // to where elements may lie
            const in_user_code mark;
            if (any) r.cpu.combine(front.data(), next.data(), 1);
            else std::memcpy(front.data(), next.data(), bytes);
            any = true;
        }
        call behind = mine;
        behind.start = any ? front.data() : nullptr;
        run(behind);
    });
}

} // namespace skelrt::detail
