#include "src/cluster/membership.hpp"

#include "src/cluster/node/shares.hpp"
#include "src/cluster/open_peers.hpp"
#include "src/cluster/peers.hpp"
#include "src/runtime/environment/starpu_home.hpp"
#include "src/runtime/log.hpp"

#include <exception>

namespace skelrt::detail
{

membership::membership(const launch& started) : others_(open_peers(started))
{
    if (others_) name_rank_in_log(others_->rank());
}

membership::~membership() = default;

settings membership::with_ranks(settings wanted)
{
    if (!others_) return wanted;
    wanted.has_ranks = true;
    divide_node(*others_);
    goes_first_ = others_->local_rank() == 0 && !links_are_measured();
    if (!goes_first_) others_->gather_on_node({});
    return wanted;
}

void membership::join_others()
{
    if (!others_) return;
    if (goes_first_) others_->gather_on_node({});
    others_->start();
}

void membership::leave_others() noexcept
{
    if (others_) others_->leave({std::uncaught_exceptions() > 0});
}

void membership::stop_messages() noexcept
{
    if (others_) others_->stop();
}

} // namespace skelrt::detail
