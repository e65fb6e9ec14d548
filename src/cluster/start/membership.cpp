// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/start/membership.hpp"

#include "src/cluster/node/shares.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/start/open_peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/starpu_home.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <array>
#include <exception>
#include <span>
#include <string_view>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// What changes what ranks send to each other.
constexpr std::string_view same_everywhere[] = {"SKELRT_FUSION", "SKELRT_STEPS", "SKELRT_CLUSTER_CHECK",
                                                "SKELRT_PRODUCTS"};

void check_same_settings(peers& others)
{
    for (const std::string_view name : same_everywhere) {
        std::array<char, 64> mine{};
        env_text(name).value_or("").copy(mine.data(), mine.size() - 1);
        const std::vector<std::byte> all = all_gather(others, std::as_bytes(std::span(mine)));
        for (std::size_t r = 0; r < all.size() / mine.size(); ++r) {
            const auto* its = reinterpret_cast<const char*>(all.data() + r * mine.size());
            const auto* first = reinterpret_cast<const char*>(all.data());
            if (std::string_view(its) == first) continue;
            throw error(fmt::format("sk::runtime: {} is '{}' on rank 0 and '{}' on rank {}: it changes what ranks send "
                                    "to each other, so set it on all alike (mpirun -x {})",
                                    name, first, its, r, name));
        }
    }
}

} // namespace

membership::membership(const launch& started) : others_(open_peers(started))
{
    if (!others_) return;
    if (others_->size() > 1) {
        name_rank_in_log(others_->rank());
        return;
    }
    if (!started.communicator) divide_node(*others_); // launchers bind a lone rank, too
    others_.reset(); // nobody to speak with: all goes on as in a process that nothing started
}

membership::~membership()
{
    if (!others_ || has_left_) return;
    others_->tell_failure("its sk::runtime could not be started");
    others_->leave({true});
}

settings membership::with_ranks(settings wanted)
{
    if (!others_) return wanted;
    wanted.has_ranks = true;
    divide_node(*others_);
    goes_first_ = others_->local_rank() == 0 && !links_are_measured();
    if (!goes_first_) others_->gather_on_node({});
    return wanted;
}

bool membership::is_first_on_node() const noexcept { return !others_ || others_->local_rank() == 0; }

void membership::join_others()
{
    if (!others_) return;
    if (goes_first_) others_->gather_on_node({});
    others_->start();
    try {
        check_same_settings(*others_);
    } catch (...) {
        others_->stop(); // before StarPU
        throw;
    }
}

void membership::leave_others() noexcept
{
    if (!others_) return;
    others_->leave({std::uncaught_exceptions() > 0});
    has_left_ = true;
}

void membership::stop_messages() noexcept
{
    if (others_) others_->stop();
}

} // namespace skelrt::detail
