// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/node/shares.hpp"
#include "src/cluster/roll_call.hpp"
#include "src/cluster/start/launch.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>

using namespace skelrt::detail;
using Catch::Matchers::Contains;

namespace
{

launch launched(const std::map<std::string, std::string, std::less<>>& environment)
{
    return read_launch([&](std::string_view name) -> std::optional<std::string> {
        const auto found = environment.find(name);
        if (found == environment.end()) return {};
        return found->second;
    });
}

core_list cores(int begin, int end)
{
    core_list all(static_cast<std::size_t>(end - begin));
    std::iota(all.begin(), all.end(), begin);
    return all;
}

} // namespace

TEST_CASE("the launcher says how many ranks there are", "[launch]")
{
    CHECK(!launched({}).is_cluster());
    const launch open_mpi = launched({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}});
    CHECK((open_mpi.is_cluster() && open_mpi.rank == 3 && open_mpi.size == 4));
    const launch mpich = launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}});
    CHECK((mpich.is_cluster() && mpich.rank == 1 && mpich.size == 2));
    const launch slurm = launched({{"SLURM_NTASKS", "8"}, {"PMIX_RANK", "5"}});
    CHECK((slurm.is_cluster() && slurm.rank == 5 && slurm.size == 8));
    CHECK(!launched({{"SLURM_NTASKS", "8"}}).is_cluster()); // what was allotted, not what was started
    CHECK(!launched({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}).is_cluster());
}

TEST_CASE("SKELRT_CLUSTER wins over the launcher", "[launch]")
{
    const launch off = launched({{"SKELRT_CLUSTER", "off"}, {"PMI_SIZE", "2"}, {"PMI_RANK", "1"}});
    CHECK((!off.is_cluster() && off.rank == 0 && off.size == 1));
    CHECK(launched({{"SKELRT_CLUSTER", "mpi"}}).is_cluster());
    CHECK_THROWS_WITH(launched({{"SKELRT_CLUSTER", "on"}}), Contains("SKELRT_CLUSTER=on") && Contains("mpi or off"));
}

TEST_CASE("numbers of a launcher that make no sense are refused", "[launch]")
{
    for (const auto& [size, rank] : {std::pair{"0", "0"}, {"two", "0"}, {"2", "2"}, {"2", "-1"}, {"2", "1x"}})
        CHECK_THROWS_AS(launched({{"PMI_SIZE", size}, {"PMI_RANK", rank}}), skelrt::error);
}

TEST_CASE("ranks that may use the same cores share them out", "[node]")
{
    for (const int n : {1, 2, 7, 16, 64})
        for (const std::size_t ranks : {1, 2, 3, 8, 16}) {
            const std::vector<core_list> all(ranks, cores(0, n));
            std::vector<int> users(static_cast<std::size_t>(n));
            std::size_t least = 1000, most = 0;
            for (std::size_t r = 0; r < ranks; ++r) {
                const core_share s = share_of_cores(all, r, n);
                REQUIRE(!s.cores.empty());
                CHECK(!s.widened);
                for (int c : s.cores) ++users[static_cast<std::size_t>(c)];
                least = std::min(least, s.cores.size()), most = std::max(most, s.cores.size());
            }
            INFO(ranks << " ranks, " << n << " cores");
            CHECK(most - least <= 1);
            CHECK(std::ranges::all_of(users, [](int u) { return u >= 1; }));
            if (static_cast<std::size_t>(n) >= ranks) CHECK(std::ranges::all_of(users, [](int u) { return u == 1; }));
        }
}

TEST_CASE("what a launcher gave to single ranks stays theirs", "[node]")
{
    const std::vector<core_list> bound{cores(0, 8), cores(8, 16)};
    CHECK(share_of_cores(bound, 1, 16).cores == cores(8, 16));
    const std::vector<core_list> sockets{cores(0, 8), cores(0, 8), cores(8, 16), cores(8, 16)};
    CHECK(share_of_cores(sockets, 1, 16).cores == cores(4, 8));
    CHECK(share_of_cores(sockets, 2, 16).cores == cores(8, 12));
}

TEST_CASE("ranks that a launcher bound to one core each take even shares of the node", "[node]")
{
    const std::vector<core_list> bound{cores(0, 1), cores(1, 2)};
    const core_share second = share_of_cores(bound, 1, 16);
    CHECK(second.widened);
    CHECK(second.cores == cores(8, 16));
    CHECK(!share_of_cores(bound, 1, 2).widened); // there are no more
}

TEST_CASE("GPUs that all ranks see are dealt out", "[node]")
{
    const std::vector<std::string> four{"0", "1", "2", "3"};
    CHECK(share_of_gpus(four, 1, 2) == std::vector<std::string>{"1", "3"});
    CHECK(share_of_gpus(four, 3, 4) == std::vector<std::string>{"3"});
    CHECK(share_of_gpus(four, 5, 8).empty());
}

TEST_CASE("a roll call tells who computes from who is lost", "[waits]")
{
    past_call last;
    last.number = 7;
    const rank_answer waits{rank_answer::waits, {true, 1, last}}, computes{rank_answer::computes, {false, -1, last}},
        left{rank_answer::left, {false, -1, last}}, silent{};
    const auto verdict = [](const roll_call_result& r) { return r.what; };
    CHECK(verdict(judge({waits, computes, waits}, 60)) == roll_call_result::go_on);
    CHECK(verdict(judge({waits, waits, left}, 60)) == roll_call_result::deadlock);
    CHECK(verdict(judge({waits, silent, computes}, 60)) == roll_call_result::lost);
    CHECK_THAT(judge({waits, computes}, 60).text, Contains("rank 1 is in its own code after call 7"));
    CHECK_THAT(judge({waits, left}, 60).text,
               Contains("rank 0 waits in call 7") && Contains("rank 1 left its program"));
    CHECK_THAT(judge({waits, silent}, 60).text, Contains("rank 1 does not answer for 60 s"));
    CHECK_THAT(judge(std::vector<rank_answer>(1000, waits), 60).text,
               Contains("rank 7 waits") && Contains("; and 992 more."));
}
